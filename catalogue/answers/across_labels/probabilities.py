"""A probability for each label."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.across_labels.one_cell import OneCellReader, declared_writing, in_one_cell, one_cell
from catalogue.answers.arrays import Answers, as_rows, as_table, check_range, check_shape, probabilities_of
from catalogue.answers.base import AlsoWritten, AnswerKind
from catalogue.answers.label import Label, declared_labels
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape, WholeJson
from catalogue.answers.several_numbers import NumbersReader
from catalogue.problems import Finding, ProblemCode
from catalogue.section import Section, nearest

SUM_WITHIN = 1e-5
_MOST_LABELS = 1_000
_WIDEST = 0.5  # a sum that may be further from 1 is none that anybody minds
_ROUNDING = 1e-9  # of decimals in binary: .33333 three times is off by what is allowed, and no more


class ProbabilityOfEach(AnswerKind):
    """A probability for each of `names`, a fixed set of labels. Those of an item add up to 1 within `sum_within`.

    Canonical array: `probabilities_of(len(names))`, a field for each of `names`, shape (n_items,).
    """

    __slots__ = ()

    names_labels = True
    number_name, number_names = "probability", "probabilities"
    """What one number of an answer is called, and several."""

    names: tuple[str, ...]
    sum_within: float
    in_one_cell: str
    """How the numbers of an item stand in one cell (`CellWriting`); empty where each has a column or a key."""

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def sums_to_one(self) -> bool:
        return self.sum_within < inf

    @property
    def dtype(self) -> np.dtype[Any]:
        return probabilities_of(len(self.names))

    def check(self, argument: str, answers: object) -> int:
        rows = check_shape(argument, answers, (self.dtype,), f"{len(self.names)} probabilities each")
        check_range(argument, as_table(rows), 0, 1, "probabilities from 0 to 1")
        return len(rows)

    def only_answer(self, answers: Answers) -> str | None:
        """Answers that differ in any probability are not one: what is likeliest may be the same of all items."""
        is_one = len(answers) > 1 and not (as_table(answers) != as_table(answers[:1])).any()
        return self.texts(answers[:1])[0] if is_one else None

    @property
    def own_columns(self) -> tuple[str, ...]:
        return () if self.in_one_cell else self.names

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.WHOLE if self.in_one_cell else JsonShape.OBJECT

    def declaration(self) -> dict[str, Any]:
        """Without `in_one_cell` where it is empty: digests of before it existed stay as they are."""
        declared = AnswerKind.declaration(self)
        return {key: declared[key] for key in declared if key != "in_one_cell" or self.in_one_cell}

    def json_cells(self) -> tuple[JsonCell, ...]:
        if self.in_one_cell:
            return (one_cell(self.names, self.in_one_cell),)
        return tuple(
            JsonCell(is_number=True, expected=f"a {self.number_name}", name=name) for name in self.names
        )

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return self.in_its_cells(ProbabilityReader(self, self.names), label_column)

    def in_its_cells(self, numbers: NumbersReader, label_column: str, absent: str = "") -> AnswerReader:
        """The reader of numbers, or what reads them in one cell where they stand so."""
        if not self.in_one_cell:
            return numbers
        return OneCellReader(numbers, self.names, self.in_one_cell, label_column, absent)

    def written(self, answers: Answers) -> list[Any]:
        if self.in_one_cell:
            return [WholeJson(in_one_cell(self.names, row, self.in_one_cell)) for row in answers.tolist()]
        return [dict(zip(self.names, row, strict=True)) for row in answers.tolist()]

    def array(self, values: Iterable[Any]) -> Answers:
        return as_rows(np.array(list(values), dtype=np.float64).reshape(-1, len(self.names)))

    def sample(self) -> tuple[float, ...]:
        return (1 / len(self.names),) * len(self.names)

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return as_rows(random.dirichlet(np.ones(len(self.names)), count))

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        return self.examples(count, random)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a single column has no probabilities of several labels


@dataclass(frozen=True, slots=True)
class Probabilities(ProbabilityOfEach):
    """A probability for each of a fixed set of labels. Gold labels are one of the labels.

    Probabilities of an item add up to 1 within `sum_within`; infinity where they need not. `positive` is the label
    that metrics of one label are about. With `is_positive_alone`, of two labels, files hold the probability of
    `positive` under one column, and the other label has what is left to 1.
    """

    key = "probabilities"
    stored_name = "Probabilities"
    phrase = "a probability for each label"
    title = "A probability for each label"
    instruction = "Give each item a probability for each of the labels."
    metric = "log_loss"
    gold_is_one_label = True

    names: tuple[str, ...]
    positive: str = ""
    sum_within: float = SUM_WITHIN
    is_positive_alone: bool = False
    in_one_cell: str = ""

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = labels_with_probabilities(task)
        positive = output.text("positive", "")
        if positive and positive not in labels:
            output.wrong("positive", f"{positive!r} is not one of the labels{nearest(positive, labels)}")
        is_alone = output.flag("positive_alone", default=False)
        if is_alone and not (positive and len(labels) == 2):
            output.wrong("positive_alone", "expected two labels and which of them is `positive`")
        in_one = declared_writing(output)
        if in_one and is_alone:
            output.wrong("written", "means nothing beside `positive_alone`: a cell has one number")
        return cls(labels, positive, declared_sum_within(output), is_alone, in_one)

    @property
    def gold(self) -> Label:
        return Label(self.names)

    def outcomes(self) -> int:
        return len(self.names)

    def describe(self) -> str:
        if self.is_positive_alone:
            return f"the probability of {self.positive}, from 0 to 1"
        sums = ", which add up to 1" if self.sums_to_one else ""
        return f"a probability for each of {len(self.names)} labels{sums}"

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        """The label of the largest probability, the first of equal ones."""
        return np.asarray(as_table(answers).argmax(axis=1))

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(self.positions(answers) == gold)

    def is_right(self, gold: str, answer: str) -> bool:
        numbers = list(map(float, answer.split(" ")))
        return self.names[numbers.index(max(numbers))] == gold

    @property
    def own_columns(self) -> tuple[str, ...]:
        return () if self.is_positive_alone or self.in_one_cell else self.names

    @classmethod
    def columns_beside_gold(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        return labels

    @property
    def json_shape(self) -> JsonShape:
        if self.is_positive_alone:
            return JsonShape.ONE
        return JsonShape.WHOLE if self.in_one_cell else JsonShape.OBJECT

    def json_cells(self) -> tuple[JsonCell, ...]:
        cells = ProbabilityOfEach.json_cells(self)
        return (cells[self.names.index(self.positive)],) if self.is_positive_alone else cells

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        if self.is_positive_alone:
            return ProbabilityReader(self, (label_column,), self.names.index(self.positive))
        return ProbabilityOfEach.reader(self, label_column, also_written)

    def written(self, answers: Answers) -> list[Any]:
        if self.is_positive_alone:
            return list(as_table(answers)[:, self.names.index(self.positive)].tolist())
        return ProbabilityOfEach.written(self, answers)

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        table = random.dirichlet(np.ones(len(self.names)), count)
        if self.is_positive_alone:
            other = 1 - self.names.index(self.positive)
            table[:, other] = 1 - table[:, 1 - other]
        return as_rows(table)

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The share of each of the gold labels."""
        return self.array([np.bincount(labels, minlength=len(self.names)) / len(labels)])[0]

    @classmethod
    def answer_key(cls, gold_key: str) -> str:
        return "probabilities"


def labels_with_probabilities(task: Section) -> tuple[str, ...]:
    """The declared labels, as many as may have a probability each."""
    labels = declared_labels(task)
    if len(labels) > _MOST_LABELS:
        task.wrong("labels", f"expected at most {_MOST_LABELS:,} labels with a probability each")
    return labels


def declared_sum_within(output: Section) -> float:
    """How far from 1 a sum may be, as a definition says it; infinity where numbers need not add up to 1."""
    within = output.real("sum_within") if output.has("sum_within") else SUM_WITHIN
    if not 0 < within <= _WIDEST:
        output.wrong("sum_within", f"expected a number above 0 and up to {_WIDEST:g}, found {within:g}")
    return within if output.flag("sums_to_one", default=True) else inf


class ProbabilityReader(NumbersReader):
    """Reads the probabilities of all labels, or that of the label at the place `alone`; each is `high` at most."""

    code_together = ProblemCode.PROBABILITY_SUM

    def __init__(
        self, kind: ProbabilityOfEach, columns: tuple[str, ...], alone: int | None = None, high: float = 1
    ) -> None:
        super().__init__(columns, kind.dtype, kind.names, kind.number_name, 0, high)
        self._is_alone, self._within, self._called = alone is not None, kind.sum_within, kind.number_names
        self._place = alone or 0

    def of_numbers(self, numbers: Sequence[float]) -> tuple[float, ...] | None:
        if self._is_alone:
            (number,) = numbers
            return (number, 1 - number) if self._place == 0 else (1 - number, number)
        return tuple(numbers) if abs(fsum(numbers) - 1) <= self._within + _ROUNDING else None

    def wrong_together(self, cells: Sequence[str]) -> Finding:
        total = fsum(map(float, cells))
        message = (
            f"The {self._called} of this item add up to {total:.6g}. Give {self._called} that add up to 1; "
            f"the sum may be off by {self._within:g}."
        )
        expected = f"a sum of 1, give or take {self._within:g}"
        return Finding(self.code_together, message, f"{total:.6g}", expected)

    def array(self, values: Iterable[Any]) -> Answers:
        width = len(self.dtype.names or ())
        return as_rows(np.array(list(values), dtype=np.float64).reshape(-1, width))

    def of_table(self, table: NDArray[np.float64]) -> Answers | None:
        if self._is_alone:
            return as_rows(np.hstack([table, 1 - table] if self._place == 0 else [1 - table, table]))
        return as_rows(table) if np.abs(table.sum(axis=1) - 1).max() <= self._within else None
