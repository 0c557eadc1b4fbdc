"""The mean of what workers gave."""

from math import fsum
from random import Random

from labelling.core.aggregation.rule import (
    FEWEST_ANSWERS,
    AggregationRule,
    RuleFigure,
    Settings,
    as_numbers,
    values_by_item,
)
from labelling.core.answers import Value, Work


class Mean(AggregationRule):
    """The arithmetic mean."""

    key = "mean"
    title = "mean"
    question_kinds = ("number", "ordered_class")
    settings = (FEWEST_ANSWERS,)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        fewest = self.checked(settings, work.options)["fewest"]
        return {
            item: fsum(as_numbers(values)) / len(values) if len(values) >= fewest else None
            for item, values in values_by_item(work).items()
        }

    def describe(self, settings: Settings) -> str:
        return "An item has the mean of its workers' numbers."

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        return ()
