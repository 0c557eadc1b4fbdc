"""What every purpose of a campaign has to say of itself."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from benchmarks.models import Task
from labelling.core.aggregation import AGGREGATION_RULES, rules_for
from labelling.core.aggregation.rule import AggregationRule, RuleFigure
from labelling.core.answers import Value, Work
from labelling.models import Campaign, Unit
from scoring.models import GoldVersion


@dataclass(frozen=True)
class Settled:
    """What a rule made of the answers of a closed campaign.

    values : of each item its value; None where it is set aside
    figures : what the rule says of the whole
    units : the main units by their keys
    """

    campaign: Campaign
    work: Work
    values: Mapping[str, Value | None]
    figures: Sequence[RuleFigure]
    units: Mapping[str, Unit]
    now: dt.datetime

    def __repr__(self) -> str:
        return f"Settled({self.campaign})"  # its values may be gold labels

    @property
    def kept(self) -> dict[str, Value]:
        """Of each item that has one its value."""
        return {item: value for item, value in self.values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of it: figures that tell no item's label, and the gold labels that were made.

    values : of each item its value, where that is another than the rule's
    """

    report: Mapping[str, Any] = field(default_factory=dict)
    gold_version: GoldVersion | None = None
    values: Mapping[str, Value] | None = None

    def __repr__(self) -> str:
        return f"Finished({self.gold_version})"  # its values may be gold labels


class CannotFinish(Exception):
    """Why no outcome was made, in a sentence for organisers that tells no answer."""


class Purpose(ABC):
    """What becomes of the answers of a campaign.

    question_kinds : keys of the kinds of question that fit it
    rules : keys of the rules that fit it; None for all that read answers to such questions
    needs : which of `task`, `split`, `attack` and `after` a campaign of it must name
    may_use : which of them it may name besides
    no_labels : options that are no labels of a task; an item of which most say one has no gold label
    always_sealed : whether its answers tell of hidden labels whatever the organiser says
    has_row : whether boards show a row of the people who answer, which can be named
    cuts_scores : whether its units ask where classes begin on the scores of the campaign that it goes on from
    values_are_labels : whether what is asked must be labels of the task, where answers are always sealed
    """

    key: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    question_kinds: ClassVar[tuple[str, ...]]
    rules: ClassVar[tuple[str, ...] | None]
    needs: ClassVar[frozenset[str]] = frozenset()
    may_use: ClassVar[frozenset[str]] = frozenset()
    no_labels: ClassVar[tuple[str, ...]] = ()
    always_sealed: ClassVar[bool] = False
    has_row: ClassVar[bool] = False
    cuts_scores: ClassVar[bool] = False
    values_are_labels: ClassVar[bool] = True

    def offered_rules(self) -> list[AggregationRule]:
        """The rules that organisers choose from, the one that is proposed first."""
        if self.rules is None:
            return rules_for(self.question_kinds)
        return [AGGREGATION_RULES[key] for key in self.rules]

    def unfit(self, task: Task) -> str:
        """Why a campaign of it cannot be about a task; empty where it can."""
        return ""

    def proposal(self) -> dict[str, Any]:
        """Values of a new campaign that the protocol asks for."""
        return {}

    def sealing(self, split: str) -> bool | None:
        """Whether answers about a split, "" for none, must be sealed or must not be; None where the organiser says."""
        return True if self.always_sealed else None

    @abstractmethod
    def finish(self, settled: Settled) -> Finished:
        """Make of the values what the campaign was for. CannotFinish where that cannot be; then nothing is kept."""

    def is_due_again(self, report: Mapping[str, Any], campaign: Campaign) -> bool:
        """Whether an outcome with that report no longer fits what it was made from, such as older gold labels."""
        return False
