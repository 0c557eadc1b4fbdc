"""The label that more than half of the workers chose."""

from random import Random

from labelling.core.aggregation.rule import (
    FEWEST_ANSWERS,
    AggregationRule,
    RuleFigure,
    Settings,
    values_by_item,
)
from labelling.core.answers import Value, Work
from scoring.core.measures.votes import majority


class Majority(AggregationRule):
    """Three of five, and three of four: with half of the answers an item has no label."""

    key = "majority"
    title = "majority"
    question_kinds = ("one_label", "ordered_class", "yes_no", "which_of_two")
    settings = (FEWEST_ANSWERS,)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        fewest = self.checked(settings, work.options)["fewest"]
        return {
            item: majority(values, len(values) // 2 + 1) if len(values) >= fewest else None
            for item, values in values_by_item(work).items()
        }

    def describe(self, settings: Settings) -> str:
        return "An item has the label that more than half of its workers chose, and none where no label has so many."

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        return ()
