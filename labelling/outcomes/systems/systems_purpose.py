"""What every purpose has to say of itself whose units are what systems gave."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from labelling.models import Campaign
from labelling.outcomes.purpose import Purpose
from submissions.models import Submission


@dataclass(frozen=True, slots=True)
class JudgedMeasure:
    """A number that people's judgements give systems: the head of its column, and what it is."""

    key: str
    head: str
    title: str


class SystemsPurpose(Purpose):
    """A purpose whose units are drawn from submissions.

    measures : the numbers that it gives systems, on the board of the task
    draws : what `draw_units` may be told, of `sample`, `pairs_per_item`, `depth` and `documents`
    told : what becomes of the submissions, in a sentence for organisers
    """

    needs = frozenset({"task", "split"})
    measures: ClassVar[tuple[JudgedMeasure, ...]] = ()
    draws: ClassVar[tuple[str, ...]]
    told: ClassVar[str]

    @abstractmethod
    def draw_units(self, *, campaign: Campaign, submissions: Sequence[Submission], **chosen: Any) -> int:
        """Make units of what these submissions gave; returns how many. CannotChangeCampaign where it cannot."""
