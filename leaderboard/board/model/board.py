"""A leaderboard as it stands at one release: plain frozen values, no Django, no files, no clock."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from math import isfinite
from typing import NamedTuple, TypeAlias

from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from leaderboard.board.model.standouts import Standouts, standouts_of

RankedOn: TypeAlias = Mapping[str, Mapping[str, str]]
"""On what a column was measured: for every set of items its metric, gold labels and items, as far as they are known."""

NOTHING_DECLARED = DeclaredFacts()
PUBLISHED_ELSEWHERE = {RowKind.REPORTED, RowKind.HUMAN}
_NUMBERS = ("value", "ci_low", "ci_high", "beside", "deviation")
# Kinds of rows that are no systems and fill a board of their own.
ROW_HEADS = {RowKind.ATTACK: "Attack", RowKind.BREAKER: "Breaker"}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `title` is the short head ("B77"), `name` the full one ("Banking 77").

    Neighbouring columns of the same `group` stand under that common head. `beside_title` names what the cells'
    `beside` gives. The cells of a column with `heat` are shaded by their value, a share from 0 to 1.
    """

    key: str
    title: str
    name: str
    metric: str
    metric_title: str
    higher_is_better: bool
    group: str = ""
    beside_title: str = ""
    heat: bool = False

    def values(self, rows: Iterable[BoardRow]) -> list[float]:
        """The values of those rows that have one here."""
        return [value for row in rows if (value := row.value(self.key)) is not None]

    def ends(self, rows: Iterable[BoardRow]) -> tuple[float, float] | None:
        """The worst and the best value of these rows; None where none has one."""
        values = sorted(self.values(rows), reverse=not self.higher_is_better)
        return (values[0], values[-1]) if values else None


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring columns under one head; `title` is empty for those that have none in common."""

    title: str
    columns: tuple[Column, ...]


def grouped(columns: Sequence[Column]) -> tuple[Group, ...]:
    """The columns in their order, divided where the group changes."""
    return tuple(Group(title, tuple(members)) for title, members in groupby(columns, key=lambda c: c.group))


@dataclass(frozen=True, slots=True)
class Cell:
    """A finite value, or None and the code of the reason why there is none; never both, never neither.

    `beside` is a second measure of the same predictions, shown in parentheses. A value that is the mean over
    `seeds` seeds has their `deviation` (population sd, >= 0), and `seeds_wanted` says how many the benchmark
    asks for: with fewer the cell is incomplete, so that its row carries no rank by it.
    """

    value: float | None
    undefined: str | None
    ci_low: float | None = None
    ci_high: float | None = None
    submission: str | None = None
    beside: float | None = None
    deviation: float | None = None
    seeds: int | None = None
    seeds_wanted: int | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(
                f"A cell needs a value or the code of a reason, and not both: found value {self.value!r} "
                f"and undefined {self.undefined!r}."
            )
        for number in (self.value, self.ci_low, self.ci_high, self.beside, self.deviation):
            if number is not None and not isfinite(number):
                name = next(name for name in _NUMBERS if getattr(self, name) is number)
                raise ValueError(f"`{name}` must be a finite number: found {number!r}.")
        if (self.ci_low is None) != (self.ci_high is None):
            raise ValueError("An interval needs both ends: give `ci_low` and `ci_high`, or neither.")
        if self.deviation is not None and (self.value is None or self.deviation < 0):
            raise ValueError(
                "A deviation is that of a value and at least 0: "
                f"found deviation {self.deviation!r} with value {self.value!r}."
            )
        if (self.seeds is None) != (self.seeds_wanted is None):
            raise ValueError("A count of seeds needs both: give `seeds` and `seeds_wanted`, or neither.")

    @property
    def is_complete(self) -> bool:
        """Whether no seed is missing."""
        return self.seeds is None or self.seeds_wanted is None or self.seeds >= self.seeds_wanted


@dataclass(frozen=True, slots=True)
class MovedRow:
    """What else is known of a row of an earlier leaderboard: its day as YYYY-MM-DD, and links; empty where none.

    `claimed_by` is the team here that it belongs to, once an organiser has said so; `claimed_system` the id of that
    team's system, where it has a page.
    """

    date: str
    paper_url: str = ""
    code_url: str = ""
    claimed_by: str = ""
    claimed_system: str = ""


class BoardRow(NamedTuple):
    """One line of the board. Only a row of kind `system` can carry a rank.

    `rank_low` to `rank_high` are the ranks that it may have once chance in the items is taken into account, and
    `leads` the share of resamples of the items in which it is the first. `ahead_of` are the first and the last of
    neighbouring places among the ranked systems, counted from 1, whose systems it is surely ahead of; None where
    that was not decided. `leaderboard.board.model.decisions` reads it.

    The value in the column that ranks the board may have been chosen for being the best. `tries` says of how many
    scored answers of the same row, at least 2, by the phase's counting rule; it is None where no such choice was made.
    `corrected_low` to `corrected_high` is its 95 % range with that choice taken into account, on the first rank also
    the choice of the first among all ranked systems; None where nothing was chosen, and where the interval in the cell
    tells all that may be told. `expected_luck` is how much better than its worth the value is on average, at least 0.

    `moved` is None but for reported rows of an earlier leaderboard, which name their team.
    """

    system: str
    system_id: str | None
    team: str
    kind: RowKind
    cells: Mapping[str, Cell]
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    tags: tuple[str, ...] = ()
    facts: DeclaredFacts = NOTHING_DECLARED
    source: str = ""
    leads: float | None = None
    ahead_of: tuple[tuple[int, int], ...] | None = None
    tries: int | None = None
    expected_luck: float | None = None
    corrected_low: float | None = None
    corrected_high: float | None = None
    moved: MovedRow | None = None

    @property
    def identity(self) -> tuple[str, str]:
        """What tells its system from others on every board: its id, or the name of an anonymous one."""
        return (self.system_id, "") if self.system_id is not None else ("", self.system)

    @property
    def labels(self) -> tuple[str, ...]:
        """What rows can be chosen by: tags, and what is declared in a word."""
        return tuple(dict.fromkeys((*self.tags, *self.facts.labels)))

    @property
    def under(self) -> str:
        """What stands below its name: the team, or where its numbers come from; of a moved row both."""
        return f"{self.team}; {self.source}" if self.moved else self.source or self.team

    @property
    def anchor(self) -> str:
        """What its part of the page about provenance is called; empty for a row that is no system scored here.

        Of an anonymous system it tells the number that everybody knows.
        """
        if self.kind not in (RowKind.SYSTEM, RowKind.BASELINE):
            return ""
        if self.system_id:
            return self.system_id[:8]
        return f"system-{''.join(character for character in self.system if character.isdigit())}"

    def cell(self, key: str) -> Cell:
        """The cell of a column; where the row has none, an undefined one that says so."""
        known = self.cells.get(key)
        if known is not None:
            return known
        return Cell(None, "not_reported" if self.kind in PUBLISHED_ELSEWHERE else "not_submitted")

    def value(self, key: str) -> float | None:
        return self.cell(key).value


@dataclass(frozen=True, slots=True)
class Chance:
    """How far chance in the items reaches into the order of a board.

    `groups` are the first and the last place of neighbours of whom nobody is surely ahead of another; they may
    overlap. `smallest_difference` is what a test would find in four of five test sets of this size, between two
    systems like those on the board; None where no two of them ever differ.
    """

    replicates: int
    groups: tuple[tuple[int, int], ...]
    smallest_difference: float | None


@dataclass(frozen=True, slots=True)
class NotCounted:
    """Systems that a board leaves out of its numbers for want of something: ids and names."""

    lacks: str
    systems: tuple[tuple[str, str], ...]

    @property
    def sentence(self) -> str:
        """What the board's page says of them."""
        names = sorted(name for _, name in self.systems)
        return f"Not counted, for want of predictions for {self.lacks}: {', '.join(names)}."


@dataclass(frozen=True, slots=True)
class RowCounts:
    """How many systems stand on a board, and how many of them have a rank."""

    systems: int
    ranked: int


@dataclass(frozen=True)  # without slots, for what is worked out of its rows is kept
class Board:
    """A frozen leaderboard: the overall one where `task` is None, else that task's.

    `rows` stand in the order in which they are shown, see `leaderboard.board.model.ranking.rank`; `rank_by` is the
    key of the column that decides it. `release` counts from 1; 0 stands for a page before the first release.
    `published_at` is an instant in UTC.
    Links to boards of the same `axis` ("Language", "Robustness") stand together; it is empty for the overall board
    and those of tasks. `team_total` is how many teams the systems belong to where the rows name none. `chance` is None
    where nothing is known of how sure the scores are. `disclosure` is the rule, with its settings, that shows something
    else than exact scores; empty where these are exact. `part` says which items were scored, where some are kept back
    for the end of the phase; empty where it was all of them. `ranked_on` says on what the column that ranks the board
    was measured; it is empty where that is not known, and no part of the board's JSON. `decimals` is how many its
    numbers have been rounded to because gold labels are hidden; None where they have all their digits.
    Of a board `by_column` each column is a ranking of its own, which the board of that column decides: nobody has a
    rank over all, and `rank_by` is just the first of them. `counts` are those of all rows where a board has but the
    leading ones, see `leaderboard.board.model.leading_rows`; None where it has all.
    """

    benchmark: str
    benchmark_title: str
    title: str
    phase: str
    release: int
    published_at: dt.datetime
    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    task: str | None
    rank_by: str
    synthetic: bool
    note: str
    axis: str = ""
    not_counted: tuple[NotCounted, ...] = ()
    team_total: int | None = None
    chance: Chance | None = None
    disclosure: str = ""
    part: str = ""
    ranked_on: RankedOn = field(default_factory=dict)
    decimals: int | None = None
    by_column: bool = False
    counts: RowCounts | None = None

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

    @cached_property
    def systems(self) -> tuple[BoardRow, ...]:
        """The rows of kind `system`, ranked or not."""
        return tuple(row for row in self.rows if row.kind is RowKind.SYSTEM)

    @cached_property
    def people(self) -> tuple[BoardRow, ...]:
        """The human estimates."""
        return tuple(row for row in self.rows if row.kind is RowKind.HUMAN)

    @cached_property
    def ranked(self) -> tuple[BoardRow, ...]:
        """The ranked systems in their order: place 1 is at index 0."""
        return tuple(row for row in self.rows if row.rank is not None)

    @cached_property
    def leaders(self) -> tuple[BoardRow, ...]:
        """The systems that hold the first rank."""
        return tuple(row for row in self.rows if row.rank == 1)

    def place(self, row: BoardRow) -> int:
        """The index of one of this board's ranked rows among these; ValueError where it is none."""
        at = self._places.get(id(row))
        return self.ranked.index(row) if at is None else at

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {id(row): at for at, row in enumerate(self.ranked)}

    def system_like(self, row: BoardRow) -> BoardRow | None:
        """The system of this board that is the same as that of another board's row; None where it has no row here."""
        return self._by_name.get(row.identity)

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], BoardRow]:
        return {row.identity: row for row in reversed(self.systems)}

    def values_of(self, kind: RowKind, key: str) -> Sequence[float]:
        """The values that the rows of a kind have in a column, in rising order."""
        return self._values.get((kind, key), ())

    @cached_property
    def _values(self) -> Mapping[tuple[RowKind, str], Sequence[float]]:
        values: dict[tuple[RowKind, str], list[float]] = defaultdict(list)
        for row in self.rows:
            for key, cell in row.cells.items():
                if cell.value is not None:
                    values[row.kind, key].append(cell.value)
        return {which: sorted(some) for which, some in values.items()}

    def values_to_rank(self, key: str) -> Sequence[float]:
        """The values in a column by which systems are ranked there, in rising order; none without all its seeds."""
        return self._values_to_rank.get(key, ())

    @cached_property
    def _values_to_rank(self) -> Mapping[str, Sequence[float]]:
        values: dict[str, list[float]] = defaultdict(list)
        for row in self.systems:
            for key, cell in row.cells.items():
                if cell.value is not None and cell.is_complete:
                    values[key].append(cell.value)
        return {key: sorted(some) for key, some in values.items()}

    @cached_property
    def standouts(self) -> dict[str, Standouts]:
        """Per column, where the best and the second best value stand among all systems that have one there.

        Whether a system has a rank on the board does not matter: that is decided by another column. A value of which
        seeds are missing is passed over. Rows with equal values stand out together, so either set may hold several
        rows; `second` is empty where all systems are equal.
        """
        return {column.key: standouts_of(self.rows, column) for column in self.columns}

    @property
    def system_count(self) -> int:
        return len(self.systems) if self.counts is None else self.counts.systems

    @property
    def ranked_count(self) -> int:
        return len(self.ranked) if self.counts is None else self.counts.ranked

    @property
    def ranked_as(self) -> tuple[str, str, bool]:
        """The same of two releases whose ranks can be compared."""
        return self.phase, self.rank_by, self.by_column

    @property
    def cell_count(self) -> int:
        """How many cells it has: in memory each is about a third of a kilobyte."""
        return len(self.rows) * len(self.columns)

    @property
    def is_final(self) -> bool:
        """Whether it shows what was kept back until its phase closed."""
        return self.part.startswith(REMAINDER)

    @property
    def is_provisional(self) -> bool:
        """Whether a final one of its phase follows, because it shows a displayed half of the items alone."""
        return bool(self.disclosure) or self.part == DISPLAYED

    @cached_property
    def has_facts(self) -> bool:
        """Whether any team states something about its system."""
        return any(row.facts != NOTHING_DECLARED for row in self.rows)

    @cached_property
    def row_head(self) -> str:
        return next((ROW_HEADS[row.kind] for row in self.rows if row.kind in ROW_HEADS), "System")

    @cached_property
    def ranks_nobody(self) -> bool:
        """Whether no row carries a rank: they are no systems, or each column is a ranking of its own."""
        return self.by_column or any(row.kind in ROW_HEADS for row in self.rows)

    @cached_property
    def is_of_systems(self) -> bool:
        """Whether the rows are systems, not ways of perturbing texts or teams that made items."""
        return not any(row.kind in ROW_HEADS for row in self.rows)

    @property
    def full_title(self) -> str:
        """The benchmark's title, and the board's where it says more."""
        return self.title if self.title == self.benchmark_title else f"{self.benchmark_title}, {self.title}"

    @cached_property
    def team_count(self) -> int:
        return len({row.team for row in self.systems}) if self.team_total is None else self.team_total

    @property
    def remarks(self) -> str:
        """The note, which systems the board does not count, and whether its numbers are exact scores."""
        said = [*([self.note] if self.note else []), *(left_out.sentence for left_out in self.not_counted)]
        if self.disclosure:
            said.append(
                f"Numbers are shown by the rule {self.disclosure}; exact scores follow when the phase ends."
            )
        return " ".join(said)
