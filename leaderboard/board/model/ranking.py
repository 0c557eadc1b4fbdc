"""Who stands where: order and shared ranks."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.standouts import can_rank, standouts_of


def rank(rows: Sequence[BoardRow], column: Column) -> tuple[BoardRow, ...]:
    """The rows in the order of the board, every system with a value ranked by it.

    Equal values share a rank and use up the ranks after it (1, 2, 2, 4). Rows of other kinds and systems of
    which seeds are missing stand where their value falls, after ranked systems of equal value, and carry no
    rank. A row without a value stands below all that have one, whichever direction is better, and carries no
    rank either.
    """
    ordered = sorted(rows, key=lambda row: sort_key(row, column))
    known: dict[float | None, int] = {}
    ranked = (row for row in ordered if can_rank(row, column))
    for place, row in enumerate(ranked, start=1):
        known.setdefault(row.value(column.key), place)
    return tuple(_with_rank(row, _rank_of(row, column, known)) for row in ordered)


def rank_of(row: BoardRow, board: Board, column: Column) -> tuple[int | None, int]:
    """The rank of one of a board's rows by a column, see `rank`, and how many systems have one."""
    values, own = board.values_to_rank(column.key), row.value(column.key)
    if own is None or not can_rank(row, column):
        return None, len(values)
    return place_among(values, own, column), len(values)


def place_among(values: Sequence[float], own: float, column: Column) -> int:
    """The place, from 1, of a value among these, which stand in rising order: one behind all that are better."""
    better = len(values) - bisect_right(values, own) if column.higher_is_better else bisect_left(values, own)
    return 1 + better


def unranked(rows: Sequence[BoardRow], columns: Sequence[Column]) -> tuple[BoardRow, ...]:
    """The rows without a rank, for a board on which each column is a ranking of its own.

    Systems stand before all others; whoever is first in more columns comes first, then whoever stands in more.
    """
    bare = [_with_rank(row, None) for row in rows]
    firsts = Counter(at for column in columns for at in standouts_of(bare, column).best)
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
    counts = Counter(at for of_column in board.standouts.values() for at in of_column.best)
    return [
        (board.rows[at], count) for at, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def standing_in_words(board: Board, row: BoardRow, ranked: int) -> str:
    """Where a row stands, "rank 2 of 9, range 2-3"; where each column is a ranking, of how many it is the first."""
    if board.by_column:
        return firsts_in_words(
            board, next((count for leader, count in first_places(board) if leader is row), 0)
        )
    if row.rank is None:
        return "no rank"
    span = fmt.rank_interval(row.rank_low, row.rank_high)
    return f"rank {row.rank} of {ranked}{f', range {span}' if span else ''}"


def firsts_in_words(board: Board, count: int) -> str:
    """In how many columns somebody is the first, where each is a ranking of its own."""
    return f"first in {count} of {len(board.columns)} rankings"


def leaders(board: Board, columns: Sequence[Column]) -> list[list[BoardRow]]:
    """Per column the systems with its best value, in the order of the board."""
    return [[board.rows[index] for index in sorted(board.standouts[column.key].best)] for column in columns]


def sort_key(row: BoardRow, column: Column) -> tuple[Any, ...]:
    """Value, then what can be ranked before the rest, then names: always the same order."""
    value = row.value(column.key)
    names = (row.team.casefold(), row.system.casefold(), row.team, row.system, row.system_id or "")
    is_other = not can_rank(row, column)
    if value is None:
        return (True, 0.0, is_other, *names)
    return (False, -value if column.higher_is_better else value, is_other, *names)


def _rank_of(row: BoardRow, column: Column, ranks: Mapping[float | None, int]) -> int | None:
    """One more than the number of systems placed before every system of the same value."""
    value = row.value(column.key)
    return ranks[value] if value is not None and can_rank(row, column) else None


def _with_rank(row: BoardRow, place: int | None) -> BoardRow:
    if place is None:
        return row._replace(rank=None, rank_low=None, rank_high=None, leads=None, ahead_of=None)
    return row._replace(rank=place)


def shade(value: float, ends: tuple[float, float]) -> int:
    """How strongly a value is shaded between the worst and the best, 0..4; where these are equal it is the best."""
    worst, best = ends
    return 4 if worst == best else min(int((value - worst) / (best - worst) * 5), 4)
