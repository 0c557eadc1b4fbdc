"""One of consecutive whole numbers, or one of labels that stand in an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import check_range, check_shape
from catalogue.answers.base import AlsoWritten, AnswerKind, Bounded, check_order, counted
from catalogue.answers.label import Label, declared_labels
from catalogue.answers.reading import INTEGER, NUMBER, AnswerReader
from catalogue.gold_column import GoldColumn
from catalogue.problems import FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.section import Section

# Whole numbers that span more than so many values are taken for numbers, not for classes.
MOST_CLASSES = 11
_LOWEST, _HIGHEST = -999, 999
_MOST_SHOWN = 21
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class OrderedClass(Bounded):
    """One of consecutive whole numbers `low`..`high`, whose distance means something.

    Canonical array: the class itself, int16, shape (n_items,).
    """

    key = "ordered_classes"
    stored_name = "OrderedClasses"
    phrase = "ordered classes"
    title = "Ordered classes: whole numbers whose distance means something"
    instruction = "Give each item one of the classes."
    metric = "kappa_quadratic"
    dtype = np.dtype("<i2")
    may_accept_several = True

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

    def check(self, argument: str, answers: object) -> int:
        classes = check_shape(argument, answers, (np.dtype(np.int16),), "int16 classes")
        check_range(argument, classes, self.low, self.high, f"classes from {self.low} to {self.high}")
        return len(classes)

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(answers.astype(np.intp) - self.low)

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        if self.high - self.low < _MOST_SHOWN:
            return list(counted(self.classes, self.positions(answers)).items())
        return Bounded.distribution(self, answers)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ClassReader(self, label_column)

    def sample(self) -> int:
        return min(max(0, self.low), self.high)

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return random.integers(self.low, self.high, count, endpoint=True).astype(self.dtype)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        different = set(cells)
        if not all(map(INTEGER.fullmatch, different)):
            return False
        values = [int(cell) for cell in different]
        return len(different) > 2 and max(values) - min(values) < MOST_CLASSES


@dataclass(frozen=True, slots=True)
class OrderedLabel(Label):
    """One of a fixed set of labels that are declared from low to high, one step from each to the next.

    Canonical array: that of `Label`, so that a code is the number of steps above the lowest label.
    """

    key = "ordered_labels"
    stored_name = "OrderedLabels"
    phrase = "one of some labels in an order"
    title = "Labels in an order, such as A1 to C2: it counts how far off an answer is"
    instruction = "Give each item exactly one of the labels."
    metric = "kappa_quadratic_scale"
    may_have_parents = False
    labels_have_order = True

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        if task.has("never_right"):
            task.wrong("never_right", "means nothing where labels stand in an order; each has a place in it")
        return cls(declared_labels(task))

    @property
    def longest_distance(self) -> float:
        return len(self.names) - 1

    def describe(self) -> str:
        return f"one of {len(self.names)} labels, from {self.names[0]} to {self.names[-1]}"

    def numbers(self) -> dict[str, Any]:
        return AnswerKind.numbers(self)

    def likeness(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.float64]:
        return -np.abs(gold.astype(np.float64) - answers.astype(np.float64))

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # no table says that its labels stand in an order

    @classmethod
    def labels_in(cls, column: GoldColumn) -> tuple[str, ...]:
        """Numbers by their size, and else in the order of the alphabet, which may be another than the one meant."""
        labels = set(column.words)
        if all(map(NUMBER.fullmatch, labels)):
            return tuple(sorted(labels, key=lambda label: (float(label), label)))
        return tuple(sorted(labels))


ORDERED = (OrderedClass, OrderedLabel)


class ClassReader(AnswerReader):
    """Reads a whole number, alone or followed by a colon and words that nobody compares."""

    def __init__(self, kind: OrderedClass, label_column: str) -> None:
        super().__init__((label_column,), kind.dtype, _LONGEST)
        self._low, self._high = kind.low, kind.high
        self._expected = f"a class from {kind.low} to {kind.high}, such as “{kind.high}”"

    def value(self, cells: Sequence[str]) -> int | None:
        number = cells[0].partition(":")[0]
        if not INTEGER.fullmatch(number):
            return None
        return int(number) if self._low <= int(number) <= self._high else None

    def fault_kind(self, cell: str) -> FaultKind:
        if not cell:
            return ProblemCode.EMPTY_LABEL, ""
        is_whole = INTEGER.fullmatch(cell.partition(":")[0])
        return (ProblemCode.CLASS_OUT_OF_RANGE if is_whole else ProblemCode.CLASS_WITHOUT_NUMBER), ""

    def finding(self, cell: str) -> Finding:
        code, _ = self.fault_kind(cell)
        if code is ProblemCode.EMPTY_LABEL:
            return Finding(code, f"The class is empty. Give {self._expected}.", "", self._expected)
        if code is ProblemCode.CLASS_OUT_OF_RANGE:
            return Finding(
                code,
                f"{quoted(cell)} is no class of this task; its classes are {self._low} to {self._high}.",
                visible(cell),
                self._expected,
            )
        return Finding(
            code,
            f"{quoted(cell)} does not begin with a whole number and a colon. Give {self._expected}.",
            visible(cell),
            self._expected,
        )
