"""The lines of a system's page as HTML, by hand: a year of releases is fifty lines on every one of its pages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank


def standing_lines(board: Board) -> dict[str, str]:
    """Every system's scores by its id: a `<tr>` and a line break per column of the board, ranked by that column.

    A range stands beside the rank by the board's own column alone: it says nothing of the other columns. Columns of one
    name, as of test and dev, are told apart by their groups. All text is escaped.
    """
    lines: dict[str, str] = defaultdict(str)
    names = Counter(column.name for column in board.columns)
    for column in board.columns:
        group = f" ({column.group})" if names[column.name] > 1 and column.group else ""
        for system_id, cell, ranked in _ranks(_ranked_by(board, column), column.key):
            head = _head(column, f"{column.name}{group}", cell)
            lines[system_id] += f'<tr><th scope="row">{head}</th>{_score(cell)}{ranked}</tr>\n'
    return lines


def release_heads(benchmark: str, days: Mapping[int, str]) -> dict[int, str]:
    """How the line of each release begins, whoever it is about. `days` are their dates as HTML, by number."""
    return {
        number: f'<tr><th scope="row"><a href="/benchmarks/{benchmark}/releases/{number}/">Release {number}</a></th>'
        f"<td>{day}</td>"
        for number, day in days.items()
    }


def history_lines(boards: Iterable[Board], heads: Mapping[int, str]) -> dict[str, str]:
    """Every system's places by its id: a `<tr>` and a line break for each of these releases that it stands in.

    The releases stand in the order given; `heads` are those of `release_heads`.
    """
    lines: dict[str, str] = defaultdict(str)
    for board in boards:
        for system_id, cell, ranked in _ranks(board.rows, board.rank_by):
            score = f'<td class="number">{fmt.score(cell.value)}</td>'
            lines[system_id] += f"{heads[board.release]}{score}{ranked}</tr>\n"
    return lines


def _ranked_by(board: Board, column: Column) -> tuple[BoardRow, ...]:
    """The rows ranked by a column, with ranges where that is the column that ranks the board."""
    if column.key == board.rank_by and not board.by_column:
        return rank(board.rows, column)
    bare = [replace(row, rank_low=None, rank_high=None) for row in board.rows]
    return rank(bare, column)


def _ranks(rows: Sequence[BoardRow], key: str) -> Iterator[tuple[str, Cell, str]]:
    """Every system's id, its cell in a column, and its rank as a cell of its line."""
    count = sum(row.rank is not None for row in rows)
    for row in rows:
        if row.system_id is not None:
            cell = row.cell(key)
            reason = f"<small>{escape(_hint(cell)) or 'not ranked'}</small>"
            span = fmt.rank_interval(row.rank_low, row.rank_high)
            among = f"of {count}, range {span}" if span else f"of {count}"
            place = f"{row.rank} <small>{among}</small>" if row.rank is not None else reason
            yield row.system_id, cell, f'<td class="number">{place}</td>'


def _hint(cell: Cell) -> str:
    return fmt.reason(cell.undefined or "") or fmt.missing_seeds(cell.seeds, cell.seeds_wanted)


def _head(column: Column, name: str, cell: Cell) -> str:
    title = f" <small>{escape(column.title)}</small>" if column.title != name else ""
    submission = escape(fmt.short_id(cell.submission or ""))
    behind = f" <small>submission <code>{submission}</code></small>" if submission else ""
    return escape(name) + title + behind


def _score(cell: Cell) -> str:
    hint = f' title="{escape(_hint(cell))}"' if _hint(cell) else ""
    beside = f" {fmt.beside(cell.beside)}" if cell.beside is not None else ""
    small = "" if cell.deviation is None else f'<small class="under">{fmt.deviation(cell.deviation)}</small>'
    return f'<td class="number"{hint}>{fmt.score(cell.value)}{beside}{small}</td>'
