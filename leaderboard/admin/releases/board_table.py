"""An overall board as a table of the admin, for whoever publishes it and whoever looks at a release."""

from benchmarks.admin.organised.organised_admin import Table
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, Cell
from leaderboard.board.tables.board_query import groups_in_order

HIDDEN = "Public pages show numbers in place of these names."


def board_table(board: Board) -> Table:
    """The board with the column that ranks it next to the system, so that a narrow screen shows both."""
    columns = [column for group in groups_in_order(board) for column in group.columns]
    rows = []
    for row in board.rows:
        first, *others = (_line(row.cell(column.key)) for column in columns)
        tag = fmt.tag(row.kind, row.system)
        rows.append((str(row.rank or ""), row.system, first, row.under, tag, *others))
    first_head, *other_heads = (column.title for column in columns)
    headers = ("Rank", "System", first_head, "Team", "", *other_heads)
    return Table("Preview", headers, rows, empty="No system has a score.", is_wide=True)


def _line(cell: Cell) -> str:
    """All that a cell shows in one line: ".712 (.802) sd .004"."""
    seeds = fmt.missing_seeds(cell.seeds, cell.seeds_wanted)
    shown = (fmt.score(cell.value), fmt.beside(cell.beside), fmt.deviation(cell.deviation), seeds)
    return " ".join(filter(None, shown))
