"""What a system's page tells of it: its place in each release, and the lines of its tables as HTML, by hand."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.measures import differences_in_measure, in_words
from leaderboard.board.model.ranking import first_places, firsts_in_words, rank_of

UNRANKED = "not ranked"


@dataclass(frozen=True, slots=True)
class PlaceInRelease:
    """What the overall board of a release says of a system: its score, and its rank of `among` with its range.

    `instead` stands in place of a rank: why there is none, or where each column is a ranking, how often it is first.
    """

    score: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    instead: str
    among: int


def places(board: Board) -> dict[str, PlaceInRelease]:
    """The place of every system of an overall board, by its id."""
    firsts = {id(row): count for row, count in first_places(board)} if board.by_column else {}
    among = len(board.ranked)
    found = {}
    for row in board.rows:
        if row.system_id is None:
            continue
        if board.by_column:
            said = firsts_in_words(board, firsts.get(id(row), 0))
            found[row.system_id] = PlaceInRelease(None, None, None, None, said, among)
        else:
            cell = row.cell(board.rank_by)
            instead = "" if row.rank is not None else _hint(cell) or UNRANKED
            found[row.system_id] = PlaceInRelease(
                cell.value, row.rank, row.rank_low, row.rank_high, instead, among
            )
    return found


def standing_lines(board: Board, row: BoardRow) -> str:
    """The scores of one of a board's rows: a `<tr>` and a line break per column of the board, ranked by that column.

    A range stands beside the rank by the board's own column alone: it says nothing of the other columns. Columns of one
    name, as of test and dev, are told apart by their groups. A submission is named where another one begins. All text
    is escaped.
    """
    lines, behind = "", ""
    names = Counter(column.name for column in board.columns)
    for column in board.columns:
        group = f" ({column.group})" if names[column.name] > 1 and column.group else ""
        cell, (rank, among) = row.cell(column.key), rank_of(row, board, column)
        has_range = column.key == board.rank_by and not board.by_column
        low, high = (row.rank_low, row.rank_high) if has_range else (None, None)
        place = PlaceInRelease(cell.value, rank, low, high, _hint(cell) or UNRANKED, among)
        head = _head(column, f"{column.name}{group}")
        if cell.submission and cell.submission != behind:
            behind = cell.submission
            head += f" <small>submission <code>{escape(fmt.short_id(cell.submission))}</code></small>"
        lines += f'<tr><th scope="row">{head}</th>{_score(cell)}{_ranked(place)}</tr>\n'
    return lines


def history_lines(
    boards: Iterable[Board], places: Mapping[int, PlaceInRelease], days: Mapping[int, str]
) -> str:
    """A system's places: a `<tr>` and a line break for each of the releases that it stands in, by their numbers.

    The boards are those of all releases of a benchmark, the newest first; of their rows nothing is read. `days` are
    their dates as HTML. Between releases that were measured otherwise, or of another phase, stands a line that says so.
    """
    lines, last = "", None
    apart: list[
        str
    ] = []  # why the release of the line to come is not to be compared with that of the line before
    for board in boards:
        if last is not None and (why := _why_apart(board, last)):
            apart.append(why)
        last = board
        if (place := places.get(board.release)) is None:
            continue
        if lines and apart:
            told = escape("; ".join(apart))
            lines += f'<tr class="apart"><td colspan="4">Not comparable: {told}</td></tr>\n'
        apart = []
        number = board.release
        lines += (
            f'<tr><th scope="row"><a href="/benchmarks/{board.benchmark}/releases/{number}/">Release {number}</a></th>'
            f'<td>{days[number]}</td><td class="number">{fmt.score(place.score)}</td>'
            f"{_ranked(place, is_small=not board.by_column)}</tr>\n"
        )
    return lines


def _why_apart(board: Board, other: Board) -> str:
    """Why scores of two releases that follow each other cannot be compared; empty where they can."""
    if board.phase != other.phase:
        return "another phase"
    earlier, later = sorted((board, other), key=lambda one: one.release)
    return in_words(differences_in_measure(earlier, later))


def _ranked(place: PlaceInRelease, *, is_small: bool = True) -> str:
    """The cell of a rank, with its range where that is known, or of what stands in its place."""
    if place.rank is None:
        said = f"<small>{escape(place.instead)}</small>" if is_small else escape(place.instead)
    else:
        span = fmt.rank_interval(place.rank_low, place.rank_high)
        said = f"{place.rank} <small>of {place.among}{f', range {span}' if span else ''}</small>"
    return f'<td class="number">{said}</td>'


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
