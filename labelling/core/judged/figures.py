"""What is said of a system: a number with its interval, from sums over items that are drawn again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.core.uncertainty.intervals import interval
from scoring.core.uncertainty.weights import item_weights

Floats: TypeAlias = NDArray[np.float64]

ONE_ALONE = (
    "There are no intervals: they need two items at least, or two groups of items that belong together, and all that "
    "was judged is one."
)


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """A number about a system with its 95 % interval; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """Where each item stands, and how often it is drawn: `weights` of shape (1 + replicates, items), first once each.

    `units` counts what is drawn: groups of items that belong together, or items where each stands for itself.
    """

    places: dict[object, int]
    weights: Floats
    units: int


def drawn_items(
    items: Sequence[str], belongs: Mapping[str, int], *, seed: bytes, replicates: int
) -> DrawnItems:
    """Items drawn again: together those of which `belongs` says that they belong to the same, and others alone."""
    found = places(items)
    named = [belongs.get(str(item), item) for item in found]
    at = places(named)
    weights = weights_of(seed + b"/items", max(1, len(at)), replicates)
    return DrawnItems(found, weights[:, [at[name] for name in named]], len(at))


def with_range(drawn: Floats, low: float, high: float, *, has_range: bool = True) -> JudgedFigure:
    """The first number with the interval that the others, its resamples, give it within the range of its measure."""
    value = float(drawn[0])
    if np.isnan(value):
        return JudgedFigure(None)
    ends = interval(value, drawn[1:], low, high) if has_range else None
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
