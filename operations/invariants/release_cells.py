"""I11: a release is made of the scores that its cells name."""

import datetime as dt
from collections.abc import Iterator

from django.db.models import F, Q

from leaderboard.models import ReleaseCell
from operations.violation import Invariant, Violation
from scoring.models import ScoringRun


class ReleaseCells(Invariant):
    """Whether each cell of each release has a score of its own submission and split, from a run that is done."""

    key = "I11"
    title = "each cell of a release is filled by a score of its own submission"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        own = Q(
            score__run__submission=F("submission"),
            score__run__split=F("split"),
            score__run__status=ScoringRun.Status.DONE,
            score__run__predictions__seed=F("seed"),
        )
        own &= Q(disclosed__isnull=True) | Q(disclosed__run=F("score__run"))
        others = ReleaseCell.objects.exclude(pk__in=ReleaseCell.objects.filter(own).values("pk"))
        for cell in others.select_related("release", "system", "task").order_by("pk"):
            yield Violation(
                f"{cell.release}, {cell.task.slug}, {cell.system}",
                f"its score {cell.score_id} is of another submission, split or seed, or of a run that is not done.",
                "Restore the row from a backup, and find out who wrote to the database.",
            )
