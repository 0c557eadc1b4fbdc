"""Differences of two systems beside what the board has decided about them, and the sum of it in a few numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Column
from leaderboard.board.model.decisions import Verdict
from scoring.core.uncertainty.paired import Difference

BOOTSTRAP, EXCHANGE, MCNEMAR = "bootstrap", "exchange", "mcnemar"


@dataclass(frozen=True, slots=True)
class JudgedDifference:
    """A system's difference to the first in one column, and the unadjusted p of its tests by their names.

    `is_sure` is the decision of the board that this column ranks (`leaderboard.board.model.decisions`), made for all
    its systems at once: None where that board has decided nothing about these two, or no board is ranked by the
    column. No p decides anything. `is_task` is false of averages.
    """

    difference: Difference
    tests: Mapping[str, float]
    is_task: bool
    higher_is_better: bool
    is_sure: bool | None

    @property
    def standing(self) -> str:
        """What the board says of the system against the first: "ahead", "behind", "open", or "undecided"."""
        if self.is_sure is None:
            return "undecided"
        if not self.is_sure:
            return "open"
        return "ahead" if (self.difference.effect > 0) == self.higher_is_better else "behind"


Differences: TypeAlias = Mapping[str, Mapping[str, JudgedDifference]]
"""By the system's key, then the column's."""


@dataclass(frozen=True, slots=True)
class DifferenceSummary:
    """One system against the first: on how many tasks it is surely ahead or behind, and where it stands in all.

    In the column that ranks the board `leader` has the better number; it is empty where the numbers are equal. `said`
    is what the board says of the leader, as text; empty where it has decided nothing. `distance`, `interval` and `p`
    are its size, where that may lie, and the unadjusted p, as text: an interval that goes below 0 reaches to the other
    side.
    """

    first: str
    other: str
    task_count: int
    ahead_on: int
    behind_on: int
    open_on: int
    said: str
    column: str
    distance: str
    interval: str
    p: str
    leader: str = ""

    @property
    def undecided_on(self) -> int:
        return self.task_count - self.ahead_on - self.behind_on - self.open_on


def verdict(
    first: str, other: str, column: Column | None, judged: Mapping[str, JudgedDifference]
) -> DifferenceSummary:
    """What the decisions about these differences come to, for systems of these names; `column` ranks all."""
    standings = [difference.standing for difference in judged.values() if difference.is_task]
    ranked = judged.get(column.key) if column else None
    effect = ranked.difference.effect if ranked else 0.0
    order = (
        (other, first) if (effect > 0) == (ranked is not None and ranked.higher_is_better) else (first, other)
    )
    leader, trailer = order if effect else ("", "")
    said = Verdict.of(ranked.is_sure) if ranked else None
    return DifferenceSummary(
        first=first,
        other=other,
        task_count=len(standings),
        ahead_on=standings.count("ahead"),
        behind_on=standings.count("behind"),
        open_on=standings.count("open"),
        said=said.against(trailer) if said else "",
        column=column.name if column else "",
        distance=fmt.score(abs(ranked.difference.effect)) if ranked else "",
        interval=_interval(ranked) if ranked else "",
        p=fmt.p_value(ranked.tests[BOOTSTRAP]) if ranked else "",
        leader=leader,
    )


def _interval(judged: JudgedDifference) -> str:
    """Both ends as seen from the system that the effect speaks for, so that they lie about the distance."""
    low, high = judged.difference.low, judged.difference.high
    return fmt.interval(low, high) if judged.difference.effect >= 0 else fmt.interval(-high, -low)
