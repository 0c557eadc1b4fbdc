"""The label chosen most often; of several, one is drawn."""

from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random
from typing import TypeVar

from labelling.core.aggregation.rule import (
    FEWEST_ANSWERS,
    AggregationRule,
    RuleFigure,
    Settings,
    values_by_item,
)
from labelling.core.answers import Value, Work

Chosen = TypeVar("Chosen", bound=Hashable)


class Plurality(AggregationRule):
    """As RAFT's human baseline is made, doi:10.48550/arXiv.2109.14076, appendix A.7."""

    key = "plurality"
    title = "plurality, ties drawn"
    question_kinds = ("one_label", "ordered_class", "yes_no")
    settings = (FEWEST_ANSWERS,)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        fewest = self.checked(settings, work.options)["fewest"]
        return {
            item: plurality(values, rng) if len(values) >= fewest else None
            for item, values in values_by_item(work).items()
        }

    def describe(self, settings: Settings) -> str:
        return "An item has the label that most of its workers chose; where several have as many, one of them is drawn."

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        return (RuleFigure("items whose label was drawn among several", len(tied_items(work))),)


def plurality(answers: Sequence[Chosen], rng: Random) -> Chosen:
    """The label chosen most often; of several, one is drawn.

    The answers' order does not matter: the same answers and the same state of `rng` give the same label.

    >>> plurality(["yes", "no", "yes"], Random(1))
    'yes'
    """
    return rng.choice(leading(answers))


def leading(answers: Sequence[Chosen]) -> list[Chosen]:
    """The labels that were chosen most often, sorted: more than one in a tie.

    >>> leading(["yes", "no", "maybe", "yes", "no"])
    ['no', 'yes']
    """
    if not answers:
        raise ValueError("`answers` must hold at least one answer; it is empty.")
    counts = Counter(answers)
    most = max(counts.values())
    return sorted((label for label, count in counts.items() if count == most), key=repr)


def tied_items(work: Work) -> dict[str, list[Value]]:
    """The items for which several labels were chosen most often, each with these labels."""
    found = {item: leading(values) for item, values in values_by_item(work).items() if values}
    return {item: labels for item, labels in found.items() if len(labels) > 1}
