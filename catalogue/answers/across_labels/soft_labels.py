"""A probability for each label beside gold labels that are soft: the share of people who gave each label."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum, inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.across_labels.one_cell import declared_writing
from catalogue.answers.across_labels.probabilities import (
    SUM_WITHIN,
    ProbabilityOfEach,
    ProbabilityReader,
    declared_sum_within,
)
from catalogue.answers.arrays import as_table
from catalogue.answers.base import AlsoWritten
from catalogue.answers.label import declared_labels
from catalogue.answers.reading import NUMBER, AnswerReader, JsonCell
from catalogue.gold_column import GoldColumn
from catalogue.section import Section

MOST_SOFT_LABELS = 100
_MOST_VOTES = 1_000_000
_STEPS = 1_000
_ROUNDED_WITHIN = 0.02  # of shares with two decimals
_LOOKED_AT = 100
_NOBODY = "0"


@dataclass(frozen=True, slots=True)
class SoftLabels(ProbabilityOfEach):
    """A probability for each of a fixed set of labels. Gold labels are the share of people who gave each label.

    Shares of an item add up to 1 within `sum_within`, in answers as in gold labels; infinity where people may give
    several labels or none, so that they need not.
    """

    key = "soft_labels"
    stored_name = "SoftLabels"
    phrase = "shares of labels"
    number_name, number_names = "share", "shares"
    title = "The share of people who give each label"
    instruction = "Give each item the share of people who give it each of the labels, from 0 to 1."
    metric = "cross_entropy"
    gold_in_columns = True
    may_have_parents = True

    names: tuple[str, ...]
    sum_within: float = SUM_WITHIN
    in_one_cell: str = ""

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = declared_labels(task)
        if len(labels) > MOST_SOFT_LABELS:
            task.wrong("labels", f"expected at most {MOST_SOFT_LABELS:,} labels with a share each")
        return cls(labels, declared_sum_within(output), declared_writing(output))

    @property
    def gold(self) -> "GoldShares":
        return GoldShares(self.names, self.sum_within, self.in_one_cell)

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        """Each share but the last, which follows, is counted at three decimals: gold labels are not looked at."""
        return int((_STEPS + 1) ** (len(self.names) - 1))

    def describe(self) -> str:
        sums = ", which add up to 1" if self.sums_to_one else ""
        return f"a share for each of {len(self.names)} labels{sums}"

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

    @classmethod
    def columns_in(cls, columns: Sequence[GoldColumn]) -> tuple[str, ...]:
        """The longest run of neighbouring columns that hold shares, or votes of equally many people; of equal ones the
        first.
        """
        tables = [_numbers(column.cells[:_LOOKED_AT]) for column in columns]
        ends = combinations(range(len(columns) + 1), 2)
        for start, end in sorted(ends, key=lambda run: run[0] - run[1]):
            run = columns[start:end]
            looked_at = [table for table in tables[start:end] if table is not None]
            if 1 < len(looked_at) == len(run) <= MOST_SOFT_LABELS and _are_shares(
                np.stack(looked_at, axis=1)
            ):
                whole = [table for column in run if (table := _numbers(column.cells)) is not None]
                if len(whole) == len(run) and _are_shares(np.stack(whole, axis=1)):
                    return tuple(column.name for column in run)
        return ()

    @classmethod
    def output_in_columns(cls, columns: Sequence[GoldColumn], labels: Sequence[str]) -> dict[str, Any]:
        """Whether sums are as far from 1 as shares of few decimals are."""
        tables = [table for column in columns if (table := _numbers(column.cells)) is not None]
        sums = np.sum(tables, axis=0) if len(tables) == len(columns) else np.ones(1)
        is_rounded = SUM_WITHIN < np.abs(sums - 1).max() <= _ROUNDED_WITHIN
        return {"sum_within": _ROUNDED_WITHIN} if is_rounded else {}


class GoldShares(SoftLabels):
    """The share of people who gave each label; files may hold how many people it were instead."""

    __slots__ = ()

    is_of_gold_alone = True

    def json_cells(self) -> tuple[JsonCell, ...]:
        """Counts of who gave each label, as programs write them, have no key for labels that nobody gave."""
        cells = SoftLabels.json_cells(self)
        return cells if self.in_one_cell else tuple(replace(cell, absent=_NOBODY) for cell in cells)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        numbers = ShareReader(self, self.names, high=_MOST_VOTES if self.sums_to_one else 1)
        return self.in_its_cells(numbers, label_column, absent=_NOBODY)


class ShareReader(ProbabilityReader):
    """Reads shares that add up to 1, or whole numbers of people, which are divided by their sum.

    Where shares need not add up to 1 there are none but these: how many people were asked, no row says.
    """

    def of_numbers(self, numbers: Sequence[float]) -> tuple[float, ...] | None:
        if self._within == inf:
            return tuple(numbers)
        total = fsum(numbers)
        if total and all(map(float.is_integer, numbers)):
            return tuple(number / total for number in numbers)
        return ProbabilityReader.of_numbers(self, numbers) if max(numbers) <= 1 else None


def _numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """The numbers of a column, from 0 on; None where a cell holds anything else."""
    if not all(NUMBER.fullmatch(cell) for cell in cells):
        return None
    numbers = np.array(list(map(float, cells)))
    return numbers if numbers.size and numbers.min() >= 0 else None


def _are_shares(table: NDArray[np.float64]) -> bool:
    """Whether each row adds up to 1, with fractions, or to the same number of votes, more than 1 of them for a label.

    Ranks add up alike too; among votes there is some label that somebody did not get.
    """
    sums, is_whole = table.sum(axis=1), bool((table == np.floor(table)).all())
    if is_whole:
        return bool((sums == sums[0]).all() and table.max() > 1 and table.min() == 0)
    return bool(np.abs(sums - 1).max() <= _ROUNDED_WITHIN)
