"""A board as templates print it: every number already text, every emphasis already a CSS class."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.spec import RowKind
from leaderboard.board import format as fmt
from leaderboard.board.model import Board, Cell, Column, Row
from leaderboard.board.ranking import Standouts, rank, standouts


@dataclass(frozen=True, slots=True)
class HeadView:
    """A column's head. `sort` is an aria-sort value, empty but for the column that ranks the board."""

    key: str
    title: str
    hint: str
    url: str
    sort: str


@dataclass(frozen=True, slots=True)
class BarView:
    """Lengths in hundredths of the scale from 0 to 1, as SVG attributes; no interval where `low` is empty."""

    length: str
    low: str
    spread: str


@dataclass(frozen=True, slots=True)
class CellView:
    """One printed cell. `hint` explains an undefined value, or gives the interval of a defined one."""

    text: str
    css: str
    hint: str
    bar: BarView | None = None


@dataclass(frozen=True, slots=True)
class RowView:
    """One printed row; `css` is its kind, `under` the small line below the name."""

    system: str
    system_id: str | None
    under: str
    css: str
    tag: str
    rank: str
    rank_interval: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table. The column that ranks the board stands first among `heads` and in every row."""

    caption: str
    heads: tuple[HeadView, ...]
    rows: tuple[RowView, ...]
    has_rank_intervals: bool
    has_other_rows: bool


@dataclass(frozen=True, slots=True)
class LeaderView:
    """A system that holds the first rank of a release."""

    system: str
    system_id: str | None
    team: str


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """A release in one line, for the archive and the list of benchmarks."""

    number: int
    published_at: dt.datetime
    system_count: int
    leaders: tuple[LeaderView, ...]
    score: str
    column: str


@dataclass(frozen=True, slots=True)
class StandingView:
    """A system's score in one column, with its rank among the `of` systems that have one there."""

    key: str
    title: str
    name: str
    score: str
    rank: str
    of: int
    hint: str


@dataclass(frozen=True, slots=True)
class HistoryView:
    """A system's place in one release."""

    number: int
    published_at: dt.datetime
    standing: StandingView


def table(board: Board, *, task_urls: Mapping[str, str] | None = None) -> TableView:
    """The board ready for printing. `task_urls` maps column keys to the pages that their heads link to."""
    columns = sorted(board.columns, key=lambda column: column.key != board.rank_by)
    marks = standouts(board)
    bars = _fits_unit_scale(board)
    rows = []
    for index, row in enumerate(board.rows):
        cells = [_cell(row.cell(column.key), index, marks[column.key]) for column in columns]
        if bars:
            cells[0] = replace(cells[0], bar=_bar(row.cell(board.rank_by)))
        rows.append(_row(row, tuple(cells)))
    return TableView(
        caption=f"{board.title}, release {board.release}",
        heads=tuple(_head(column, board.rank_by, task_urls or {}) for column in columns),
        rows=tuple(rows),
        has_rank_intervals=any(row.rank_interval for row in rows),
        has_other_rows=any(row.kind is not RowKind.SYSTEM for row in board.rows),
    )


def release(board: Board) -> ReleaseView:
    """The board in one line: who leads it, and with what score."""
    leaders = [row for row in board.rows if row.rank == 1]
    value = leaders[0].cell(board.rank_by).value if leaders else None
    return ReleaseView(
        number=board.release,
        published_at=board.published_at,
        system_count=board.system_count,
        leaders=tuple(LeaderView(row.system, row.system_id, row.team) for row in leaders),
        score=fmt.score(value),
        column=board.column(board.rank_by).name,
    )


def standings(board: Board) -> dict[str, tuple[StandingView, ...]]:
    """Every system's scores by its id, one per column of the board, each ranked by that column."""
    found: dict[str, list[StandingView]] = {}
    for column in board.columns:
        for system_id, standing in _standings_in(rank(board.rows, column), column):
            found.setdefault(system_id, []).append(standing)
    return {system_id: tuple(lines) for system_id, lines in found.items()}


def history(boards: Iterable[Board]) -> dict[str, tuple[HistoryView, ...]]:
    """Every system's place by its id in each of these releases that it stands in, in the order given."""
    found: dict[str, list[HistoryView]] = {}
    for board in boards:
        for system_id, standing in _standings_in(board.rows, board.column(board.rank_by)):
            line = HistoryView(board.release, board.published_at, standing)
            found.setdefault(system_id, []).append(line)
    return {system_id: tuple(lines) for system_id, lines in found.items()}


def _head(column: Column, rank_by: str, urls: Mapping[str, str]) -> HeadView:
    sort = ("descending" if column.higher_is_better else "ascending") if column.key == rank_by else ""
    direction = "" if column.higher_is_better else ", lower is better"
    hint = f"{column.name}: {column.metric_title}{direction}"
    return HeadView(column.key, column.title, hint, urls.get(column.key, ""), sort)


def _row(row: Row, cells: tuple[CellView, ...]) -> RowView:
    is_system = row.kind is RowKind.SYSTEM
    return RowView(
        system=row.system,
        system_id=row.system_id,
        under=row.team if is_system else row.source or row.team,
        css=row.kind.value,
        tag=fmt.KIND_TAGS.get(row.kind, ""),
        rank="" if row.rank is None else str(row.rank),
        rank_interval=fmt.rank_interval(row.rank_low, row.rank_high),
        cells=cells,
    )


def _cell(cell: Cell, index: int, marks: Standouts) -> CellView:
    if cell.undefined is not None:
        return CellView(fmt.NONE, "none", fmt.reason(cell.undefined))
    css = "best" if index in marks.best else "second" if index in marks.second else ""
    return CellView(fmt.score(cell.value), css, fmt.interval(cell.ci_low, cell.ci_high))


def _fits_unit_scale(board: Board) -> bool:
    """Whether a bar from 0 to 1 can stand for every value that ranks the board; a bar must start at zero."""
    values = [row.cell(board.rank_by).value for row in board.rows]
    return board.column(board.rank_by).higher_is_better and all(v is None or 0 <= v <= 1 for v in values)


def _bar(cell: Cell) -> BarView | None:
    if cell.value is None:
        return None
    length = f"{100 * cell.value:.1f}"
    if cell.ci_low is None or cell.ci_high is None:
        return BarView(length, "", "")
    low, high = max(cell.ci_low, 0.0), min(cell.ci_high, 1.0)
    return BarView(length, f"{100 * low:.1f}", f"{100 * (high - low):.1f}")


def _standings_in(rows: Sequence[Row], column: Column) -> Iterator[tuple[str, StandingView]]:
    ranked = sum(row.rank is not None for row in rows)
    for row in rows:
        if row.system_id is not None:
            yield row.system_id, _standing(row, column, ranked)


def _standing(row: Row, column: Column, ranked: int) -> StandingView:
    cell = row.cell(column.key)
    return StandingView(
        key=column.key,
        title=column.title,
        name=column.name,
        score=fmt.score(cell.value),
        rank="" if row.rank is None else str(row.rank),
        of=ranked,
        hint="" if cell.undefined is None else fmt.reason(cell.undefined),
    )
