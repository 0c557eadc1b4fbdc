"""Coin weighing (Lindström 1965, doi:10.4153/CMB-1965-034-2): few chosen predictions recover every binary label."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8]
Weighed = dict[int, int]


class Weighing:
    """2^k predictions and one more that tell k·2^(k-1) labels.

    A column is a pair (a, j): a non-empty subset of k things as bits, and j below its size. Prediction b marks the
    items whose column has a 1 there: of the even subsets of a, the first 2^j.
    """

    def __init__(self, k: int) -> None:
        self.sets = 1 << k
        self.columns = [(a, j) for a in range(1, self.sets) for j in range(a.bit_count())]
        self.even = {a: [b for b in _subsets(a) if b.bit_count() % 2 == 0] for a in range(1, self.sets)}

    def predictions(self) -> Iterator[Codes]:
        """All 0 first, then one for each subset b."""
        yield np.zeros(len(self.columns), dtype=np.uint8)
        for b in range(self.sets):
            yield self._marked(b).astype(np.uint8)

    def labels(self, weighed: Sequence[int]) -> Codes:
        """The labels, from how many marked items of each prediction have the label 1."""
        found = np.zeros(len(self.columns), dtype=np.uint8)
        marked = np.array([self._marked(b) for b in range(self.sets)])
        for a in sorted(range(1, self.sets), key=int.bit_count, reverse=True):
            below = np.array(list(_subsets(a)))
            signs = np.array([(-1) ** int(b).bit_count() for b in below])
            rest = np.array(weighed)[below] - marked[below] @ found.astype(np.int64)
            total = int((signs * rest).sum())
            for j in range(a.bit_count()):
                found[self.columns.index((a, j))] = total >> j & 1
        return found

    def _marked(self, b: int) -> NDArray[np.bool_]:
        return np.array([b & a in self.even[a][: 1 << j] for a, j in self.columns])


def through(
    weighing: Weighing,
    ask: Callable[[Codes], float],
    read: Callable[[float, Codes, float], int],
) -> Codes:
    """The labels by asking for a score of each prediction; `read` gets it, the prediction and the score of all 0."""
    first, *others = weighing.predictions()
    base = ask(first)
    return weighing.labels([read(ask(marked), marked, base) for marked in others])


def _subsets(a: int) -> Iterator[int]:
    b = a
    while True:
        yield b
        if not b:
            return
        b = (b - 1) & a
