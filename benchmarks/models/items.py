"""Splits of a task: the ids of their items, the texts of these, and what was renewed."""

from __future__ import annotations

import csv
import io
import zlib
from copy import copy

from django.db import models
from django.db.models import Q
from django.urls import reverse

from benchmarks.models.benchmark import Task
from benchmarks.querysets import TextsQuerySet


class Split(models.Model):
    """A fixed set of public item ids of one task, in public order (`benchmarks.spec.item_order`)."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="splits")
    slug = models.SlugField(max_length=64, default="test")
    item_count = models.PositiveIntegerField()
    ids_sha256 = models.CharField(max_length=64)
    gold_opened_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="Since when its gold labels are public: it is answered no longer.",
    )

    class Meta:
        ordering = ["task", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["task", "slug"], name="split_once_per_task"),
            models.CheckConstraint(condition=Q(item_count__gte=1), name="split_has_items"),
        ]

    def __str__(self) -> str:
        return f"{self.task}/{self.slug}"

    def ids_text(self) -> bytes:
        """The ids in split order, UTF-8, one per line."""
        return zlib.decompress(self.ids.packed)

    def as_of(self, gold_number: int) -> Split:
        """The split as it was under a version of its gold labels: with the items of then. Not to be stored."""
        renewal = self.renewals.filter(gold_number__gt=gold_number).order_by("gold_number").first()
        if renewal is None:
            return self
        then = copy(self)
        then.ids_sha256, then.item_count = renewal.former_sha256, renewal.former_count
        return then


class SplitIds(models.Model):
    """The public item ids of a split: UTF-8, one per line, in split order, compressed."""

    split = models.OneToOneField(Split, primary_key=True, on_delete=models.CASCADE, related_name="ids")
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "split ids"

    def __str__(self) -> str:
        return f"{self.split_id}: {self.split.item_count} ids"


class ItemRenewal(models.Model):
    """That a split took new items between two phases. Its former ids are kept, so that old releases can be made again.

    Anchors stand in the former set and in the new one. What was told of them before is public, so all of them are on
    the displayed side from then on.
    """

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="renewals")
    renewed_at = models.DateTimeField()
    gold_number = models.PositiveIntegerField(help_text="The first version of gold labels of the new items.")
    former_sha256 = models.CharField(max_length=64)
    former_count = models.PositiveIntegerField()
    former_packed = models.BinaryField(
        help_text="The former ids: UTF-8, one per line, in their order, compressed."
    )
    anchors_packed = models.BinaryField(help_text="The ids of the anchors, as above.")
    anchor_count = models.PositiveIntegerField()
    retired_count = models.PositiveIntegerField()
    new_count = models.PositiveIntegerField()

    class Meta:
        ordering = ["split", "gold_number"]
        constraints = [
            models.UniqueConstraint(fields=["split", "gold_number"], name="items_renewed_once_per_gold")
        ]

    def __str__(self) -> str:
        return f"{self.split} renewed with gold {self.gold_number}"

    def former_ids(self) -> bytes:
        """As `Split.ids_text`."""
        return zlib.decompress(self.former_packed)

    def anchors(self) -> set[str]:
        text = zlib.decompress(self.anchors_packed).decode()
        return set(text.split("\n")) if text else set()


class Texts(models.Model):
    """The public inputs of a split: CSV with the column `id` and one or more columns of text, in split order."""

    split = models.OneToOneField(Split, on_delete=models.PROTECT, related_name="texts")
    header = models.JSONField(help_text="The columns, `id` first.")
    packed = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    item_count = models.PositiveIntegerField()
    seed = models.PositiveIntegerField(null=True, help_text="Of the generator, where an attack made them.")
    made_at = models.DateTimeField()

    objects = TextsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "texts"

    def __str__(self) -> str:
        return f"{self.split} texts"

    def csv(self) -> bytes:
        return zlib.decompress(self.packed)

    def by_item(self) -> dict[str, list[tuple[str, str]]]:
        """Of each item its texts, each behind the name of its column."""
        (_, *columns), *rows = csv.reader(io.StringIO(self.csv().decode(), newline=""))
        return {item: list(zip(columns, cells, strict=True)) for item, *cells in rows}

    def get_absolute_url(self) -> str:
        task = self.split.task
        return reverse("benchmarks:texts", args=[task.benchmark_id, task.slug, self.split.slug])
