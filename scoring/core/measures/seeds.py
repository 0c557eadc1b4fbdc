"""One system trained with several seeds: the mean of its scores and how far they spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt


@dataclass(frozen=True, slots=True)
class SeedSummary:
    """Mean and population standard deviation (divided by the number of seeds) of `count` scores."""

    mean: float
    deviation: float
    count: int


def summarise_seeds(scores: Sequence[float]) -> SeedSummary:
    """Mean and population standard deviation. ValueError without scores.

    >>> summarise_seeds([0.5, 0.75, 0.25, 0.5])
    SeedSummary(mean=0.5, deviation=0.1767766952966369, count=4)
    """
    if not scores:
        raise ValueError("`scores` must hold at least one score; it is empty.")
    if len(scores) == 1:
        return SeedSummary(scores[0] + 0.0, 0.0, 1)
    mean = fsum(scores) / len(scores)
    variance = fsum((score - mean) ** 2 for score in scores) / len(scores)
    return SeedSummary(mean, sqrt(variance), len(scores))
