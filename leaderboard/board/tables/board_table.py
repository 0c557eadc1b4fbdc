"""A board as its template prints it: every number already text, every emphasis already a CSS class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.spec import RowKind
from leaderboard.board.analysis.chance import chance_view
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.ranking import Standouts, standouts
from leaderboard.board.tables.board_query import BoardQuery, groups_in_order
from leaderboard.board.tables.table_body import body
from leaderboard.board.tables.table_tools import arranged
from leaderboard.board.tables.table_views import (
    BarView,
    CellView,
    GroupView,
    HeadView,
    RowView,
    TableView,
    is_wide,
)


def table(board: Board, *, task_urls: Mapping[str, str] | None = None, heat: bool = False) -> TableView:
    """The board ready for printing. `task_urls` maps column keys to the pages that their heads link to.

    With `heat` every column is shaded, from its worst value to its best.
    """
    parts = groups_in_order(board)
    columns = [column for part in parts for column in part.columns]
    groups = tuple(
        GroupView(part.title, tuple(_head(column, board.rank_by) for column in part.columns))
        for part in parts
    )
    rows = _rows(board, columns, divided={part.columns[0].key for part in parts[1:]}, heat=heat)
    heads = tuple(head for group in groups for head in group.heads)
    cells = [cell for row in rows for cell in row.cells]
    is_ranked = not board.ranks_nobody
    made = TableView(
        caption=f"{board.title}, release {board.release}" if board.release else board.title,
        name_head=board.row_head,
        heads=heads,
        groups=groups,
        rows=rows,
        is_ranked=is_ranked,
        has_groups=any(group.title for group in groups),
        has_rank_intervals=any(row.rank_low is not None for row in board.rows),
        has_other_rows=any(row.kind is not RowKind.SYSTEM for row in board.rows),
        has_deviations=any(cell.deviation for cell in cells),
        has_missing_seeds=any(cell.seeds for cell in cells),
        is_wide=is_wide(heads, rows),
        besides=_besides(board, columns),
        body=body(rows, is_ranked=is_ranked),
        chance=chance_view(board),
    )
    made = arranged(made, board, BoardQuery(heat=heat))
    return made.with_links(task_urls) if task_urls else made


def _rows(board: Board, columns: Sequence[Column], *, divided: set[str], heat: bool) -> tuple[RowView, ...]:
    marks = standouts(board)
    padded = {column.key for column in columns if _has_besides(board, column)}
    bars = _fits_unit_scale(board)
    spans = {column.key: _span(board, column) for column in columns if heat}
    rows = []
    for index, row in enumerate(board.rows):
        bar = _bar(row.cell(board.rank_by)) if bars else None
        cells = [
            _cell(
                row.cell(column.key),
                column,
                _css(index, marks[column.key]),
                bar=bar if place == 0 else None,
                divides=column.key in divided,
                pads=column.key in padded,
                span=spans.get(column.key),
                card=_card(board, row, column),
            )
            for place, column in enumerate(columns)
        ]
        rows.append(_row(row, tuple(cells)))
    return tuple(rows)


def _head(column: Column, rank_by: str) -> HeadView:
    sort = ("descending" if column.higher_is_better else "ascending") if column.key == rank_by else ""
    measure = "" if column.name == column.metric_title else f": {column.metric_title}"
    direction = "" if column.higher_is_better else ", lower is better"
    beside = f"; in parentheses: {column.beside_title}" if column.beside_title else ""
    hint = f"{column.name}{measure}{direction}{beside}"
    return HeadView(column.key, column.title, hint, "", sort, leads=column.key == rank_by)


def _row(row: BoardRow, cells: tuple[CellView, ...]) -> RowView:
    return RowView(
        system=row.system,
        system_id=row.system_id,
        under=row.source or row.team,
        css=row.kind.value,
        tag=fmt.tag(row.kind, row.system),
        rank="" if row.rank is None else str(row.rank),
        rank_interval=fmt.rank_interval(row.rank_low, row.rank_high),
        cells=cells,
        leads=fmt.leads(row.leads),
    )


def _css(index: int, marks: Standouts) -> str:
    return "best" if index in marks.best else "second" if index in marks.second else ""


def _cell(
    cell: Cell,
    column: Column,
    css: str,
    *,
    bar: BarView | None,
    divides: bool,
    pads: bool,
    span: tuple[float, float] | None,
    card: str,
) -> CellView:
    return CellView(
        text=fmt.score(cell.value),
        css="none" if cell.value is None else f"{css} {_shade(cell.value, column, span)}".strip(),
        hint="; ".join(_hints(cell, column)),
        bar=bar,
        beside=fmt.beside(cell.beside),
        deviation=fmt.deviation(cell.deviation),
        seeds=fmt.missing_seeds(cell.seeds, cell.seeds_wanted),
        divides=divides,
        pads=pads,
        submission=fmt.short_id(cell.submission or ""),
        card=card,
    )


def _card(board: Board, row: BoardRow, column: Column) -> str:
    """Where it is told how a value came about, see leaderboard.reports; empty where nothing was scored here."""
    cell = row.cell(column.key)
    if not board.release or not row.anchor or cell.value is None:
        return ""
    # A cell with a submission is one task's; any other is made of several, which stand below the row's name.
    task = board.task or (column.key.partition(":")[0].partition("@")[0] if cell.submission else "")
    part = f"{row.anchor}-{task}" if task else row.anchor
    return f"/benchmarks/{board.benchmark}/releases/{board.release}/provenance/#{part}"


def _shade(value: float, column: Column, span: tuple[float, float] | None) -> str:
    """The class of a cell's shade, one of five, or none.

    Shares are shaded in steps of a fifth, so that a shade means the same in every release; values that are to be
    compared with others of their column by where they fall between the worst and the best.
    """
    if column.heat:
        return f"heat-{min(int(value * 5), 4)}"
    if span is None or span[0] == span[1]:
        return ""
    worst, best = span
    return f"heat-{min(int((value - worst) / (best - worst) * 5), 4)}"


def _span(board: Board, column: Column) -> tuple[float, float] | None:
    """The worst and the best value of a column; None where it has none."""
    values = [value for row in board.rows if (value := row.cell(column.key).value) is not None]
    if not values:
        return None
    low, high = min(values), max(values)
    return (low, high) if column.higher_is_better else (high, low)


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
