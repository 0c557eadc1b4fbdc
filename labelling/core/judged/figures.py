"""What is said of a system: a number with its interval, from sums over items that are drawn again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.core.uncertainty.intervals import interval
from scoring.core.uncertainty.weights import item_weights

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """A number about a system with its 95 % interval; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


def with_range(value: float, drawn: Floats, low: float, high: float) -> JudgedFigure:
    """The number with the interval that its resamples give it, within the range of what is measured."""
    if np.isnan(value):
        return JudgedFigure(None)
    ends = interval(value, drawn, low, high)
    return JudgedFigure(value, ends.low, ends.high) if ends else JudgedFigure(value)


def weights_of(seed: bytes, count: int, replicates: int) -> Floats:
    """How often each of so many is drawn, and before all resamples once as they are: shape (1 + replicates, count)."""
    drawn = item_weights(seed, count, replicates).astype(np.float64)
    return np.concatenate([np.ones((1, count)), drawn])


def ratios(sums: Floats, counts: Floats) -> Floats:
    """Sums by counts; NaN where nothing is counted."""
    known = counts > 0
    nothing = np.full(np.broadcast(sums, counts).shape, np.nan)
    found: Floats = np.divide(sums, counts, out=nothing, where=known)
    return found


def places(names: Sequence[object]) -> dict[object, int]:
    """Where each of them stands, in a fixed order."""
    return {name: place for place, name in enumerate(sorted(set(names), key=repr))}
