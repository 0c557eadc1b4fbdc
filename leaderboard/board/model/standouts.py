"""Which rows of a board hold the best two values of a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.spec import RowKind

if TYPE_CHECKING:
    from leaderboard.board.model.board import BoardRow, Column


@dataclass(frozen=True, slots=True)
class Standouts:
    """Indexes of the rows that hold the best and the second best value of one column."""

    best: frozenset[int]
    second: frozenset[int]


def standouts_of(rows: Sequence[BoardRow], column: Column) -> Standouts:
    """Where the best and the second best value of a column stand among all systems that have one there."""
    values = {
        index: cell.value
        for index, row in enumerate(rows)
        if can_rank(row, column) and (cell := row.cell(column.key)).value is not None
    }
    best_first = sorted(set(values.values()), reverse=column.higher_is_better)
    return Standouts(best=_holders(values, best_first[:1]), second=_holders(values, best_first[1:2]))


def can_rank(row: BoardRow, column: Column) -> bool:
    """Whether the row is a system whose value in a column, if there is one, lacks no seed."""
    return row.kind is RowKind.SYSTEM and row.cell(column.key).is_complete


def _holders(values: Mapping[int, float], wanted: Sequence[float]) -> frozenset[int]:
    return frozenset(index for index, value in values.items() if value in wanted)
