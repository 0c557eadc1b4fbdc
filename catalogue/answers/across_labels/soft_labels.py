"""A probability for each label beside gold labels that are soft: the share of people who gave each label."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.across_labels.probabilities import (
    SUM_WITHIN,
    ProbabilityOfEach,
    ProbabilityReader,
    declared_sum_within,
)
from catalogue.answers.arrays import as_table
from catalogue.answers.base import AlsoWritten
from catalogue.answers.label import declared_labels
from catalogue.answers.reading import AnswerReader
from catalogue.section import Section

MOST_SOFT_LABELS = 100
_MOST_VOTES = 1_000_000
_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class SoftLabels(ProbabilityOfEach):
    """A probability for each of a fixed set of labels. Gold labels are the share of people who gave each label.

    Shares of an item add up to 1 within `sum_within`, in answers as in gold labels.
    """

    key = "soft_labels"
    stored_name = "SoftLabels"
    phrase = "shares of labels"
    title = "The share of people who give each label"
    instruction = "Give each item the share of people who give it each of the labels, from 0 to 1."
    metric = "cross_entropy"

    names: tuple[str, ...]
    sum_within: float = SUM_WITHIN

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = declared_labels(task)
        if len(labels) > MOST_SOFT_LABELS:
            task.wrong("labels", f"expected at most {MOST_SOFT_LABELS:,} labels with a share each")
        return cls(labels, declared_sum_within(output))

    @property
    def gold(self) -> "GoldShares":
        return GoldShares(self.names, self.sum_within)

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        """Each share but the last, which follows, is counted at three decimals: gold labels are not looked at."""
        return int((_STEPS + 1) ** (len(self.names) - 1))

    def describe(self) -> str:
        return f"a share for each of {len(self.names)} labels, which add up to 1"

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        """Where the label of the largest share, the first of equal ones, is one that most people gave."""
        shares, items = as_table(gold), np.arange(len(gold))
        return np.asarray(shares[items, as_table(answers).argmax(axis=1)] == shares.max(axis=1))

    def is_right(self, gold: str, answer: str) -> bool:
        shares, numbers = (list(map(float, text.split(" "))) for text in (gold, answer))
        return shares[numbers.index(max(numbers))] == max(shares)

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The mean of the gold labels."""
        return self.array([as_table(labels).mean(axis=0)])[0]


class GoldShares(SoftLabels):
    """The share of people who gave each label; files may hold how many people it were instead."""

    __slots__ = ()

    is_of_gold_alone = True

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ShareReader(self, self.columns(label_column), high=_MOST_VOTES)


class ShareReader(ProbabilityReader):
    """Reads shares that add up to 1, or whole numbers of people, which are divided by their sum."""

    def of_numbers(self, numbers: Sequence[float]) -> tuple[float, ...] | None:
        total = fsum(numbers)
        if total and all(map(float.is_integer, numbers)):
            return tuple(number / total for number in numbers)
        return ProbabilityReader.of_numbers(self, numbers) if max(numbers) <= 1 else None
