"""What numbers and ordered classes share: they lie between a lowest and a highest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.base import WithoutLabels
from catalogue.answers.number_texts import NUMBER
from catalogue.answers.reading import JSON_NUMBER, JsonCell
from catalogue.section import Section

_BINS = 10


class Bounded(WithoutLabels):
    """A kind whose answers lie in `low`..`high`, both included."""

    __slots__ = ()

    is_one_label: ClassVar = False
    is_one_text: ClassVar = False
    is_subset: ClassVar = False
    has_bounds: ClassVar = True
    needs_lists: ClassVar = False

    low: float
    high: float

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(gold == answers)

    def is_right(self, gold: str, answer: str) -> bool:
        return gold == answer

    def by_tenths(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        """How many answers lie in each tenth of the range."""
        counts, edges = np.histogram(answers.astype(float), bins=_BINS, range=(self.low, self.high))
        ranges = [f"{start} to {end}" for start, end in pairwise(f"{edge:.3g}" for edge in edges)]
        return list(zip(ranges, counts.tolist(), strict=True))

    def json_cells(self, *, is_gold: bool) -> tuple[JsonCell, ...]:
        return (JSON_NUMBER,)


def check_order(output: Section, low: float, high: float) -> None:
    """A mistake unless `low` is less than `high`."""
    if not low < high:
        output.wrong("high", f"expected more than `low`, which is {low}; found {high}")


def whole_numbers_around(cells: Sequence[str]) -> tuple[int, int]:
    """The highest whole number below, and the lowest above, all numbers among the cells; 0 and 1 without any."""
    values = [float(cell) for cell in cells if NUMBER.fullmatch(cell)]
    finite = [value for value in values if isfinite(value)] or [0.0, 1.0]
    return floor(min(finite)), ceil(max(finite))
