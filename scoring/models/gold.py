"""Gold labels of splits: sealed, or opened by an organiser's order."""

import zlib

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.server.database_rights import Writer
from benchmarks.fields import SHA256_HEX
from benchmarks.models import Benchmark, Split, Task
from scoring.querysets import VersionQuerySet
from submissions.intake.tables.label_clues import ClueKind, in_words


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

    sole_writer = Writer.WORKER

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


class SealedDelivery(models.Model):
    """Gold labels that an organiser sealed on a machine of their own, until a worker has looked into the box.

    What may be known of them is checked when they are handed in; the labels are checked by a worker, who makes a
    version of them or refuses them with one of a fixed set of codes.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "waits for a worker to open it"
        TAKEN = "taken", "taken"
        REFUSED = "refused", "refused"

    class Fault(models.TextChoices):
        """The only words that may leave the worker about a box."""

        KEY_WRONG = "key_wrong", "No worker has the key that it is sealed to."
        GOLD_DAMAGED = "gold_damaged", "The box is damaged, or holds other labels than were committed to."
        OTHER_IDS = "other_ids", "The box holds other ids than the file says."
        OTHER_LABELS = "other_labels", "The box was sealed for other labels than the task has today."
        UNFIT_ANSWERS = "unfit_answers", "A label in the box is none that can be gold for the task."
        ONE_CLUSTER = (
            "one_cluster",
            "All items in the box are in one group, so that nothing can be resampled.",
        )
        CLUES = "clues", "Clues tell of the labels, and nobody has confirmed them."
        IDS_FIXED = "ids_fixed", "Predictions have been accepted meanwhile, so the ids are fixed."

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="sealed_deliveries")
    split_slug = models.CharField(max_length=64)
    sealed = models.BinaryField()
    commitment = models.CharField(max_length=64, validators=[SHA256_HEX])
    key_fingerprint = models.CharField(max_length=64)
    ids = models.JSONField(help_text="Public, in public order.")
    other_ids = models.JSONField(default=dict, help_text="By split, of rows that are not scored.")
    confirmed_clues = models.JSONField(default=list)
    show_class_counts = models.BooleanField(default=False)
    note = models.CharField(max_length=500, blank=True)
    handed_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    handed_in_at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    fault = models.CharField(max_length=16, choices=Fault, blank=True)
    found_clues = models.JSONField(default=list, help_text="Codes of clues that nobody has confirmed.")
    gold_version = models.OneToOneField(
        GoldVersion, null=True, on_delete=models.PROTECT, related_name="delivery"
    )

    class Meta:
        verbose_name_plural = "sealed deliveries"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "taken", "refused"]), name="delivery_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status="refused") ^ Q(fault=""), name="delivery_refused_has_a_fault"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.split_slug} sealed {self.pk}"

    @property
    def told(self) -> str:
        """What has become of it, in words."""
        status, fault = self.get_status_display(), self.get_fault_display() if self.fault else ""
        clues = ", ".join(in_words(ClueKind(code)) for code in self.found_clues)
        return ": ".join(part for part in (status, fault, clues) if part)


class OpenedGold(models.Model):
    """Gold labels that are public now: the salt of their commitment, and the canonical CSV that it covers."""

    sole_writer = Writer.WORKER

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
