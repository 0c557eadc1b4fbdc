"""What at least k workers chose."""

from collections import Counter
from random import Random

from labelling.core.aggregation.rule import (
    FEWEST_ANSWERS,
    AggregationRule,
    RuleFigure,
    RuleSetting,
    Settings,
    values_by_item,
)
from labelling.core.answers import Value, Work


class AtLeast(AggregationRule):
    """The label of at least k workers, where only one has so many; of several labels each that has.

    DynaSent takes 3 of 5 for gold labels, and 4 of 5 for those of dev and test (doi:10.18653/v1/2021.acl-long.186).
    """

    key = "at_least"
    title = "at least k workers"
    question_kinds = ("one_label", "ordered_class", "yes_no", "several_labels")
    settings = (
        RuleSetting("needed", "workers who must choose a label", 3, lowest=1, highest=1_000),
        FEWEST_ANSWERS,
    )

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        chosen = self.checked(settings, work.options)
        return {
            item: _reached(values, chosen["needed"], work.options)
            if len(values) >= chosen["fewest"]
            else None
            for item, values in values_by_item(work).items()
        }

    def describe(self, settings: Settings) -> str:
        needed = settings.get("needed", 3)
        return (
            f"An item has the label that at least {needed} of its workers chose. It has none where no label, or more "
            "than one of a question with one answer, has so many."
        )

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        return ()


def _reached(values: list[Value], needed: int, options: tuple[str, ...]) -> Value | None:
    """What reaches the number; None where nothing does, or where several single labels do."""
    if not values:
        return None
    if isinstance(values[0], tuple):
        votes = Counter(label for value in values if isinstance(value, tuple) for label in value)
        return tuple(label for label in options if votes[label] >= needed) or None
    reached = [value for value, count in Counter(values).items() if count >= needed]
    return reached[0] if len(reached) == 1 else None
