"""Releases: what they froze, the scores in their cells, and where systems stood."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q

from benchmarks.fields import OrderedJSONField, PackedJSONField
from benchmarks.models import Benchmark, Phase, Split, Task
from benchmarks.spec import OVERALL
from leaderboard.board.model.serialization import ranking_of
from leaderboard.querysets import FOR_LATER, ReleaseCellQuerySet, ReleaseManager
from scoring.models import Batch, Disclosed, Score
from submissions.models import Submission, System


class Release(models.Model):
    """A frozen, numbered leaderboard. A trigger refuses every change."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="releases")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="releases")
    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="release")
    number = models.PositiveIntegerField()
    published_at = models.DateTimeField()
    overall = PackedJSONField(help_text="The overall board.")
    others = PackedJSONField(help_text="Every other board under its id.")
    ranking = PackedJSONField(
        help_text="Of the overall board, the column that ranks it: later releases read no more."
    )
    reports_for_later = OrderedJSONField(
        default=dict,
        blank=True,
        db_column="reports",
        help_text="The reports that later releases read; of a release from before the others were packed, all.",
    )
    packed_reports = PackedJSONField(
        null=True, help_text="What is frozen beside the boards: fact sheets, equity, attacks."
    )

    objects = ReleaseManager()

    class Meta:
        ordering = ["benchmark", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} release {self.number}"

    @property
    def boards(self) -> dict[str, Any]:
        """The overall board under `overall`, every other under its id."""
        return {OVERALL: self.overall, **self.others}

    @boards.setter
    def boards(self, boards: Mapping[str, Any]) -> None:
        self.overall = boards[OVERALL]
        self.others = {key: board for key, board in boards.items() if key != OVERALL}
        self.ranking = ranking_of(self.overall)

    @property
    def reports(self) -> dict[str, Any]:
        """What is frozen beside the boards, each report under its key."""
        found: dict[str, Any] = self.reports_for_later if self.packed_reports is None else self.packed_reports
        return found

    @reports.setter
    def reports(self, reports: Mapping[str, Any]) -> None:
        self.packed_reports = dict(reports)
        self.reports_for_later = {key: reports[key] for key in FOR_LATER if key in reports}


class ArchivedRelease(models.Model):
    """Which count of `Benchmark.archive_wanted` the permanent pages of a release show."""

    release = models.OneToOneField(
        Release, primary_key=True, on_delete=models.CASCADE, related_name="archived"
    )
    wanted = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"{self.release}: pages as of {self.wanted}"


class ReleaseCell(models.Model):
    """Which score, of one seed, fills a system's cell for a split, in the releases of a phase from the first on.

    Stored once and ended once, see `leaderboard.release_cells`; `ReleaseCell.objects.of` knows those of a release.
    """

    first = models.ForeignKey(
        Release,
        on_delete=models.PROTECT,
        related_name="begun_cells",
        db_column="release_id",
        db_index=False,
        help_text="The first release that has it.",
    )
    until = models.PositiveIntegerField(
        null=True,
        help_text="Number of the phase's first release that has it no more; empty while the newest has it.",
    )
    place = models.BigIntegerField(
        db_default=0, help_text="The cells of a release stand by it in their order; no two share one."
    )
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="release_cells", db_index=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="release_cells")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="release_cells", db_index=False)
    track = models.CharField(max_length=64, blank=True)
    seed = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="release_cells")
    score = models.ForeignKey(Score, on_delete=models.PROTECT, related_name="release_cells")
    disclosed = models.ForeignKey(
        Disclosed,
        null=True,
        on_delete=models.PROTECT,
        related_name="release_cells",
        db_index=False,
        help_text="What was shown in place of the exact score.",
    )

    objects = ReleaseCellQuerySet.as_manager()

    # Where they are asked for, see `ReleaseCellQuerySet`.
    phase: int
    begun: int
    last: int

    class Meta:
        indexes = [models.Index(fields=["first", "until"], name="cells_of_release")]
        constraints = [
            models.UniqueConstraint(
                fields=["first", "system", "split", "track", "seed"], name="cell_once_per_release"
            ),
            # Code of before does not know of places, and would begin cells that are held already.
            models.CheckConstraint(condition=Q(place__gte=1), name="cell_has_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.first}: {self.system} {self.task}"

    @property
    def value(self) -> float | None:
        """The number that the release shows; None where it is undefined."""
        return self.score.value if self.disclosed is None else self.disclosed.shown

    @property
    def undefined(self) -> str:
        """Why there is no number."""
        return self.score.undefined if self.disclosed is None else self.disclosed.undefined


class ReleaseHead(models.Model):
    """What later releases and pages of systems tell of a release without reading its boards."""

    release = models.OneToOneField(Release, primary_key=True, on_delete=models.PROTECT, related_name="head")
    board = PackedJSONField(help_text="The overall board without rows.")
    ranked_on = PackedJSONField(
        null=True, help_text="The report of that name; empty: from before there was one."
    )
    ranked = models.PositiveIntegerField(help_text="How many systems have a rank.")
    leading = PackedJSONField(
        null=True, help_text="The leading rows of that board, and counts; empty: kept by code of before."
    )

    def __str__(self) -> str:
        return f"{self.release}: {self.ranked} ranked"


class ReleasePlace(models.Model):
    """What the overall board of one release says of a system, as `board.tables.system_lines.PlaceInRelease`."""

    pk = models.CompositePrimaryKey("system", "release")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="places", db_index=False)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="places", db_index=False)
    score = models.FloatField(null=True)
    rank = models.PositiveIntegerField(null=True)
    rank_low = models.PositiveIntegerField(null=True)
    rank_high = models.PositiveIntegerField(null=True)
    instead = models.TextField(blank=True, help_text="What stands in place of a rank.")

    def __str__(self) -> str:
        return f"{self.release}: {self.system}"
