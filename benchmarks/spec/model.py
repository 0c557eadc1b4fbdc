"""The frozen description of a benchmark, as its YAML file states it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from json import dumps
from math import fsum

from benchmarks.spec.phases import DEV, PhaseKind, PhaseSpec
from benchmarks.spec.protocol import (
    ATTACK_MEASURES,
    AttackSpec,
    AveragePart,
    BoardSpec,
    BreakRuleSpec,
    FactListSpec,
    PublishedTable,
    ReproductionSpec,
    RoundSpec,
    Titled,
    TrackSpec,
    WrittenPageSpec,
    column_key,
)
from catalogue.answers import AnswerKind
from catalogue.layouts import FileFormat


class MissingTask(StrEnum):
    """What an average does about a task without a score."""

    UNRANKED = "unranked"
    ZERO = "zero"
    WORST = "worst"
    PARTIAL = "partial"


class RowKind(StrEnum):
    """What a row of the board is; only systems are ranked.

    `median` is the team in the middle of a ranking, shown without its name; the rows of `attack` are no systems but
    ways of perturbing texts, those of `breaker` teams that made items to break systems with.
    """

    SYSTEM = "system"
    BASELINE = "baseline"
    REPORTED = "reported"
    HUMAN = "human"
    MEDIAN = "median"
    ATTACK = "attack"
    BREAKER = "breaker"


class RegistrationMode(StrEnum):
    """Whether a team takes part at once, or once an organiser has approved it."""

    OPEN = "open"
    APPROVAL = "approval"
    CODE = "code"


class BundleRule(StrEnum):
    """Which files a zip must hold."""

    COMPLETE = "complete"
    ANY = "any"


class GoldState(StrEnum):
    """Whether the gold labels of a task are known to this server alone, or to the world already."""

    SEALED = "sealed"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class MetricUse:
    """A metric of the registry as one task uses it. One of a task's may stand `beside` its score, in parentheses."""

    name: str
    title: str
    beside: bool = False


@dataclass(frozen=True, slots=True)
class SplitSpec(Titled):
    """A fixed set of items of a task.

    `file` and `gold_file` say where its files stand if not where the task's do. With `ids_with`, the split shares
    the file of the task and holds those of its ids that contain this text. With `attack`, its texts are those of
    the test split as that attack perturbs them; its ids and gold labels are the test split's own. One that is `made`
    is not of the definition: it holds the pairs of a breaker, who may have `withdrawn` them.
    """

    file: str = ""
    gold_file: str = ""
    ids_with: str = ""
    attack: str = ""
    made: bool = False
    withdrawn: bool = False


TEST = "test"
TEST_SPLIT = SplitSpec(TEST, "Test")
LONGEST_TERMS = 20_000
"""Characters of the text of terms."""
PAIR_MEASURES = ("pairs_both", "pairs_broken", "pairs_none", "pairs_broken_share")
"""What is measured beside the metrics of a task whose items come in pairs."""
BREAKER_SCORE = "breaker_score"
"""What a team that made pairs is scored with."""


@dataclass(frozen=True)  # without slots, for what is asked for each cell of a board is kept
class TaskSpec(Titled):
    """One input/output contract with a file of its own.

    `gold_file` is `file` unless gold labels look different; `also_files` are other layouts that either may have
    instead, told apart by their headers; `test_size` is 0 where the definition states none. Every label has at least
    `rarest_label_share` of the test items, from 0 to 1; 0 where the definition says nothing of it.
    `pairs` is the text before whose last occurrence the ids of the two items of a minimal pair agree; empty where
    items do not come in pairs. `gold_state` is public where the gold labels were published elsewhere before.
    `flags` say what makes it hard, such as long inputs; `datasheet` has heads and texts on where its data come from.
    """

    code: str
    summary: str
    instructions: str
    licence: str
    citation: str
    test_size: int
    output: AnswerKind
    file: FileFormat
    metrics: tuple[MetricUse, ...]
    gold_file: FileFormat | None = None
    splits: tuple[SplitSpec, ...] = (TEST_SPLIT,)
    pairs: str = ""
    rarest_label_share: float = 0.0
    also_files: tuple[FileFormat, ...] = ()
    gold_state: GoldState = GoldState.SEALED
    flags: tuple[str, ...] = ()
    datasheet: tuple[tuple[str, str], ...] = ()

    @property
    def primary_metric(self) -> MetricUse:
        """The first metric listed; it fills the task's column."""
        return self.metrics[0]

    @property
    def beside_metric(self) -> MetricUse | None:
        """The data set's own metric, where it is not the primary one."""
        return next((metric for metric in self.metrics if metric.beside), None)

    @property
    def gold_splits(self) -> tuple[SplitSpec, ...]:
        return tuple(split for split in self.splits if not split.attack and not split.ids_with)

    @cached_property
    def test_splits(self) -> tuple[str, ...]:
        """The splits whose mean is the task's score: `test`, or without one every set but the development data.

        What a breaker has withdrawn is none of them.
        """
        sets = self._sets
        return (TEST_SPLIT.id,) if TEST_SPLIT.id in sets or not sets else sets

    @property
    def awaits_sets(self) -> bool:
        """True where breakers' pairs are what is scored, and there are none yet, or none that still count."""
        return bool(self.pairs) and not self._sets

    @property
    def _sets(self) -> tuple[str, ...]:
        return tuple(split.id for split in self.gold_splits if split.id != DEV and not split.withdrawn)

    @property
    def gold(self) -> FileFormat:
        return self.gold_file or self.file

    def split(self, split_id: str) -> SplitSpec:
        """The split of that id; a plain one where the definition names none."""
        named = (split for split in self.splits if split.id == split_id)
        return next(named, SplitSpec(split_id, split_id))

    def path_of(self, split_id: str) -> str:
        """Where the predictions for a split stand in a zip: for an attack's, in a folder of its own."""
        split = self.split(split_id)
        return split.file or (f"{split.id}/{self.file.path}" if split.attack else self.file.path)

    def split_of(self, item: str) -> SplitSpec | None:
        """The split that claims an id by its text; None for the splits that have a file of their own."""
        return next((split for split in self.splits if split.ids_with and split.ids_with in item), None)

    def attack_split(self, attack: str) -> SplitSpec | None:
        """The split that an attack makes of the test split; None where the task is not attacked so."""
        return next((split for split in self.splits if split.attack == attack), None)

    def fingerprint(self) -> str:
        """SHA-256 over everything that can change a number; titles and texts are left out."""
        # An attack set, or a breaker's, is one more set of items, not another task.
        own_splits = tuple(split for split in self.splits if not split.attack and not split.made)
        places = [[split.id, split.file, split.gold_file, split.ids_with] for split in own_splits]
        further = {
            "gold_file": self.gold_file.numbers() if self.gold_file else None,
            "also_files": [file.numbers() for file in self.also_files] or None,
            "pairs": [self.pairs, *PAIR_MEASURES] if self.pairs else None,
            "formulas": [list(each) for each in self.output.formulas] or None,
            "splits": places if own_splits != (TEST_SPLIT,) else None,
        }
        numbers = {
            "file": self.file.numbers(),
            "metrics": [metric.name for metric in self.metrics],
            "test_size": self.test_size,
            **self.output.numbers(),
            **{key: value for key, value in further.items() if value is not None},
        }
        return sha256(dumps(numbers, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AverageSpec(Titled):
    """A named mean over tasks or over other averages; `parts` say more of them than their ids, if they are there.

    One `of_ranks` is the mean of the ranks that a system has on the tasks, by their first metrics or those of `parts`.
    """

    of: tuple[str, ...]
    missing: MissingTask
    parts: tuple[AveragePart, ...] = ()
    of_ranks: bool = False

    def each(self, metric: str = "") -> tuple[AveragePart, ...]:
        """Its parts that have weight; of another metric that all tasks have, with the same weights and as it is."""
        parts = self.parts or tuple(map(AveragePart, self.of))
        if metric:
            weights = {name: fsum(part.weight for part in parts if part.id == name) for name in self.of}
            parts = tuple(AveragePart(name, weight=weight) for name, weight in weights.items())
        return tuple(part for part in parts if part.weight)


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """A published row that was not scored here. Values are keyed as columns are, see `protocol.column_key`.

    `ranks` are those that its source printed, by the columns that gave them; they count from 1. `date` is the day it
    is of, as YYYY-MM-DD; empty where nobody said. A row that was `moved_in` from another leaderboard names its team,
    and can be claimed by it (`submissions.claims`); no two of these have the same `name`.
    """

    system: str
    kind: RowKind
    source: str
    values: Mapping[str, float]
    ranks: Mapping[str, int] = field(default_factory=dict)
    date: str = ""
    team: str = ""
    paper_url: str = ""
    code_url: str = ""
    moved_in: bool = False

    @property
    def name(self) -> tuple[str, str, str]:
        """What tells it apart from others of its table: system, team and date."""
        return self.system, self.team, self.date

    def source_on(self, column: str) -> str:
        """The source with its date, and the rank that it printed for this column."""
        source = f"{self.source}, {self.date}" if self.date else self.source
        return f"{source}; rank {self.ranks[column]} there" if column in self.ranks else source


def reported_columns(
    tasks: Sequence[TaskSpec], averages: Sequence[AverageSpec], *, has_attacks: bool
) -> list[str]:
    """All keys that values of published rows may have."""
    metrics = {metric.name for task in tasks for metric in task.metrics[1:]}
    splits = {split.id for task in tasks for split in task.splits}
    columns = [
        column_key(name, metric, split)
        for name in (*(task.id for task in tasks), *(average.id for average in averages))
        for metric in ("", *sorted(metrics))
        for split in ("", *sorted(splits))
    ]
    columns += ATTACK_MEASURES if has_attacks else ()
    measures = (*PAIR_MEASURES, BREAKER_SCORE)
    return columns + [column_key(task.id, measure) for task in tasks if task.pairs for measure in measures]


@dataclass(frozen=True, slots=True)
class BenchmarkSpec(Titled):
    """A family of tasks with its averages, published rows and phases.

    `seeds` is with how many seeds a system is to be trained; the first of `tracks` is the main one. `baselines` are
    the systems that `make_baselines` can train for it. With `median_team`, the team in the middle
    of a ranking has a row. `anonymous`: systems bear no names at first, until the organiser lifts that. `terms`
    are what a person accepts before the first submission, `pages` what it is told at first. `registration` is how
    teams come to take part, at first, and from and until when new ones do.
    `reproductions` say which published figures come out here, `tables` are published ones by themselves,
    `notes` what stands below a board, by its id.
    """

    summary: str
    url: str
    citation: str
    bundle: BundleRule
    bundle_root: str
    also_allowed: tuple[str, ...]
    tasks: tuple[TaskSpec, ...]
    averages: tuple[AverageSpec, ...]
    reported: tuple[ReportedRow, ...]
    phases: tuple[PhaseSpec, ...]
    seeds: int = 1
    tracks: tuple[TrackSpec, ...] = ()
    attacks: tuple[AttackSpec, ...] = ()
    fact_lists: tuple[FactListSpec, ...] = ()
    boards: tuple[BoardSpec, ...] = ()
    baselines: tuple[str, ...] = ("majority", "random")
    median_team: bool = False
    rounds: tuple[RoundSpec, ...] = ()
    break_rule: BreakRuleSpec | None = None
    reproductions: tuple[ReproductionSpec, ...] = ()
    tables: tuple[PublishedTable, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    anonymous: bool = False
    terms: str = ""
    pages: tuple[WrittenPageSpec, ...] = ()
    registration: RegistrationMode = RegistrationMode.OPEN
    registration_opens_at: dt.datetime | None = None
    registration_closes_at: dt.datetime | None = None
    _tasks_by_id: dict[str, TaskSpec] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tasks_by_id", {task.id: task for task in self.tasks})

    def task(self, task_id: str) -> TaskSpec:
        """The task of that id; KeyError where there is none."""
        return self._tasks_by_id[task_id]

    def with_splits(self, made: Mapping[str, Sequence[SplitSpec]]) -> BenchmarkSpec:
        """The same benchmark with further splits, by task, that came about after the definition was written."""
        tasks = tuple(
            replace(task, splits=(*task.splits, *made[task.id])) if task.id in made else task
            for task in self.tasks
        )
        return replace(self, tasks=tasks)

    def with_reported(self, loaded: Sequence[ReportedRow]) -> BenchmarkSpec:
        """The same benchmark with published rows that were loaded beside the definition.

        A value that the definition has of that system already does not stand there twice.
        """
        known = {(row.system, *item) for row in self.reported for item in row.values.items()}
        news = (
            (row, {key: value for key, value in row.values.items() if (row.system, key, value) not in known})
            for row in loaded
        )
        rows = tuple(replace(row, values=values) for row, values in news if values)
        return replace(self, reported=(*self.reported, *rows))

    @property
    def moved_in(self) -> tuple[ReportedRow, ...]:
        """The rows that were taken over from another leaderboard."""
        return tuple(row for row in self.reported if row.moved_in)

    @property
    def reported_columns(self) -> list[str]:
        return reported_columns(self.tasks, self.averages, has_attacks=bool(self.attacks))

    def about(self, phase: PhaseSpec) -> BenchmarkSpec:
        """What a phase is about: its tasks, and of averages and boards those that these tasks suffice for."""
        if not phase.targets:
            return self
        tasks = {target.task for target in phase.targets}
        known, averages = set(tasks), list(self.averages)
        while made := [average for average in averages if known.issuperset(average.of)]:
            known |= {average.id for average in made}
            averages = [average for average in averages if average.id not in known]
        return replace(
            self,
            tasks=tuple(task for task in self.tasks if task.id in tasks),
            averages=tuple(average for average in self.averages if average.id in known),
            boards=tuple(board for board in self.boards if known.issuperset(board.parts)),
        )

    @property
    def has_break_phase(self) -> bool:
        return any(phase.kind is PhaseKind.BREAK for phase in self.phases)

    @property
    def main_track(self) -> str:
        """The id of the main track; empty where there are no tracks."""
        return self.tracks[0].id if self.tracks else ""
