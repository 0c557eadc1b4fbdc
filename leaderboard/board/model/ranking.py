"""Who stands where: order, shared ranks, and the best two values of every column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.spec import RowKind
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
