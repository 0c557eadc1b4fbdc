"""Releases and the pages rendered from them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from benchmarks.fields import OrderedJSONField
from benchmarks.models import Benchmark, Phase, Split, Task
from leaderboard.querysets import ReleaseQuerySet
from scoring.models import Batch, Score
from submissions.models import Submission, System


class Release(models.Model):
    """A frozen, numbered leaderboard. A trigger refuses every change."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="releases")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="releases")
    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="release")
    number = models.PositiveIntegerField()
    published_at = models.DateTimeField()
    boards = OrderedJSONField(help_text="The overall board under `overall`, every other under its id.")
    reports = OrderedJSONField(
        default=dict, blank=True, help_text="What is frozen beside the boards: fact sheets, equity, attacks."
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} release {self.number}"


class ReleaseCell(models.Model):
    """Which score, of one seed, fills a system's cell for a split in one release."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="cells")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="release_cells")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="release_cells")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="release_cells")
    track = models.CharField(max_length=64, blank=True)
    seed = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="release_cells")
    score = models.ForeignKey(Score, on_delete=models.PROTECT, related_name="release_cells")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "system", "split", "track", "seed"], name="cell_once_per_release"
            )
        ]

    def __str__(self) -> str:
        return f"{self.release}: {self.system} {self.task}"


class Page(models.Model):
    """One published page or file, ready to be sent. Derived from releases; can be rendered anew at any time."""

    path = models.CharField(max_length=255, primary_key=True)
    benchmark = models.ForeignKey(Benchmark, null=True, on_delete=models.CASCADE, related_name="pages")
    content_type = models.CharField(max_length=64)
    body = models.BinaryField()
    body_gzip = models.BinaryField()
    etag = models.CharField(max_length=64)
    edition = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return self.path


class Edition(models.Model):
    """One row that counts publications; web servers look at it to know when to forget what they hold."""

    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="edition_is_one_row")]

    def __str__(self) -> str:
        return str(self.number)
