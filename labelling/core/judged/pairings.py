"""Which outputs people compare: every pair of systems as often as any other, and each as often on the left."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple


class DrawnPair(NamedTuple):
    """Two systems, by their numbers, whose outputs for an item are compared. `turn` counts the pairs of systems."""

    item: str
    left: int
    right: int
    turn: int


def drawn_pairs(
    items: Sequence[str], systems: Sequence[int], per_item: int | None, seed: object
) -> list[DrawnPair]:
    """`per_item` pairs of each item, or all where it is None.

    Any two pairs of systems come equally often, or one of them once more, and of each pair either system stands on the
    left equally often, or once more: which, and for which items, is drawn by lot from the seed.

    >>> [(pair.left, pair.right) for pair in drawn_pairs(["i", "j"], [1, 2], None, 7)]
    [(2, 1), (1, 2)]
    """
    pairs = list(combinations(systems, 2))
    count = len(pairs) if per_item is None else min(per_item, len(pairs))
    lot = Random(f"{seed}/pairs")  # noqa: S311  # an order, not a secret
    ordered = list(items)
    lot.shuffle(ordered)
    lot.shuffle(pairs)
    dealt = [
        (item, (place * count + more) % len(pairs))
        for place, item in enumerate(ordered)
        for more in range(count)
    ]
    sides = {turn: _sides(sum(at == turn for _, at in dealt), lot) for turn in range(len(pairs))}
    found = []
    for item, turn in dealt:
        left, right = pairs[turn] if sides[turn].pop() else reversed(pairs[turn])
        found.append(DrawnPair(item, left, right, turn))
    return found


def _sides(count: int, lot: Random) -> list[bool]:
    """Of so many comparisons whether the first system stands on the left."""
    half, odd = divmod(count, 2)
    sides = [True] * half + [False] * half + [lot.random() < 0.5] * odd
    lot.shuffle(sides)
    return sides
