"""Affect in Tweets' rule for several labels, Ag2."""

from collections import Counter
from collections.abc import Mapping
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

_NEUTRAL = "neutral"


class Ag2(AggregationRule):
    """Labels of more than a quarter of the workers, or neutral, which is no label at all; or the item is set aside."""

    key = "ag2"
    title = "Ag2 of Affect in Tweets"
    question_kinds = ("several_labels",)
    settings = (RuleSetting("neutral", "option that says there is none", _NEUTRAL), FEWEST_ANSWERS)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        chosen = self.checked(settings, work.options)
        found: dict[str, Value | None] = {}
        for item, values in values_by_item(work).items():
            votes = Counter(label for value in values if isinstance(value, tuple) for label in value)
            neutral_votes = votes.pop(chosen["neutral"], 0)
            enough = len(values) >= chosen["fewest"]
            labels = labels_by_ag2(votes, neutral_votes, len(values)) if enough else None
            found[item] = None if labels is None else tuple(each for each in work.options if each in labels)
        return found

    def describe(self, settings: Settings) -> str:
        return (
            "An item has every label that more than 25 % of its workers chose. Where no label was chosen by at least "
            f"40 % and more than half chose “{settings.get('neutral', _NEUTRAL)}”, it is neutral and has no label. "
            "Where neither gives an answer, it is set aside."
        )

    def without_labels(self, settings: Settings) -> str:
        return str(settings.get("neutral", _NEUTRAL))

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        values = list(self.settle(work, settings, rng).values())
        return (
            RuleFigure("items with labels", sum(bool(value) for value in values)),
            RuleFigure("neutral items", values.count(())),
            RuleFigure("items set aside", values.count(None)),
        )


def labels_by_ag2(votes: Mapping[str, int], neutral_votes: int, annotators: int) -> frozenset[str] | None:
    """The labels of an item of which annotators could choose several (Affect in Tweets, E-c, rule Ag2).

    A label holds if more than 25 % of the annotators chose it. The item is neutral, and has no label, if no label
    was chosen by at least 40 % and more than 50 % said neutral. None where neither gives an answer: the item is
    set aside.

    Parameters
    ----------
    votes : mapping of label to int
        How many annotators chose the label.
    neutral_votes : int
        How many said that the item is neutral.
    annotators : int
        How many answered, at least 1 and at least as many as any count.

    References
    ----------
    Mohammad et al. (2018), doi:10.18653/v1/S18-1001, section 3.4.1.

    Examples
    --------
    >>> sorted(labels_by_ag2({"joy": 4, "love": 2, "fear": 1}, neutral_votes=0, annotators=7))
    ['joy', 'love']
    >>> labels_by_ag2({"joy": 2}, neutral_votes=4, annotators=7)
    frozenset()
    """
    if annotators < 1 or not all(0 <= count <= annotators for count in (*votes.values(), neutral_votes)):
        raise ValueError(f"Each count must be from 0 to the number of annotators, {annotators}.")
    # Whole numbers throughout, for 2 of 5 must be exactly 40 %.
    is_neutral = 2 * neutral_votes > annotators
    if is_neutral and not any(5 * count >= 2 * annotators for count in votes.values()):
        return frozenset()
    return frozenset(label for label, count in votes.items() if 4 * count > annotators) or None
