"""What scoring answers: one value per metric, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class ScoreValue:
    """One metric's value. Exactly one of `value` and `undefined` is None, and a value is always finite."""

    value: float | None
    undefined: str | None
    metric: str
    metric_version: int

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(f"A score of `{self.metric}` needs a value or the code of an undefined case.")
        if self.value is not None and not isfinite(self.value):
            raise ValueError(f"A score of `{self.metric}` must be finite; say undefined with a code instead.")


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The values of one comparison, in the order in which the metrics were asked for."""

    values: tuple[ScoreValue, ...]
    item_count: int

    def __getitem__(self, metric: str) -> ScoreValue:
        """The value of the metric of that name; KeyError where it was not asked for."""
        for value in self.values:
            if value.metric == metric:
                return value
        raise KeyError(metric)
