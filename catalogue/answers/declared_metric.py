"""A metric of a definition's own, as the definition states it."""

from typing import NamedTuple


class DeclaredMetric(NamedTuple):
    """`formula` is made of sums over items (`catalogue.metrics.own.formula`); values lie in `low`..`high`."""

    name: str
    formula: str
    higher_is_better: bool = True
    low: float = 0.0
    high: float = 1.0
