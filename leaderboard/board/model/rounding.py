"""Numbers as they go out while gold labels are hidden: with four decimals, for more tell about the labels alone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict, to_dict

DECIMALS = 4


def rounded(value: Any) -> Any:
    """The value with four decimals of every float in it, in lists and dictionaries too; all else as it is."""
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0  # no zero with a sign
    if isinstance(value, Mapping):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return tuple(map(rounded, value)) if isinstance(value, tuple) else value


def with_few_decimals(board: Board) -> Board:
    """The board with four decimals of each of its numbers, which it says. Its ranks stay those of the exact scores."""
    return from_dict(rounded(to_dict(replace(board, decimals=DECIMALS))))


def is_same(one: float | None, other: float | None) -> bool:
    """Whether two published numbers are the same, also where only one of them was published with all its digits."""
    return one == other or rounded(one) == other or one == rounded(other)
