"""Phases as definitions state them: what is handed in, when, how much of it, and which of it counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from benchmarks.spec.protocol import Titled
from catalogue.disclosure import Exact, Rule

if TYPE_CHECKING:
    from benchmarks.spec.model import BenchmarkSpec, TaskSpec

DEV = "dev"
"""The id of the split of development data, which no score of a task is about."""


class Counting(StrEnum):
    """Which of a system's submissions fills a cell of the board."""

    LATEST = "latest"
    BEST = "best"
    CHOSEN = "chosen"


class PhaseKind(StrEnum):
    """What is handed in during a phase.

    `predictions` are for every split, or for the targets of the phase. Where teams break each other's systems there are
    three instead: in `build` predictions for the development data, in `break` minimal pairs, in `score` predictions for
    everybody's pairs.
    """

    PREDICTIONS = "predictions"
    BUILD = "build"
    BREAK = "break"
    SCORE = "score"


class Period(StrEnum):
    """How long a limit of submissions holds; days and weeks are those of the phase's zone, weeks begin on Monday."""

    CUT_OFF = "per_cut_off"
    DAY = "per_day"
    WEEK = "per_week"
    TOTAL = "total"


class Feedback(StrEnum):
    """When a team is told the scores of its submissions before a release: as soon as they are scored, at the midnight
    that follows in the phase's zone, when the batch of their cut-off is scored, or not at all."""

    NONE = "none"
    IMMEDIATE = "immediate"
    DAILY = "daily"
    AT_CUT_OFF = "at-cut-off"


PERIOD_WORDS = {
    Period.CUT_OFF: "per cut-off",
    Period.DAY: "a day",
    Period.WEEK: "a week",
    Period.TOTAL: "in all",
}


@dataclass(frozen=True, slots=True)
class Limit:
    """How many submissions one team, and whoever is linked to it, may have accepted in a period; at least one."""

    period: Period
    most: int

    def __str__(self) -> str:
        return f"{self.most} {PERIOD_WORDS[self.period]}"


Place = tuple[str, str]  # the ids of a task and of one of its splits


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """A split of a task that a phase takes predictions for. `limits` hold for it alone, beside those of the phase."""

    task: str
    split: str
    limits: tuple[Limit, ...] = ()

    @property
    def place(self) -> Place:
        return self.task, self.split


@dataclass(frozen=True, slots=True)
class GivenSpec:
    """Files that everybody may load from an instant on; at once where it is None."""

    files: tuple[str, ...]
    from_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class PhaseSpec(Titled):
    """A window in which submissions are taken, with its cut-offs in a time zone of its own. `weekday` is 0 for Monday.

    Without a weekday there is one cut-off, when the phase closes. `limits` hold for all submissions of a team to the
    phase together. With `one_per_team` a team has one row, whichever of its systems a submission was for. `targets`
    are what the phase is about; empty for everything. It is open from `opens_at` on and before `closes_at`, where
    these are stated; else it `lasts_days` (0: without end) from when it opens: with the first sync, or when the phase
    `opens_after` closes. `feedback` is for the team alone. Releases are not published before `not_before`. A phase
    with `editions_per_year` runs in editions, each a phase that follows the one before it (`benchmarks.editions`); 0
    without. `disclosure` is the rule of how much it shows while it runs. `given` are files for those who take part.
    """

    timezone: str
    weekday: int | None
    time: dt.time
    limits: tuple[Limit, ...]
    counting: Counting
    publish_automatically: bool
    one_per_team: bool = False
    lasts_days: int = 0
    opens_after: str = ""
    editions_per_year: int = 0
    kind: PhaseKind = PhaseKind.PREDICTIONS
    disclosure: type[Rule] = Exact
    targets: tuple[TargetSpec, ...] = ()
    opens_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    not_before: dt.datetime | None = None
    feedback: Feedback = Feedback.NONE
    given: tuple[GivenSpec, ...] = ()

    @property
    def ends(self) -> bool:
        """Whether it closes some day, or each of its editions does."""
        return bool(self.lasts_days or self.editions_per_year or self.closes_at)

    def takes(self, task: TaskSpec, split: str) -> bool:
        """Whether predictions for a split of the task are taken here.

        Development data are answered while systems are built, everything else when they are scored; what a breaker has
        withdrawn is still taken, so that no file that was right becomes wrong.
        """
        if self.kind is PhaseKind.BUILD:
            return bool(task.pairs) and split == DEV
        if self.kind is PhaseKind.SCORE:
            return split != DEV
        is_target = not self.targets or (task.id, split) in {target.place for target in self.targets}
        return self.kind is PhaseKind.PREDICTIONS and is_target

    def taken(self, spec: BenchmarkSpec) -> frozenset[Place]:
        """All that is taken here, of splits that are defined or made."""
        return frozenset(
            (task.id, split.id) for task in spec.tasks for split in task.splits if self.takes(task, split.id)
        )


def quota_in_words(phase: PhaseSpec) -> str:
    """How many submissions one team may have accepted, such as “3 in all, 1 a day”; for targets apart by name."""

    def said(limits: Iterable[Limit]) -> str:
        # With one cut-off, when the phase closes, "per cut-off" is the whole phase.
        is_once = phase.weekday is None
        whole = (
            replace(one, period=Period.TOTAL) if is_once and one.period is Period.CUT_OFF else one
            for one in limits
        )
        return ", ".join(map(str, whole))

    parts = [said(phase.limits)] if phase.limits else []
    apart: dict[tuple[Limit, ...], list[str]] = {}
    for target in phase.targets:
        if target.limits:
            apart.setdefault(target.limits, []).append(f"{target.task}/{target.split}")
    for limits, names in apart.items():
        each = "each of " if len(names) > 1 else ""
        parts.append(f"{said(limits)} for {each}{', '.join(names)}")
    return "; ".join(parts)


HANDED_IN = {
    PhaseKind.PREDICTIONS: "predictions",
    PhaseKind.BUILD: "predictions for the development data",
    PhaseKind.BREAK: "minimal pairs",
    PhaseKind.SCORE: "predictions for the pairs of all breakers",
}
"""What a phase takes, in words."""


def handed_in(kind: PhaseKind, targets: Collection[Place]) -> str:
    """What a phase takes, in words that name its `targets`, if it has any."""
    if not targets:
        return HANDED_IN[kind]
    splits: dict[str, list[str]] = {}
    for task, split in sorted(targets):
        splits.setdefault(split, []).append(task)
    return "predictions for " + " and ".join(
        f"the split {split} of {', '.join(tasks)}" for split, tasks in splits.items()
    )


@dataclass(frozen=True, slots=True)
class Taking:
    """What a phase, called by its title, takes: the `places`, and these in words."""

    title: str
    places: frozenset[Place]
    words: str


def taken_elsewhere(own: Taking, others: Iterable[Taking]) -> dict[Place, str]:
    """By task and split that a phase does not take, a sentence that names the first phase that does."""
    found: dict[Place, str] = {}
    for other in others:
        for task, split in sorted(other.places - own.places - found.keys()):
            found[task, split] = (
                f"Predictions for the split {split} of {task} belong to the phase {other.title}; "
                f"this one takes {own.words}."
            )
    return found


def scored_twice(spec: BenchmarkSpec, phases: Sequence[PhaseSpec]) -> list[str]:
    """A sentence for each split that several phases score: what is learnt in the first helps in the others."""
    sentences = []
    takers: dict[Place, list[str]] = {}
    for phase in phases:
        if phase.targets:
            for place in sorted(phase.taken(spec)):
                takers.setdefault(place, []).append(phase.id)
    for titles, places in _by_takers(takers).items():
        named = ", ".join(f"{task}/{split}" for task, split in places)
        sentences.append(
            f"{' and '.join(titles)} score the same items, {named}: what the first of them shows helps in the others"
        )
    return sentences


def _by_takers(takers: dict[Place, list[str]]) -> dict[tuple[str, ...], list[Place]]:
    shared: dict[tuple[str, ...], list[Place]] = {}
    for place, phases in takers.items():
        if len(phases) > 1:
            shared.setdefault(tuple(phases), []).append(place)
    return shared
