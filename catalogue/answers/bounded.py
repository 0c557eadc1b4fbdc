"""What numbers and ordered classes share: they lie between a lowest and a highest."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.base import WithoutLabels
from catalogue.section import Section

_BINS = 10


class Bounded(WithoutLabels):
    """A kind whose answers lie in `low`..`high`, both included."""

    __slots__ = ()

    has_bounds = True

    low: float
    high: float

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def shown_example(self) -> float:
        return self.low

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        counts, edges = np.histogram(answers.astype(float), bins=_BINS, range=(self.low, self.high))
        ranges = [f"{start} to {end}" for start, end in pairwise(f"{edge:.3g}" for edge in edges)]
        return list(zip(ranges, counts.tolist(), strict=True))


def check_order(output: Section, low: float, high: float) -> None:
    """A mistake unless `low` is less than `high`."""
    if not low < high:
        output.wrong("high", f"expected more than `low`, which is {low}; found {high}")
