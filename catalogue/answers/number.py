"""A number in a range."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from sys import float_info
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers, check_range, check_shape
from catalogue.answers.base import AlsoWritten, AnswerKind, Bounded, check_order
from catalogue.answers.ordered_class import MOST_CLASSES
from catalogue.answers.reading import (
    INTEGER,
    LONGEST_NUMBER,
    NUMBER,
    NUMBER_BYTES,
    AnswerReader,
    explain_number,
    number_fault,
    number_in,
)
from catalogue.answers.structured.accepted import AcceptedAnswers
from catalogue.problems import FaultKind, Finding
from catalogue.section import Section

STEPS_OF_GOLD = 1000  # in 1: gold numbers are counted at three decimals


@dataclass(frozen=True, slots=True)
class Number(Bounded):
    """A finite number in `low`..`high`, both included. Canonical array: float64, shape (n_items,).

    With `clip` an answer that lies outside counts as the nearer end; gold labels never do.
    """

    key = "number"
    stored_name = "Number"
    phrase = "a number"
    title = "A number"
    instruction = "Give each item a number."
    metric = "pearson"
    dtype = np.dtype("<f8")
    is_continuous = True
    may_accept_several = True

    low: float
    high: float
    clip: bool = False

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        low, high = output.real("low"), output.real("high")
        check_order(output, low, high)
        return cls(low, high, output.flag("clip", default=False))

    @property
    def gold(self) -> AnswerKind:
        if self.several:
            return AcceptedAnswers(self.alone)
        return replace(self, clip=False) if self.clip else self

    def declaration(self) -> dict[str, Any]:
        """Without `clip` where it is not declared: digests of before it existed stay as they are."""
        declared = Bounded.declaration(self)
        return declared if self.clip else {key: declared[key] for key in declared if key != "clip"}

    def outcomes(self) -> int:
        """Numbers are counted at three decimals: their gold labels are not looked at."""
        return round((self.high - self.low) * STEPS_OF_GOLD) + 1

    def describe(self) -> str:
        ends = f"a number from {self.low:g} to {self.high:g}"
        return f"{ends}; what lies outside counts as the nearer end" if self.clip else ends

    def check(self, argument: str, answers: object) -> int:
        numbers = check_shape(argument, answers, (np.dtype(np.float64),), "float64 numbers")
        check_range(argument, numbers, self.low, self.high, f"numbers from {self.low} to {self.high}")
        return len(numbers)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return NumberReader(self, label_column)

    def sample(self) -> float:
        return self.low + (self.high - self.low) / 2

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return random.uniform(self.low, self.high, count)

    def commonest(self, labels: NDArray[Any]) -> Any:
        return np.clip(labels.mean(), self.low, self.high)  # rounding may lead out of a narrow range

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        different = set(cells)
        if not all(map(NUMBER.fullmatch, different)):
            return False
        values = [int(cell) for cell in different if INTEGER.fullmatch(cell)]
        return len(values) < len(different) or max(values, default=0) - min(values, default=0) >= MOST_CLASSES


class NumberReader(AnswerReader):
    def __init__(self, kind: Number, label_column: str) -> None:
        super().__init__((label_column,), kind.dtype, LONGEST_NUMBER)
        self._low, self._high = kind.low, kind.high
        self._is_clipped = kind.clip

    def value(self, cells: Sequence[str]) -> float | None:
        if not self._is_clipped:
            return number_in(cells[0], self._low, self._high)
        number = number_in(cells[0], -float_info.max, float_info.max)
        return None if number is None else min(max(number, self._low), self._high)

    def finding(self, cell: str) -> Finding:
        return explain_number(cell, self._low, self._high)

    def fault_kind(self, cell: str) -> FaultKind:
        return number_fault(cell), ""

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        (cells,) = columns
        if not all(map(NUMBER_BYTES.fullmatch, cells)):
            return None
        # Adding zero takes the sign off a negative zero, so that equal answers have equal bytes.
        numbers = np.fromiter(map(float, cells), dtype="<f8", count=len(cells)) + 0.0
        if self._is_clipped and np.isfinite(numbers).all():
            return np.clip(numbers, self._low, self._high)
        return numbers if self._low <= numbers.min() and numbers.max() <= self._high else None
