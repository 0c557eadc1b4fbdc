"""A board as a Markdown table, for a README or an issue."""

import re
from functools import lru_cache

from leaderboard.board.exports.export import BoardExport
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.plain_text import one_line
from leaderboard.board.model.standouts import Standouts

# What Markdown or the HTML within it would take for more than text.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&])")


def to_markdown(board: Board) -> bytes:
    """A pipe table (GitHub Flavored Markdown) below the board's title: best bold, names escaped, UTF-8."""
    marks = board.standouts
    is_ranked = not board.ranks_nobody
    names = ["Rank", "System", "Team"] if is_ranked else [board.row_head]
    groups = {column.key: f"{column.group}: " if column.group else "" for column in board.columns}
    heads = [*names, *(escape(groups[column.key] + column.title) for column in board.columns)]
    aligned = ["---"] * len(names) + ["---:"] * len(board.columns)
    lines = [
        f"**{escape(board.full_title)}**, release {board.release}, {board.published_at.day} {board.published_at:%B %Y}",
        *(["", "Synthetic demo data."] if board.synthetic else []),
        *(
            ["", escape(f"Shown by the rule {board.disclosure}; no exact scores.")]
            if board.disclosure
            else []
        ),
        "",
        _line(heads),
        _line(aligned),
        *(_line(_cells(index, row, board, marks, is_ranked)) for index, row in enumerate(board.rows)),
    ]
    return ("\n".join(lines) + "\n").encode()


@lru_cache(maxsize=1 << 12)  # the same names stand on many boards
def escape(text: str) -> str:
    """The text as Markdown prints it, on one line; control characters become spaces."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(
    index: int, row: BoardRow, board: Board, marks: dict[str, Standouts], is_ranked: bool
) -> list[str]:
    tag = fmt.tag(row.kind, row.system)
    name = escape(row.system) + (f" *({tag})*" if tag else "")
    interval = fmt.rank_interval(row.rank_low, row.rank_high)
    rank = fmt.NONE if row.rank is None else f"{row.rank} ({interval})" if interval else str(row.rank)
    names = [rank, name, escape(row.team)] if is_ranked else [name]
    scores = []
    for column in board.columns:
        cell = row.cell(column.key)
        value = f"**{fmt.score(cell.value)}**" if index in marks[column.key].best else fmt.score(cell.value)
        scores.append(" ".join(filter(None, [value, fmt.beside(cell.beside), fmt.deviation(cell.deviation)])))
    return [*names, *scores]


MARKDOWN = BoardExport("markdown", "md", "text/markdown; charset=utf-8", "Markdown", to_markdown)
