"""I11: a release is made of the scores that its cells name."""

import datetime as dt
from collections.abc import Iterator
from itertools import pairwise

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from leaderboard.models import Release, ReleaseCell
from operations.violation import Invariant, Violation
from scoring.models import ScoringRun

DO = "Restore the row from a backup, and find out who wrote to the database."


class ReleaseCells(Invariant):
    """Whether each cell of each release has one score of its own submission and split, from a run that is done."""

    key = "I11"
    title = "each cell of a release is filled by one score of its own submission"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        own = Q(
            score__run__submission=F("submission"),
            score__run__split=F("split"),
            score__run__status=ScoringRun.Status.DONE,
            score__run__predictions__seed=F("seed"),
        )
        own &= Q(disclosed__isnull=True) | Q(disclosed__run=F("score__run"))
        others = ReleaseCell.objects.exclude(pk__in=ReleaseCell.objects.filter(own).values("pk"))
        yield from _said(
            others,
            "its score {score_id} is of another submission, split or seed, or of a run that is not done.",
        )
        ends = Release.objects.filter(phase=OuterRef("first__phase"), number=OuterRef("until"))
        ended_otherwise = ReleaseCell.objects.exclude(
            Q(until=None) | Exists(ends.filter(number__gt=OuterRef("first__number")))
        )
        yield from _said(
            ended_otherwise, "it is ended by release {until}, which is no later one of its phase."
        )
        twice = ReleaseCell.objects.filter(pk__in=_begun_before_the_end())
        yield from _said(twice, "a cell before it still holds, so that a release has two.")


def _said(cells: QuerySet[ReleaseCell], what: str) -> Iterator[Violation]:
    for cell in cells.select_related("first__benchmark", "system", "task").order_by("pk"):
        said = what.format(score_id=cell.score_id, until=cell.until)
        yield Violation(f"{cell.first}, {cell.task.slug}, {cell.system}", said, DO)


def _begun_before_the_end() -> list[int]:
    """Cells that begin before another of the same row, split, track and seed is ended."""
    place = ("first__phase", "system", "split", "track", "seed")
    rows = ReleaseCell.objects.order_by(*place, "first__number").values_list(
        *place, "until", "first__number", "pk"
    )
    return [
        key
        for (*before, until, _, _), (*after, _, begun, key) in pairwise(rows.iterator())
        if before == after and (until is None or begun < until)
    ]
