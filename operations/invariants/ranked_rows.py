"""I7: no score is no number, and nobody without a score has a rank."""

import datetime as dt
import math
from collections.abc import Iterator

from django.db.models import Q

from leaderboard.board.model.serialization import from_dict
from operations.releases import looked_at
from operations.violation import Invariant, Violation
from scoring.models import Score

DO = "Restore the row from a backup, and find out who wrote to the database."


class RankedRows(Invariant):
    """Whether every score is finite or has a reason, and every rank of a release a value that it rests on."""

    key = "I7"
    title = "each score is a finite number or has a reason, and each rank has a value"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        is_finite = Q(value__gt=-1e308, value__lt=1e308, undefined="")
        has_reason = Q(value__isnull=True) & ~Q(undefined="")
        for score in Score.objects.exclude(is_finite | has_reason).order_by("pk"):
            yield Violation(
                f"score {score.pk} of run {score.run_id}",
                f"its {score.metric} is {score.value}, with the reason “{score.undefined}”.",
                DO,
            )
        for release in looked_at(thoroughly=thoroughly):
            for key, frozen in release.boards.items():
                board = from_dict(frozen)
                for row in board.ranked:
                    value = row.value(board.rank_by)
                    if value is None or not math.isfinite(value):
                        yield Violation(
                            f"{release}, board {key}",
                            f"{row.system} has rank {row.rank} and no value of {board.rank_by}.",
                            DO,
                        )
