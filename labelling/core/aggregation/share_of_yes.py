"""The share of workers who said yes."""

from random import Random

from labelling.core.aggregation.rule import (
    FEWEST_ANSWERS,
    AggregationRule,
    RuleFigure,
    Settings,
    values_by_item,
)
from labelling.core.answers import Value, Work


class ShareOfYes(AggregationRule):
    """From 0 to 1. The mean over items of two annotators' shares is the correctness ratio of an attack."""

    key = "share_of_yes"
    title = "share of yes"
    question_kinds = ("yes_no",)
    settings = (FEWEST_ANSWERS,)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        fewest = self.checked(settings, work.options)["fewest"]
        return {
            item: values.count(True) / len(values) if len(values) >= fewest else None
            for item, values in values_by_item(work).items()
        }

    def describe(self, settings: Settings) -> str:
        return "An item has the share of its workers who said yes."

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        values = [value is True for values in values_by_item(work).values() for value in values]
        return (RuleFigure("share of yes among all answers", sum(values) / len(values) if values else None),)
