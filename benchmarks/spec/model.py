"""The frozen description of a benchmark, as its YAML file states it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from json import dumps


class MissingTask(StrEnum):
    """What an average does about a task without a score."""

    UNRANKED = "unranked"
    ZERO = "zero"
    PARTIAL = "partial"


class Counting(StrEnum):
    """Which of a system's submissions fills a cell of the board."""

    LATEST = "latest"
    BEST = "best"
    CHOSEN = "chosen"


class RowKind(StrEnum):
    """What a row of the board is; only systems are ranked."""

    SYSTEM = "system"
    BASELINE = "baseline"
    REPORTED = "reported"
    HUMAN = "human"


class BundleRule(StrEnum):
    """Which files a zip must hold."""

    COMPLETE = "complete"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Exactly one of a fixed set of labels per item; case and spaces matter."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One task's prediction file: where it stands in a zip and how it is written."""

    path: str
    id_column: str
    label_column: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class MetricUse:
    """A metric of the registry as one task uses it."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One input/output contract with a file of its own."""

    id: str
    code: str
    title: str
    summary: str
    instructions: str
    licence: str
    citation: str
    test_size: int
    output: LabelSet
    file: FileFormat
    metrics: tuple[MetricUse, ...]

    @property
    def primary_metric(self) -> MetricUse:
        """The first metric listed; it fills the task's column."""
        return self.metrics[0]

    def fingerprint(self) -> str:
        """SHA-256 over everything that can change a number; titles and texts are left out."""
        numbers = {
            "labels": list(self.output.names),
            "file": [self.file.path, self.file.id_column, self.file.label_column, self.file.encoding],
            "metrics": [metric.name for metric in self.metrics],
            "test_size": self.test_size,
        }
        return sha256(dumps(numbers, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AverageSpec:
    """A named mean over tasks or over other averages."""

    id: str
    title: str
    of: tuple[str, ...]
    missing: MissingTask


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """A published row that was not scored here. Values are keyed by task or average id."""

    system: str
    kind: RowKind
    source: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class QuotaSpec:
    """How many submissions one team may have accepted per cut-off window."""

    limit: int


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """A window with a weekly cut-off in its own time zone. `weekday` is 0 for Monday."""

    id: str
    title: str
    timezone: str
    weekday: int
    time: dt.time
    quota: QuotaSpec
    counting: Counting
    publish_automatically: bool


@dataclass(frozen=True, slots=True)
class BenchmarkSpec:
    """A family of tasks with its averages, published rows and phases."""

    id: str
    title: str
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
    _tasks_by_id: dict[str, TaskSpec] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tasks_by_id", {task.id: task for task in self.tasks})

    def task(self, task_id: str) -> TaskSpec:
        """The task of that id; KeyError where there is none."""
        return self._tasks_by_id[task_id]
