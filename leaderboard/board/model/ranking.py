"""Who stands where: order, shared ranks, and the best two values of every column."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column


@dataclass(frozen=True, slots=True)
class Standouts:
    """Indexes of the rows that hold the best and the second best value of one column."""

    best: frozenset[int]
    second: frozenset[int]


def rank(rows: Sequence[BoardRow], column: Column) -> tuple[BoardRow, ...]:
    """The rows in the order of the board, every system with a value ranked by it.

    Equal values share a rank and use up the ranks after it (1, 2, 2, 4). Rows of other kinds and systems of
    which seeds are missing stand where their value falls, after ranked systems of equal value, and carry no
    rank. A row without a value stands below all that have one, whichever direction is better, and carries no
    rank either.
    """
    ordered = sorted(rows, key=lambda row: sort_key(row, column))
    ranks: dict[float | None, int] = {}
    ranked = (row for row in ordered if _can_rank(row, column))
    for place, row in enumerate(ranked, start=1):
        ranks.setdefault(row.value(column.key), place)
    return tuple(_with_rank(row, _rank_of(row, column, ranks)) for row in ordered)


def standouts(board: Board) -> dict[str, Standouts]:
    """Per column, where the best and the second best value stand among all systems that have one there.

    Whether a system has a rank on the board does not matter: that is decided by another column. A value of which seeds
    are missing is passed over. Rows with equal values stand out together, so either set may hold several rows; `second`
    is empty where all systems are equal.
    """
    return {column.key: _standouts(board.rows, column) for column in board.columns}


def unranked(rows: Sequence[BoardRow], columns: Sequence[Column]) -> tuple[BoardRow, ...]:
    """The rows without a rank, for a board on which each column is a ranking of its own.

    Systems stand before all others; whoever is first in more columns comes first, then whoever stands in more.
    """
    bare = [_with_rank(row, None) for row in rows]
    firsts = Counter(at for column in columns for at in _standouts(bare, column).best)
    entered = [sum(row.value(column.key) is not None for column in columns) for row in bare]

    def place(at: int) -> tuple[Any, ...]:
        row = bare[at]
        return (
            row.kind is not RowKind.SYSTEM,
            -firsts[at],
            -entered[at],
            row.team.casefold(),
            row.system.casefold(),
        )

    return tuple(bare[at] for at in sorted(range(len(bare)), key=place))


def first_places(board: Board) -> list[tuple[BoardRow, int]]:
    """Each system that is first in some column with how many those are, the most first."""
    counts = Counter(at for column in board.columns for at in _standouts(board.rows, column).best)
    return [
        (board.rows[at], count) for at, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def standing_in_words(board: Board, row: BoardRow, ranked: int) -> str:
    """Where a row stands, "rank 2 of 9, range 2-3"; where each column is a ranking, of how many it is the first."""
    if board.by_column:
        firsts = next((count for leader, count in first_places(board) if leader is row), 0)
        return f"first in {firsts} of {len(board.columns)} rankings"
    if row.rank is None:
        return "no rank"
    span = fmt.rank_interval(row.rank_low, row.rank_high)
    return f"rank {row.rank} of {ranked}{f', range {span}' if span else ''}"


def leaders(board: Board, columns: Sequence[Column]) -> list[list[BoardRow]]:
    """Per column the systems with its best value, in the order of the board."""
    marks = standouts(board)
    return [[board.rows[index] for index in sorted(marks[column.key].best)] for column in columns]


def _standouts(rows: Sequence[BoardRow], column: Column) -> Standouts:
    values = {
        index: cell.value
        for index, row in enumerate(rows)
        if _can_rank(row, column) and (cell := row.cell(column.key)).value is not None
    }
    best_first = sorted(set(values.values()), reverse=column.higher_is_better)
    return Standouts(best=_holders(values, best_first[:1]), second=_holders(values, best_first[1:2]))


def _holders(values: Mapping[int, float], wanted: Sequence[float]) -> frozenset[int]:
    return frozenset(index for index, value in values.items() if value in wanted)


def _can_rank(row: BoardRow, column: Column) -> bool:
    return row.kind is RowKind.SYSTEM and row.cell(column.key).is_complete


def sort_key(row: BoardRow, column: Column) -> tuple[Any, ...]:
    """Value, then what can be ranked before the rest, then names: always the same order."""
    value = row.value(column.key)
    names = (row.team.casefold(), row.system.casefold(), row.team, row.system, row.system_id or "")
    is_other = not _can_rank(row, column)
    if value is None:
        return (True, 0.0, is_other, *names)
    return (False, -value if column.higher_is_better else value, is_other, *names)


def _rank_of(row: BoardRow, column: Column, ranks: Mapping[float | None, int]) -> int | None:
    """One more than the number of systems placed before every system of the same value."""
    value = row.value(column.key)
    return ranks[value] if value is not None and _can_rank(row, column) else None


def _with_rank(row: BoardRow, place: int | None) -> BoardRow:
    if place is None:
        return replace(row, rank=None, rank_low=None, rank_high=None, leads=None, ahead_of=None)
    return replace(row, rank=place)


def shade(value: float, ends: tuple[float, float]) -> int:
    """How strongly a value is shaded between the worst and the best, 0..4; where these are equal it is the best."""
    worst, best = ends
    return 4 if worst == best else min(int((value - worst) / (best - worst) * 5), 4)
