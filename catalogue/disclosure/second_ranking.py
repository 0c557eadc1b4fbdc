"""The noise of a ranking on items that have ranked before.

A first ranking is exact, and tells something of the labels that it ranks by. Whoever takes part in the next one may use
that. A quarter of a standard error of noise widens what is unsure of a score by 3 % and leaves an answer at most
½ ln(1 + m / 4 sigma²) = ½ ln 17 = 1.4 nats, two bits, of m labels, however many items there are.
"""

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Self

from catalogue.disclosure.keyed_draws import normal

SHARE_OF_ERROR = 0.25


@dataclass(frozen=True, slots=True)
class RankingNoise:
    """Gaussian noise of a score, drawn by its predictions; `deviation` is above 0, in units of the metric.

    `label_effect` is the most that one label can change the score; without a bound, what one item adds to a mean.
    """

    deviation: float
    label_effect: float
    low: float
    high: float

    @classmethod
    def of(cls, low: float, high: float, item_count: int, label_effect: float | None) -> Self | None:
        """The noise of a metric over so many items: a quarter of its largest standard error.

        The labels have no part in it, so the error is that of items that are as uncertain as can be.

        Parameters
        ----------
        low, high
            The ends of the metric.
        item_count
            Items that rank, at least 1.
        label_effect
            The most that one label can change the metric; None where that has no useful bound.

        Returns
        -------
        RankingNoise or None
            None where the metric has neither a bound nor two ends, so that no noise is known to fit it.
        """
        effects = [(high - low) / item_count, label_effect or 0.0]
        effect = max(filter(isfinite, effects))
        if not effect:
            return None
        return cls(SHARE_OF_ERROR * sqrt(item_count) * effect / 2, effect, low, high)

    def noised(self, score: float, *, key: bytes, predictions: bytes) -> float:
        """The score with the noise of these predictions, by their digest; between the ends of the metric."""
        return min(max(score + self.deviation * normal(key, predictions), self.low), self.high)
