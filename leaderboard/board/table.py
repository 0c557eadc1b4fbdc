"""A board as its template prints it: every number already text, every emphasis already a CSS class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.spec import RowKind
from leaderboard.board import format as fmt
from leaderboard.board.model import Board, Cell, Column, Row, grouped
from leaderboard.board.ranking import Standouts, standouts

WIDE = 90
"""Characters of columns that stand beside rank and name on a screen of 75 rem."""


@dataclass(frozen=True, slots=True)
class HeadView:
    """A column's head. `sort` is an aria-sort value, empty but for the column that ranks the board."""

    key: str
    title: str
    hint: str
    url: str
    sort: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """Neighbouring heads under their common title, which is empty for heads that stand by themselves."""

    title: str
    heads: tuple[HeadView, ...]


@dataclass(frozen=True, slots=True)
class BarView:
    """Lengths in hundredths of the scale from 0 to 1, as SVG attributes; no interval where `low` is empty."""

    length: str
    low: str
    spread: str


@dataclass(frozen=True, slots=True)
class CellView:
    """One printed cell.

    `beside` ("(.802)"), `deviation` ("± .004") and `seeds` ("3 of 5 seeds", where some are missing) are empty
    where there is none. `hint` explains an undefined value, gives the interval of a defined one, and names the
    submission behind it. `divides` says that a group of columns begins here, `pads` that other cells of the
    column have a `beside`, so that room is left for it.
    """

    text: str
    css: str
    hint: str
    bar: BarView | None = None
    beside: str = ""
    deviation: str = ""
    seeds: str = ""
    divides: bool = False
    pads: bool = False

    @property
    def line(self) -> str:
        """All of it in one line of text: ".712 (.802) ± .004"."""
        return " ".join(part for part in (self.text, self.beside, self.deviation, self.seeds) if part)


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
    """The whole table. The column that ranks the board stands first among `heads` and in every row.

    `name_head` stands over the names of the rows; a board that is not `is_ranked` has no column of ranks.
    `besides` says what the numbers in parentheses are. What `is_wide` does not fit on a desk's screen and scrolls
    in a frame of its own.
    """

    caption: str
    name_head: str
    heads: tuple[HeadView, ...]
    groups: tuple[GroupView, ...]
    rows: tuple[RowView, ...]
    is_ranked: bool
    has_groups: bool
    has_rank_intervals: bool
    has_other_rows: bool
    has_deviations: bool
    has_missing_seeds: bool
    is_wide: bool
    besides: str


def table(board: Board, *, task_urls: Mapping[str, str] | None = None) -> TableView:
    """The board ready for printing. `task_urls` maps column keys to the pages that their heads link to."""
    columns = _in_order(board)
    parts = grouped(columns)
    groups = tuple(
        GroupView(part.title, tuple(_head(column, board.rank_by, task_urls or {}) for column in part.columns))
        for part in parts
    )
    rows = _rows(board, columns, divided={part.columns[0].key for part in parts[1:]})
    heads = tuple(head for group in groups for head in group.heads)
    cells = [cell for row in rows for cell in row.cells]
    return TableView(
        caption=f"{board.title}, release {board.release}",
        name_head=board.row_head,
        heads=heads,
        groups=groups,
        rows=rows,
        is_ranked=not board.ranks_nobody,
        has_groups=any(group.title for group in groups),
        has_rank_intervals=any(row.rank_interval for row in rows),
        has_other_rows=any(row.kind is not RowKind.SYSTEM for row in board.rows),
        has_deviations=any(cell.deviation for cell in cells),
        has_missing_seeds=any(cell.seeds for cell in cells),
        is_wide=sum(_characters(index, head, rows) for index, head in enumerate(heads)) > WIDE,
        besides=_besides(board, columns),
    )


def _in_order(board: Board) -> list[Column]:
    """The column that ranks the board first, then what shares its group, then the rest as they stand."""
    group = board.column(board.rank_by).group

    def place(column: Column) -> tuple[bool, bool]:
        return column.key != board.rank_by, not group or column.group != group

    return sorted(board.columns, key=place)


def _rows(board: Board, columns: Sequence[Column], *, divided: set[str]) -> tuple[RowView, ...]:
    marks = standouts(board)
    padded = {column.key for column in columns if _has_besides(board, column)}
    bars = _fits_unit_scale(board)
    rows = []
    for index, row in enumerate(board.rows):
        cells = [
            replace(
                _cell(row.cell(column.key), column, _css(index, marks[column.key])),
                divides=column.key in divided,
                pads=column.key in padded,
            )
            for column in columns
        ]
        if bars:
            cells[0] = replace(cells[0], bar=_bar(row.cell(board.rank_by)))
        rows.append(_row(row, tuple(cells)))
    return tuple(rows)


def _head(column: Column, rank_by: str, urls: Mapping[str, str]) -> HeadView:
    sort = ("descending" if column.higher_is_better else "ascending") if column.key == rank_by else ""
    measure = "" if column.name == column.metric_title else f": {column.metric_title}"
    direction = "" if column.higher_is_better else ", lower is better"
    beside = f"; in parentheses: {column.beside_title}" if column.beside_title else ""
    hint = f"{column.name}{measure}{direction}{beside}"
    return HeadView(column.key, column.title, hint, urls.get(column.key, ""), sort)


def _row(row: Row, cells: tuple[CellView, ...]) -> RowView:
    return RowView(
        system=row.system,
        system_id=row.system_id,
        under=row.source or row.team,
        css=row.kind.value,
        tag=fmt.tag(row.kind, row.system),
        rank="" if row.rank is None else str(row.rank),
        rank_interval=fmt.rank_interval(row.rank_low, row.rank_high),
        cells=cells,
    )


def _css(index: int, marks: Standouts) -> str:
    return "best" if index in marks.best else "second" if index in marks.second else ""


def _cell(cell: Cell, column: Column, css: str) -> CellView:
    return CellView(
        text=fmt.score(cell.value),
        css="none" if cell.value is None else f"{css} {_heat(cell.value)}".strip() if column.heat else css,
        hint="; ".join(_hints(cell, column)),
        beside=fmt.beside(cell.beside),
        deviation=fmt.deviation(cell.deviation),
        seeds=fmt.missing_seeds(cell.seeds, cell.seeds_wanted),
    )


def _heat(share: float) -> str:
    """The class of a shade: one of five, in steps of a tenth, so that a shade means the same in every release."""
    return f"heat-{min(int(share * 10), 4)}"


def _hints(cell: Cell, column: Column) -> list[str]:
    missing = fmt.missing_seeds(cell.seeds, cell.seeds_wanted)
    hints = [
        fmt.reason(cell.undefined or ""),
        fmt.interval(cell.ci_low, cell.ci_high),
        f"{column.beside_title} {fmt.score(cell.beside, decimals=4)}" if cell.beside is not None else "",
        f"{missing} handed in, so that it carries no rank" if missing else "",
        f"submission {fmt.short_id(cell.submission)}" if cell.submission else "",
    ]
    return [hint for hint in hints if hint]


def _characters(index: int, head: HeadView, rows: Sequence[RowView]) -> int:
    """About how wide a column is, in characters, the space between columns included."""
    lines = (f"{row.cells[index].text} {row.cells[index].beside}".strip() for row in rows)
    return 2 + max(len(head.title), *(len(line) for line in lines), 0)


def _besides(board: Board, columns: Sequence[Column]) -> str:
    """What stands in parentheses: one measure for all columns, or the columns of each; "" where nothing does."""
    heads: dict[str, list[str]] = {}
    for column in columns:
        if _has_besides(board, column):
            heads.setdefault(column.beside_title, []).append(column.title)
    if len(heads) == 1:
        return next(iter(heads))
    return "; ".join(f"{title} ({', '.join(codes)})" for title, codes in heads.items())


def _has_besides(board: Board, column: Column) -> bool:
    return any(row.cell(column.key).beside is not None for row in board.rows)


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
