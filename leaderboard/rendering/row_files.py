"""Two files beside a long board, from which a browser sorts, searches and filters it without asking the server.

They are drawn for the first reader who asks. The rows are written as the server shows them, with their orders and the
words to find them by. The frames are all that stands around the rows, once for each order. `static/board_rows.js`
chooses and counts, and writes nothing of its own.
"""

from dataclasses import dataclass
from typing import Any

from accounts.page_content import PageContent
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import json_bytes
from leaderboard.board.tables.board_query import (
    NAMES,
    BoardQuery,
    order_groups,
    rows_at_once,
    searched_text,
    tags_of,
)
from leaderboard.board.tables.board_table import WORDS, TableView, frames
from leaderboard.board.tables.ranking_picture import MOST_BRACKETED, Drawing, drawing_of
from leaderboard.rendering.rendered_page import RenderedPage

ROWS, FRAMES = "-rows.json", "-frames.json"
JSON_TYPE = "application/json"
PLACE = "<!--rows-->"  # where rows stand in a frame


@dataclass(frozen=True)
class ReadTable(PageContent):
    """A board's table as a query asks for it, and how to read it."""

    template = "_board_table.html"
    table: TableView
    board: Board


def has_row_files(board: Board) -> bool:
    """Whether its page shows but a part of its rows, none bracketed; of any other the server answers quickly."""
    is_long = len(board.rows) > rows_at_once(board, BoardQuery())
    return is_long and bool(board.release) and (board.ranks_nobody or len(board.ranked) > MOST_BRACKETED)


def row_file(board: Board, table: TableView) -> RenderedPage:
    """The rows, at no address yet but the end of one."""
    everywhere = range(len(board.rows))
    drawing = _drawing(board, table)
    if drawing:
        parts = [drawing.parts(at) for at in everywhere]
        columns = drawing.beside or [other for other in board.columns if other.key != board.rank_by]
        cells = {other.key: [drawing.beside_cell(at, other) for at in everywhere] for other in columns}
    else:
        parts, cells = [(table.written.row(at), "") for at in everywhere], {}
    tags = {tag.casefold(): tag for tag in tags_of(board)}
    return _json(
        ROWS,
        release=board.release,
        rows=parts,
        cells=cells,
        always=[other.key for other in drawing.beside] if drawing else [],
        folded=[at for at in everywhere if drawing and not drawing.is_shown(board.rows[at])],
        words=[searched_text(row) for row in board.rows],
        tags={
            tag: [at for at in everywhere if key in map(str.casefold, board.rows[at].labels)]
            for key, tag in tags.items()
        },
        orders={key: order_groups(board, key) for key in (*NAMES, *(column.key for column in board.columns))},
    )


def frame_file(board: Board, table: TableView) -> RenderedPage:
    """The frames, at no address yet but the end of one."""
    return _json(
        FRAMES,
        release=board.release,
        sizes=[rows_at_once(board, BoardQuery(whole=is_whole)) for is_whole in (False, True)],
        rank_by=board.rank_by,
        words=WORDS,
        frames={
            order: ReadTable(view, board).text() for order, view in frames(table, board, body=PLACE).items()
        },
    )


def _drawing(board: Board, table: TableView) -> Drawing | None:
    """What draws rows as they look in any order but the official first view."""
    if table.picture is None:
        return None
    return drawing_of(board, BoardQuery(whole=True))


def _json(path: str, **members: Any) -> RenderedPage:
    return RenderedPage(path, JSON_TYPE, json_bytes(members))
