"""A board as CSV."""

from catalogue.csv_text import csv_bytes
from leaderboard.board.exports.export import CSV_TYPE, BoardExport
from leaderboard.board.model.board import Board

_SURENESS = ("rank_low", "rank_high", "leads")


def to_csv(board: Board) -> bytes:
    """UTF-8 CSV: rank, system, team, kind, then one column per column key, in all the digits that the board has.

    Where ranks have intervals, `rank_low`, `rank_high` and `leads` stand after kind.
    A column that has such cells is followed by `<key>:deviation`, `<key>:beside` and `<key>:seeds`. What is
    undefined is empty. A synthetic board has one more column, `note`, that says so on every line, so that a
    line copied elsewhere still says it; so has one that shows no exact scores, `disclosure`, with the rule.
    """
    fields = [(column.key, name) for column in board.columns for name in _fields_used(board, column.key)]
    heads = [key if name == "value" else f"{key}:{name}" for key, name in fields]
    sure = _SURENESS if any(row.rank_low is not None for row in board.rows) else ()
    rows = (
        [row.rank, row.system, row.team, row.kind.value, *(getattr(row, name) for name in sure),
         *(getattr(row.cell(key), name) for key, name in fields)]
        for row in board.rows
    )  # fmt: skip
    marks = {"disclosure": board.disclosure} if board.disclosure else {}
    return csv_bytes(
        ["rank", "system", "team", "kind", *sure, *heads], rows, is_synthetic=board.synthetic, marks=marks
    )


def _fields_used(board: Board, key: str) -> list[str]:
    """What the cells of a column hold: always `value`, and of the rest what at least one row has."""
    cells = [row.cell(key) for row in board.rows]
    extras = ("deviation", "beside", "seeds")
    return ["value", *(name for name in extras if any(getattr(cell, name) is not None for cell in cells))]


CSV = BoardExport("csv", "csv", CSV_TYPE, "CSV", to_csv)
