"""A board as its template prints it: every number already text, every emphasis already a CSS class."""

from collections.abc import Mapping, Sequence

from benchmarks.spec import RowKind
from leaderboard.board.analysis.chance import chance_view
from leaderboard.board.model.board import Board, Column
from leaderboard.board.tables.board_query import BoardQuery, groups_in_order
from leaderboard.board.tables.table_body import TableBody, has_besides
from leaderboard.board.tables.table_tools import arranged
from leaderboard.board.tables.table_views import GroupView, HeadView, TableView


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
    body = TableBody(board, columns, divided={part.columns[0].key for part in parts[1:]}, heat=heat)
    cells = [row.cell(column.key) for row in board.rows for column in columns]
    made = TableView(
        caption=f"{board.title}, release {board.release}" if board.release else board.title,
        name_head=board.row_head,
        heads=tuple(head for group in groups for head in group.heads),
        groups=groups,
        written=body,
        is_ranked=not board.ranks_nobody,
        has_groups=any(group.title for group in groups),
        has_rank_intervals=any(row.rank_low is not None for row in board.rows),
        has_other_rows=any(row.kind is not RowKind.SYSTEM for row in board.rows),
        has_deviations=any(cell.deviation is not None for cell in cells),
        has_missing_seeds=not all(cell.is_complete for cell in cells),
        is_wide=body.is_wide(),
        besides=_besides(board, columns),
        body="".join(body.rows),
        chance=chance_view(board),
    )
    made = arranged(made, board, BoardQuery(heat=heat))
    return made.with_links(task_urls) if task_urls else made


def _head(column: Column, rank_by: str) -> HeadView:
    sort = ("descending" if column.higher_is_better else "ascending") if column.key == rank_by else ""
    measure = "" if column.name == column.metric_title else f": {column.metric_title}"
    direction = "" if column.higher_is_better else ", lower is better"
    beside = f"; in parentheses: {column.beside_title}" if column.beside_title else ""
    hint = f"{column.name}{measure}{direction}{beside}"
    return HeadView(column.key, column.title, hint, "", sort, leads=column.key == rank_by)


def _besides(board: Board, columns: Sequence[Column]) -> str:
    """What stands in parentheses: one measure for all columns, or the columns of each; "" where nothing does."""
    heads: dict[str, list[str]] = {}
    for column in columns:
        if has_besides(board, column):
            heads.setdefault(column.beside_title, []).append(column.title)
    if len(heads) == 1:
        return next(iter(heads))
    return "; ".join(f"{title} ({', '.join(codes)})" for title, codes in heads.items())
