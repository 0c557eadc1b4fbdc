"""The lines of a system's page as HTML, by hand: a year of releases is fifty lines on every one of its pages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.measures import differences_in_measure, in_words
from leaderboard.board.model.ranking import rank, standing_in_words


def standing_lines(board: Board) -> dict[str, str]:
    """Every system's scores by its id: a `<tr>` and a line break per column of the board, ranked by that column.

    A range stands beside the rank by the board's own column alone: it says nothing of the other columns. Columns of one
    name, as of test and dev, are told apart by their groups. A submission is named where another one begins. All text
    is escaped.
    """
    lines: dict[str, str] = defaultdict(str)
    behind: dict[str, str] = defaultdict(str)
    names = Counter(column.name for column in board.columns)
    for column in board.columns:
        group = f" ({column.group})" if names[column.name] > 1 and column.group else ""
        has_ranges = column.key == board.rank_by and not board.by_column
        for system_id, cell, ranked in _ranks(rank(board.rows, column), column.key, has_ranges=has_ranges):
            head = _head(column, f"{column.name}{group}")
            if cell.submission and cell.submission != behind[system_id]:
                behind[system_id] = cell.submission
                head += f" <small>submission <code>{escape(fmt.short_id(cell.submission))}</code></small>"
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

    The releases stand in the order given; `heads` are those of `release_heads`. Between releases that were measured
    otherwise, or of another phase, stands a line that says so.
    """
    lines: dict[str, str] = defaultdict(str)
    part, breaks, last = 0, [""], None
    seen: dict[str, int] = {}
    for board in boards:
        if last is not None and (why := _why_apart(board, last)):
            part, breaks = part + 1, [*breaks, why]
        last = board
        for system_id, score, place in _places(board):
            if seen.setdefault(system_id, part) != part:
                told = escape("; ".join(breaks[seen[system_id] + 1 : part + 1]))
                lines[system_id] += f'<tr class="apart"><td colspan="4">Not comparable: {told}</td></tr>\n'
                seen[system_id] = part
            lines[system_id] += f"{heads[board.release]}{score}{place}</tr>\n"
    return lines


def _why_apart(board: Board, other: Board) -> str:
    """Why scores of two releases that follow each other cannot be compared; empty where they can."""
    if board.phase != other.phase:
        return "another phase"
    earlier, later = sorted((board, other), key=lambda one: one.release)
    return in_words(differences_in_measure(earlier, later))


def _places(board: Board) -> Iterator[tuple[str, str, str]]:
    """Every system's id, and the cells of its score and its place on an overall board."""
    if not board.by_column:
        for system_id, cell, place in _ranks(board.rows, board.rank_by):
            yield system_id, f'<td class="number">{fmt.score(cell.value)}</td>', place
        return
    for row in board.rows:
        if row.system_id is not None:
            place = standing_in_words(board, row, 0)
            yield row.system_id, f'<td class="number">{fmt.NONE}</td>', f'<td class="number">{place}</td>'


def _ranks(rows: Sequence[BoardRow], key: str, *, has_ranges: bool = True) -> Iterator[tuple[str, Cell, str]]:
    """Every system's id, its cell in a column, and its rank as a cell of its line, with its range where that is known.

    Ranges are of the column that ranks the board alone.
    """
    count = sum(row.rank is not None for row in rows)
    for row in rows:
        if row.system_id is not None:
            cell = row.cell(key)
            reason = f"<small>{escape(_hint(cell)) or 'not ranked'}</small>"
            span = fmt.rank_interval(row.rank_low, row.rank_high) if has_ranges else ""
            among = f"of {count}, range {span}" if span else f"of {count}"
            place = f"{row.rank} <small>{among}</small>" if row.rank is not None else reason
            yield row.system_id, cell, f'<td class="number">{place}</td>'


def _hint(cell: Cell) -> str:
    return fmt.reason(cell.undefined or "") or fmt.missing_seeds(cell.seeds, cell.seeds_wanted)


def _head(column: Column, name: str) -> str:
    title = f" <small>{escape(column.title)}</small>" if column.title != name else ""
    return escape(name) + title


def _score(cell: Cell) -> str:
    hint = f' title="{escape(_hint(cell))}"' if _hint(cell) else ""
    beside = f" {fmt.beside(cell.beside)}" if cell.beside is not None else ""
    half = fmt.half_width(cell.ci_low, cell.ci_high)
    beside += f" <small>{half}</small>" if half else ""
    small = "" if cell.deviation is None else f'<small class="under">{fmt.deviation(cell.deviation)}</small>'
    return f'<td class="number"{hint}>{fmt.score(cell.value)}{beside}{small}</td>'
