"""In which order a worker sees options and the texts of a tuple: it follows from seed and worker."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


def drawn_order(things: Sequence[Thing], seed: int, worker: int, of: str) -> list[Thing]:
    """The things in the order that one worker sees them in; `of` says what they belong to, such as a unit's key."""
    order = list(things)
    Random(f"{seed}/{worker}/{of}").shuffle(order)  # noqa: S311  # an order, not a secret
    return order
