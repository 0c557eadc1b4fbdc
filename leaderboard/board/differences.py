"""Differences of two systems with what tests say of them, and the sum of it in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from leaderboard.board import format as fmt
from leaderboard.board.model import Column
from scoring.core.uncertainty.paired import Difference, holm

LEVEL = 0.05
BOOTSTRAP, EXCHANGE, MCNEMAR, HOLM = "bootstrap", "exchange", "mcnemar", "holm"


@dataclass(frozen=True, slots=True)
class Judged:
    """A system's difference to the first in one column, and the p of its tests by their names.

    `is_task` is false of averages: they are made of the tasks and are no further tests of their own. `holm` among
    the tests is `p`, raised for the number of tasks.
    """

    difference: Difference
    tests: Mapping[str, float]
    is_task: bool
    higher_is_better: bool

    @property
    def p(self) -> float:
        """The larger p where two tests of the same score are there: on few items the bootstrap is too sure."""
        return max(self.difference.p, self.tests.get(EXCHANGE, 0.0))

    @property
    def is_sure(self) -> bool:
        """Whether chance in the items does not explain it, told from its raised p where it is one of several tasks."""
        return self.tests.get(HOLM, self.p) < LEVEL

    @property
    def is_ahead(self) -> bool:
        """Whether the system is better than the first, sure or not."""
        return self.difference.effect != 0 and (self.difference.effect > 0) == self.higher_is_better


Differences: TypeAlias = Mapping[str, Mapping[str, Judged]]
"""By the system's key, then the column's."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One system against the first: on how many tasks it is surely better or worse, and where it stands in all.

    `overall` is what becomes of the column that ranks the board: "better", "worse" or "open", and empty where nothing
    is known of it; `distance` and `interval` are its size and where that may lie, as text: an interval that goes below
    0 reaches to the other side.
    """

    first: str
    other: str
    task_count: int
    better_on: int
    worse_on: int
    overall: str
    column: str
    distance: str
    interval: str

    @property
    def open_on(self) -> int:
        """On how many tasks chance explains the difference."""
        return self.task_count - self.better_on - self.worse_on


def with_holm(found: Mapping[str, Judged]) -> dict[str, Judged]:
    """The differences with the p of every task raised for the number of tasks (Holm 1979)."""
    tasks = [key for key, judged in found.items() if judged.is_task]
    raised = dict(zip(tasks, holm([found[key].p for key in tasks]), strict=True))
    return {
        key: judged if (p := raised.get(key)) is None else _raised(judged, p) for key, judged in found.items()
    }


def _raised(judged: Judged, p: float) -> Judged:
    return Judged(judged.difference, {**judged.tests, HOLM: p}, judged.is_task, judged.higher_is_better)


def verdict(first: str, other: str, column: Column, judged: Mapping[str, Judged]) -> Verdict:
    """What these differences come to, for systems of these names."""
    tasks = [one for one in judged.values() if one.is_task]
    sure = [one for one in tasks if one.is_sure]
    ranked = judged.get(column.key)
    return Verdict(
        first=first,
        other=other,
        task_count=len(tasks),
        better_on=sum(one.is_ahead for one in sure),
        worse_on=sum(not one.is_ahead for one in sure),
        overall=_standing(ranked) if ranked else "",
        column=column.name,
        distance=fmt.score(abs(ranked.difference.effect)) if ranked else "",
        interval=_interval(ranked) if ranked else "",
    )


def _standing(judged: Judged) -> str:
    if not judged.is_sure:
        return "open"
    return "better" if judged.is_ahead else "worse"


def _interval(judged: Judged) -> str:
    """Both ends as seen from the system that the effect speaks for, so that they lie about the distance."""
    low, high = judged.difference.low, judged.difference.high
    return fmt.interval(low, high) if judged.difference.effect >= 0 else fmt.interval(-high, -low)
