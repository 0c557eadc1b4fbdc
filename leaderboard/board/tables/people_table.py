"""What people gave systems, as a table below a board that is ranked by something else."""

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column

BY_PEOPLE = "Judged by people"
"""The head over columns of numbers that people gave."""


@dataclass(frozen=True, slots=True)
class PeopleHead:
    """The head of a column, and what its numbers are."""

    title: str
    hint: str


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A system that people judged, with each number and its interval."""

    system: str
    team: str
    numbers: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PeopleTable:
    """The systems that people judged, the best by the first column first."""

    heads: Sequence[PeopleHead]
    lines: Sequence[JudgedLine]


def people_table(board: Board) -> PeopleTable | None:
    """What people gave the systems of a board; None where they judged none."""
    columns = [column for column in board.columns if column.group == BY_PEOPLE]
    judged = [row for row in board.rows if any(row.value(column.key) is not None for column in columns)]
    if not judged:
        return None
    first = columns[0].key
    judged.sort(key=lambda row: (row.value(first) is None, -(row.value(first) or 0.0)))
    heads = [PeopleHead(column.title, f"{column.name}: {column.metric_title}") for column in columns]
    return PeopleTable(heads, [_line(row, columns) for row in judged])


def _line(row: BoardRow, columns: Sequence[Column]) -> JudgedLine:
    cells = [row.cell(column.key) for column in columns]
    numbers = [(fmt.score(cell.value), fmt.interval(cell.ci_low, cell.ci_high)) for cell in cells]
    return JudgedLine(row.system, row.team, numbers)
