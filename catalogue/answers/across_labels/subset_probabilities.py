"""How likely each label is to hold, of which any number may."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.across_labels.one_cell import declared_writing
from catalogue.answers.across_labels.probabilities import (
    ProbabilityOfEach,
    ProbabilityReader,
    labels_with_probabilities,
)
from catalogue.answers.arrays import Answers, as_rows, as_table
from catalogue.answers.base import AlsoWritten
from catalogue.answers.reading import AnswerReader, JsonCell
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.section import Section

_HELD = (0.0, 1.0)
_LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class SubsetProbabilities(ProbabilityOfEach):
    """A probability for each of a fixed set of labels, any number of which may hold. Gold labels say which do.

    The probabilities of an item need not add up to anything.
    """

    key = "subset_probabilities"
    stored_name = "SubsetProbabilities"
    phrase = "how likely each label is"
    title = "How likely each label is, where any number of them may hold"
    instruction = "Give each item, for each label, the probability from 0 to 1 that it holds."
    metric = "average_precision_macro"
    gold_in_columns = True
    is_right_or_wrong = False
    sum_within = inf

    names: tuple[str, ...]
    in_one_cell: str = ""

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls(labels_with_probabilities(task), declared_writing(output))

    @property
    def gold(self) -> "HeldLabels":
        return HeldLabels(self.names, self.in_one_cell)

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        return 1 << len(self.names)

    def describe(self) -> str:
        return f"a probability for each of {len(self.names)} labels, any number of which may hold"

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        """Where the labels that are likelier than not are those that hold."""
        return np.asarray(((as_table(gold) > _LIKELY) == (as_table(answers) > _LIKELY)).all(axis=1))

    def is_right(self, gold: str, answer: str) -> bool:
        held, likely = ([float(number) > _LIKELY for number in text.split(" ")] for text in (gold, answer))
        return held == likely

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return as_rows(random.random((count, len(self.names))))

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The share of the items for which each label holds."""
        return self.array([as_table(labels).mean(axis=0)])[0]


class HeldLabels(SubsetProbabilities):
    """Which labels hold: 1 for each that does, 0 for each other. An object in JSON may leave out those that do not."""

    __slots__ = ()

    is_of_gold_alone = True

    def check(self, argument: str, answers: object) -> int:
        count = SubsetProbabilities.check(self, argument, answers)
        if not np.isin(as_table(np.asarray(answers)), _HELD).all():
            raise ValueError(f"`{argument}` must hold 1 for each label that holds, and 0 for each other.")
        return count

    def json_cells(self) -> tuple[JsonCell, ...]:
        cells = SubsetProbabilities.json_cells(self)
        return cells if self.in_one_cell else tuple(replace(cell, absent="0") for cell in cells)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return self.in_its_cells(_HeldReader(self, self.names), label_column, absent="0")

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return as_rows((random.random((count, len(self.names))) < _LIKELY).astype(float))


class _HeldReader(ProbabilityReader):
    """Reads 0 and 1."""

    code_together = ProblemCode.NOT_ZERO_OR_ONE

    def of_numbers(self, numbers: Sequence[float]) -> tuple[float, ...] | None:
        return tuple(numbers) if set(numbers).issubset(_HELD) else None

    def of_table(self, table: NDArray[np.float64]) -> Answers | None:
        return as_rows(table) if np.isin(table, _HELD).all() else None

    def wrong_together(self, cells: Sequence[str]) -> Finding:
        cell = next(cell for cell in cells if float(cell) not in _HELD)
        message = (
            f"{quoted(cell)} is neither 0 nor 1. Give 1 for each label that holds, and 0 for each other."
        )
        return Finding(self.code_together, message, visible(cell), "0 or 1")
