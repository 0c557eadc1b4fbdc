"""The class in the middle of what workers chose."""

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


class Median(AggregationRule):
    """The middle one of the answers in their order; of an even number, one of the two in the middle is drawn."""

    key = "median"
    title = "median class"
    question_kinds = ("ordered_class",)
    settings = (FEWEST_ANSWERS,)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        fewest = self.checked(settings, work.options)["fewest"]
        return {
            item: _middle(as_numbers(values), rng) if len(values) >= fewest else None
            for item, values in values_by_item(work).items()
        }

    def describe(self, settings: Settings) -> str:
        return (
            "An item has the class in the middle of those that its workers chose; where two classes are in the middle, "
            "one of them is drawn."
        )

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        return ()


def _middle(classes: list[float], rng: Random) -> float:
    ordered = sorted(classes)
    return rng.choice([ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]])
