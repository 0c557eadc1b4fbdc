"""What both formats of bundles state, in one form."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum


class Counts(StrEnum):
    """Which submission of a system a board shows."""

    LATEST = "latest"
    BEST = "best"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class BundlePage:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BundleTask:
    """A task as its key (an index, or the number of a phase), with where its files stand; empty where nowhere.

    `member` is the one of its reference data that has its labels, where others have those of other subtasks.
    """

    key: str
    title: str
    summary: str
    reference: str
    program: str
    place: str
    member: str = ""


@dataclass(frozen=True, slots=True)
class BundlePhase:
    """A phase; `tasks` are keys of tasks. Limits are None where there are none."""

    id: str
    title: str
    opens: dt.datetime | None
    closes: dt.datetime | None
    per_day: int | None
    total: int | None
    tasks: tuple[str, ...]
    counts: Counts | None = None
    hides_scores: bool = False


@dataclass(frozen=True, slots=True)
class BundleColumn:
    """A column of a board; `lower` says that its lower scores are better, `board` which one it stands on."""

    key: str
    title: str
    lower: bool
    digits: int | None
    hidden: bool
    computed: str
    board: str
    place: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class FactQuestion:
    id: str
    title: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file that everybody could load there: its path in the bundle."""

    path: str
    what: str


@dataclass(frozen=True, kw_only=True)
class Competition:
    """A bundle as it was read. `tasks` and `phases` stand in their order, columns by board and rank."""

    version: str
    title: str
    summary: str
    terms: str
    pages: tuple[BundlePage, ...]
    tasks: tuple[BundleTask, ...]
    phases: tuple[BundlePhase, ...]
    columns: tuple[BundleColumn, ...]
    questions: tuple[FactQuestion, ...]
    files: tuple[OfferedFile, ...]
    approval: bool
    anonymous: bool
    counts: Counts
    one_per_team: bool
    takes_code: bool
