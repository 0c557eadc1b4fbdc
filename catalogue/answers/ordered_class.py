"""One of consecutive whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import check_range, check_shape
from catalogue.answers.base import Columns, Labels, counted, counted_cells, most_frequent
from catalogue.answers.bounded import Bounded, check_order, whole_numbers_around
from catalogue.answers.number_texts import INTEGER, NUMBER
from catalogue.answers.reading import AnswerReader
from catalogue.problems import Fault, Finding, ProblemCode, quoted, visible
from catalogue.section import Section

MOST_CLASSES = 11
"""Whole numbers that span more than so many values are taken for numbers, not for classes."""
_LOWEST, _HIGHEST = -999, 999
_MOST_SHOWN = 21
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class OrderedClass(Bounded):
    """One of consecutive whole numbers `low`..`high`, whose distance means something.

    Canonical array: the class itself, int16, shape (n_items,).
    """

    key: ClassVar = "ordered_classes"
    stored_name: ClassVar = "OrderedClasses"
    phrase: ClassVar = "ordered classes"
    title: ClassVar = "Ordered classes: whole numbers whose distance means something"
    instruction: ClassVar = "Give each item one of the classes."
    metric: ClassVar = "pearson"
    is_continuous: ClassVar = False

    low: int
    high: int

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        low, high = (output.number(key, low=_LOWEST, high=_HIGHEST) for key in ("low", "high"))
        check_order(output, low, high)
        return cls(low, high)

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.low, self.high + 1)))

    def outcomes(self) -> int:
        return self.high - self.low + 1

    def describe(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype("<i2")

    def check(self, argument: str, answers: object) -> int:
        classes = check_shape(argument, answers, (np.dtype(np.int16),), "int16 classes")
        check_range(argument, classes, self.low, self.high, f"classes from {self.low} to {self.high}")
        return len(classes)

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(answers.astype(np.intp) - self.low)

    def class_counts(self, answers: NDArray[Any]) -> dict[str, int]:
        return counted(self.classes, self.positions(answers))

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        if self.high - self.low < _MOST_SHOWN:
            return list(self.class_counts(answers).items())
        return self.by_tenths(answers)

    def reader(self, label_column: str, also_written: Labels = ()) -> AnswerReader:
        return ClassReader(self, label_column)

    def sample(self) -> int:
        return min(max(0, self.low), self.high)

    def shown_example(self) -> int:
        return self.low

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return random.integers(self.low, self.high, count, endpoint=True).astype(self.dtype)

    def commonest(self, labels: NDArray[Any]) -> Any:
        return most_frequent(labels)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        different = set(cells)
        if not all(map(INTEGER.fullmatch, different)):
            return False
        values = [int(cell) for cell in different]
        return len(different) > 2 and max(values) - min(values) < MOST_CLASSES

    @classmethod
    def bounds_of(cls, cells: Sequence[str]) -> tuple[float, float]:
        low, high = whole_numbers_around(cells)
        return float(low), float(max(high, low + 1))

    @classmethod
    def balance(cls, columns: Columns, labels: Sequence[str]) -> list[tuple[str, int]]:
        counts = counted_cells(columns)
        return sorted(counts.items(), key=lambda pair: float(pair[0]) if NUMBER.fullmatch(pair[0]) else 0.0)


class ClassReader(AnswerReader):
    """Reads a whole number, alone or followed by a colon and words that nobody compares."""

    def __init__(self, kind: OrderedClass, label_column: str) -> None:
        super().__init__((label_column,), kind.dtype)
        self._low, self._high = kind.low, kind.high
        self._expected = f"a class from {kind.low} to {kind.high}, such as “{kind.high}”"

    @property
    def longest(self) -> int:
        return _LONGEST

    def value(self, cells: Sequence[str]) -> int | None:
        number = cells[0].partition(":")[0]
        if not INTEGER.fullmatch(number):
            return None
        return int(number) if self._low <= int(number) <= self._high else None

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        yield 0, self.columns[0], partial(self._finding, cells[0])

    def _finding(self, found: str) -> Finding:
        if not found:
            message = f"The class is empty. Give {self._expected}."
            return Finding(ProblemCode.EMPTY_LABEL, message, "", self._expected)
        if INTEGER.fullmatch(found.partition(":")[0]):
            message = (
                f"{quoted(found)} is no class of this task; its classes are {self._low} to {self._high}."
            )
            return Finding(ProblemCode.CLASS_OUT_OF_RANGE, message, visible(found), self._expected)
        message = f"{quoted(found)} does not begin with a whole number and a colon. Give {self._expected}."
        return Finding(ProblemCode.CLASS_WITHOUT_NUMBER, message, visible(found), self._expected)
