"""A leaderboard as it stands at one release: plain frozen values, no Django, no files, no clock."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from benchmarks.spec import RowKind


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `title` is the short head ("B77"), `name` the full one ("Banking 77")."""

    key: str
    title: str
    name: str
    metric: str
    metric_title: str
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A finite value, or None and the code of the reason why there is none; never both, never neither."""

    value: float | None
    undefined: str | None
    ci_low: float | None = None
    ci_high: float | None = None
    submission: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(
                f"A cell needs a value or the code of a reason, and not both: found value {self.value!r} "
                f"and undefined {self.undefined!r}."
            )
        for name in ("value", "ci_low", "ci_high"):
            number = getattr(self, name)
            if number is not None and not isfinite(number):
                raise ValueError(f"`{name}` must be a finite number: found {number!r}.")
        if (self.ci_low is None) != (self.ci_high is None):
            raise ValueError("An interval needs both ends: give `ci_low` and `ci_high`, or neither.")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the board. Only a row of kind `system` can carry a rank."""

    system: str
    system_id: str | None
    team: str
    kind: RowKind
    cells: Mapping[str, Cell]
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    tags: tuple[str, ...] = ()
    source: str = ""

    def cell(self, key: str) -> Cell:
        """The cell of a column; where the row has none, an undefined one that says so."""
        found = self.cells.get(key)
        if found is not None:
            return found
        published_elsewhere = self.kind in {RowKind.REPORTED, RowKind.HUMAN}
        return Cell(None, "not_reported" if published_elsewhere else "not_submitted")


@dataclass(frozen=True, slots=True)
class Board:
    """A frozen leaderboard: the overall one where `task` is None, else that task's.

    `rows` stand in the order in which they are shown, see `leaderboard.board.ranking.rank`; `rank_by` is the
    key of the column that decides it. `release` counts from 1; 0 stands for a page before the first release.
    `published_at` is an instant in UTC.
    """

    benchmark: str
    benchmark_title: str
    title: str
    phase: str
    release: int
    published_at: dt.datetime
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    task: str | None
    rank_by: str
    synthetic: bool
    note: str

    def __post_init__(self) -> None:
        if self.published_at.utcoffset() != dt.timedelta(0):
            raise ValueError(f"`published_at` must be an instant in UTC: found {self.published_at!r}.")
        self.column(self.rank_by)

    def column(self, key: str) -> Column:
        """The column of that key; ValueError where there is none."""
        for column in self.columns:
            if column.key == key:
                return column
        raise ValueError(
            f"This board has no column {key!r}; it has {', '.join(c.key for c in self.columns)}."
        )

    @property
    def systems(self) -> tuple[Row, ...]:
        """The rows of kind `system`, ranked or not."""
        return tuple(row for row in self.rows if row.kind is RowKind.SYSTEM)

    @property
    def system_count(self) -> int:
        """How many systems stand on the board, ranked or not."""
        return len(self.systems)

    @property
    def team_count(self) -> int:
        """How many teams these systems belong to."""
        return len({row.team for row in self.systems})
