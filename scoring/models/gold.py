"""Gold labels of splits: sealed, or opened by an organiser's order."""

import zlib

from django.conf import settings
from django.db import models
from django.db.models import Q

from benchmarks.fields import SHA256_HEX
from benchmarks.models import Benchmark, Split
from scoring.querysets import VersionQuerySet


class GoldVersion(models.Model):
    """One version of a split's gold labels."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="gold_versions")
    number = models.PositiveIntegerField()
    task_version = models.PositiveIntegerField()
    key_fingerprint = models.CharField(max_length=64)
    commitment = models.CharField(
        max_length=64,
        validators=[SHA256_HEX],
        help_text="Salted SHA-256: proves later that gold never changed.",
    )
    remainder_by = models.CharField(
        max_length=64,
        blank=True,
        help_text=(
            "Commitment of the version by whose salt the private remainder is drawn; empty: its own, by "
            "the places of items instead of their ids."
        ),
    )
    item_count = models.PositiveIntegerField()
    class_counts = models.JSONField(
        null=True, blank=True, help_text="Public, and only there if the organiser asked for it."
    )
    note = models.CharField(max_length=500, blank=True, help_text="Why this version was loaded.")
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    loaded_at = models.DateTimeField()

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ["split", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["split", "number"], name="gold_number_once_per_split"),
            models.CheckConstraint(condition=Q(number__gte=1), name="gold_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.split} gold {self.number}"


class SealedLabels(models.Model):
    """The labels of a version, sealed to the scorer's key; nobody reads them without it."""

    version = models.OneToOneField(
        GoldVersion, primary_key=True, on_delete=models.CASCADE, related_name="sealed"
    )
    ciphertext = models.BinaryField()

    class Meta:
        verbose_name_plural = "sealed gold labels"

    def __str__(self) -> str:
        return f"{self.version} sealed"


class SealedCopy(models.Model):
    """Something sealed, once more to another key; its commitment says of what it is a copy."""

    commitment = models.CharField(max_length=64, validators=[SHA256_HEX])
    key_fingerprint = models.CharField(max_length=64)
    ciphertext = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "sealed copies"
        constraints = [
            models.UniqueConstraint(fields=["commitment", "key_fingerprint"], name="sealed_copy_once_per_key")
        ]

    def __str__(self) -> str:
        return f"{self.commitment[:12]} for {self.key_fingerprint}"


class OpenedGold(models.Model):
    """Gold labels that are public now: the salt of their commitment, and the canonical CSV that it covers."""

    gold_version = models.OneToOneField(GoldVersion, on_delete=models.PROTECT, related_name="opened")
    salt = models.CharField(max_length=64, help_text="32 bytes in hexadecimal.")
    packed = models.BinaryField()
    opened_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "opened gold labels"

    def __str__(self) -> str:
        return f"{self.gold_version} opened"

    def csv(self) -> bytes:
        """Columns `id` and `label`, an item per line."""
        return zlib.decompress(self.packed)


class OpeningOrder(models.Model):
    """An organiser's word that all gold labels of a benchmark become public. A worker with the key carries it out."""

    benchmark = models.OneToOneField(Benchmark, on_delete=models.PROTECT, related_name="opening_order")
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    given_at = models.DateTimeField()
    reason = models.CharField(max_length=500, help_text="Public.")
    done_at = models.DateTimeField(null=True, help_text="When all labels were public.")

    def __str__(self) -> str:
        return f"{self.benchmark_id}: open gold labels"
