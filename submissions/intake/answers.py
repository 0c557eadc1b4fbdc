"""From the cells that answer an item to its canonical value, for every kind of output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from benchmarks.spec import FileFormat
from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    Answers,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Span,
)
from submissions.intake.labels import Labels
from submissions.intake.numbers import INTEGER, NUMBER_BYTES, explain_number, number_in
from submissions.intake.problems import Fault, Finding, ProblemCode, quoted, visible

_ONE = ord("1")
_ZERO = ord("0")
_LONGEST_CLASS = 200
_LONGEST_NUMBER = 40
_LONGEST_SPAN = 1_000
_GOLD_CONFIDENCE = 1.0


class AnswerReader(ABC):
    """Reads the answers of one file. `columns` are the ones an answer stands in.

    `is_closed` says that every answer is one of a few known texts.
    """

    is_closed = False

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns

    @property
    @abstractmethod
    def longest(self) -> int:
        """Bytes that a sensible answer needs at most."""

    @abstractmethod
    def value(self, cells: Sequence[str]) -> Any:
        """The canonical value of the cells, one per column; None if they are wrong."""

    @abstractmethod
    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        """What is wrong with cells that have no value."""

    def count_faults(self, cells: Sequence[str]) -> int:
        """How many faults `explain` would name."""
        return sum(1 for _ in self.explain(cells))

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        """True for cells that would be an answer, or nearly; a header's cells are none."""
        return self.value(cells) is not None

    @abstractmethod
    def array(self, values: Iterable[Any]) -> Answers:
        """The canonical array of such values."""

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        """The canonical array of whole columns of cells in UTF-8; None if any of them is wrong."""
        # There are few different answers, so each is looked at once.
        (cells,) = columns
        known = {cell: self._value_of_bytes(cell) for cell in set(cells)}
        return None if None in known.values() else self.array([known[cell] for cell in cells])

    def _value_of_bytes(self, cell: bytes) -> Any:
        try:
            return self.value((cell.decode(),))
        except UnicodeDecodeError:
            return None


class LabelAnswers(AnswerReader):
    """Exactly one label."""

    is_closed = True

    def __init__(self, output: Label, file: FileFormat) -> None:
        super().__init__((file.label_column,))
        self._labels = Labels(output.names, file.also_written)
        self._dtype = np.dtype("u1") if len(output.names) <= 256 else np.dtype("<u2")
        self._code_of_bytes = {name.encode(): code for name, code in self._labels.code_of.items()}

    @property
    def longest(self) -> int:
        return max(map(len, self._code_of_bytes))

    def value(self, cells: Sequence[str]) -> int | None:
        return self._labels.code_of.get(cells[0])

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        yield 0, self.columns[0], partial(self._labels.explain, cells[0])

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return self._labels.nearly(cells[0])

    def array(self, values: Iterable[int]) -> Answers:
        return np.array(list(values), dtype=self._dtype)

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        (cells,) = columns
        try:
            codes = map(self._code_of_bytes.__getitem__, cells)
            return np.fromiter(codes, dtype=self._dtype, count=len(cells))
        except KeyError:
            return None


class ClassAnswers(AnswerReader):
    """A whole number, alone or followed by a colon and words that nobody compares."""

    def __init__(self, output: OrderedClass, file: FileFormat) -> None:
        super().__init__((file.label_column,))
        self._low, self._high = output.low, output.high
        self._expected = f"a class from {output.low} to {output.high}, such as “{output.high}”"

    @property
    def longest(self) -> int:
        return _LONGEST_CLASS

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

    def array(self, values: Iterable[int]) -> Answers:
        return np.array(list(values), dtype="<i2")


class SubsetAnswers(AnswerReader):
    """A column of 0 and 1 per label."""

    def __init__(self, output: LabelSubset, file: FileFormat) -> None:
        super().__init__(output.names)
        self._weights = [1 << bit for bit in range(len(output.names))]

    @property
    def longest(self) -> int:
        return 2 * len(self.columns)

    def value(self, cells: Sequence[str]) -> int | None:
        if not all(cell in ("0", "1") for cell in cells):
            return None
        return sum(weight for cell, weight in zip(cells, self._weights, strict=True) if cell == "1")

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        for place, (column, cell) in enumerate(zip(self.columns, cells, strict=True)):
            if cell not in ("0", "1"):
                yield place, column, partial(self._finding, column, cell)

    def count_faults(self, cells: Sequence[str]) -> int:
        """How many cells are neither 0 nor 1."""
        return len(cells) - cells.count("0") - cells.count("1")

    def _finding(self, column: str, found: str) -> Finding:
        if not found:
            message = f"The cell for {quoted(column)} is empty. Write 1 if the label holds, else 0."
            return Finding(ProblemCode.EMPTY_LABEL, message, "", "0 or 1")
        message = f"{quoted(found)} is neither 0 nor 1. Write 1 if the label {quoted(column)} holds, else 0."
        return Finding(ProblemCode.NOT_ZERO_OR_ONE, message, visible(found), "0 or 1")

    def array(self, values: Iterable[int]) -> Answers:
        return np.array(list(values), dtype="<u8")

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        masks = np.zeros(len(columns[0]), dtype="<u8")
        for bit, cells in enumerate(columns):
            digits = np.frombuffer(b"".join(cells), dtype=np.uint8)
            if not _is_one_digit_each(cells, digits):
                return None
            masks |= (digits - _ZERO).astype("<u8") << np.uint64(bit)
        return masks


def _is_one_digit_each(cells: Sequence[bytes], digits: np.ndarray[Any, np.dtype[np.uint8]]) -> bool:
    if digits.size != len(cells) or set(map(len, cells)) != {1}:
        return False
    return bool(digits.min() >= _ZERO and digits.max() <= _ONE)


class NumberAnswers(AnswerReader):
    """A number in a range."""

    def __init__(self, output: Number, file: FileFormat) -> None:
        super().__init__((file.label_column,))
        self._low, self._high = output.low, output.high

    @property
    def longest(self) -> int:
        return _LONGEST_NUMBER

    def value(self, cells: Sequence[str]) -> float | None:
        return number_in(cells[0], self._low, self._high)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        yield 0, self.columns[0], partial(explain_number, cells[0], self._low, self._high)

    def array(self, values: Iterable[float]) -> Answers:
        return np.array(list(values), dtype="<f8")

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        (cells,) = columns
        if not all(map(NUMBER_BYTES.fullmatch, cells)):
            return None
        # Adding zero takes the sign off a negative zero, so that equal answers have equal bytes.
        numbers = np.fromiter(map(float, cells), dtype="<f8", count=len(cells)) + 0.0
        return numbers if self._low <= numbers.min() and numbers.max() <= self._high else None


class ConfidentAnswers(AnswerReader):
    """A label and its confidence. Gold labels have none; theirs is set to 1."""

    def __init__(self, output: ConfidentLabel, file: FileFormat) -> None:
        super().__init__((file.label_column,))
        self._labels = Labels(output.names, file.also_written)

    @property
    def longest(self) -> int:
        return max(len(name.encode()) for name in self._labels.names) + _LONGEST_NUMBER

    def value(self, cells: Sequence[str]) -> tuple[int, float] | None:
        code = self._labels.code_of.get(cells[0])
        confidence = number_in(cells[1], 0, 1) if len(cells) > 1 else _GOLD_CONFIDENCE
        return None if code is None or confidence is None else (code, confidence)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        if cells[0] not in self._labels.code_of:
            yield 0, self.columns[0], partial(self._labels.explain, cells[0])
        if len(cells) > 1 and number_in(cells[1], 0, 1) is None:
            yield 1, self.columns[0], partial(explain_number, cells[1], 0, 1, "confidence")

    def array(self, values: Iterable[tuple[int, float]]) -> Answers:
        return np.array(list(values), dtype=LABEL_WITH_CONFIDENCE)


class SpanAnswers(AnswerReader):
    """A span of the item's text, as text."""

    def __init__(self, output: Span, file: FileFormat) -> None:
        super().__init__((file.label_column,))

    @property
    def longest(self) -> int:
        return _LONGEST_SPAN

    def value(self, cells: Sequence[str]) -> str | None:
        return cells[0] if cells[0].strip() else None

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        yield 0, self.columns[0], partial(self._finding, cells[0])

    def _finding(self, found: str) -> Finding:
        message = "The span is empty. Give a part of the item's text."
        return Finding(ProblemCode.EMPTY_LABEL, message, visible(found), "a span of text")

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return False  # any text could be a span

    def array(self, values: Iterable[str]) -> Answers:
        return np.array(list(values), dtype=np.dtypes.StringDType())


_READERS: dict[type[AnswerKind], Any] = {
    Label: LabelAnswers,
    OrderedClass: ClassAnswers,
    LabelSubset: SubsetAnswers,
    Number: NumberAnswers,
    ConfidentLabel: ConfidentAnswers,
    Span: SpanAnswers,
}


@lru_cache(maxsize=512)
def answer_reader(output: AnswerKind, file: FileFormat) -> AnswerReader:
    """The reader for answers of that kind in such a file."""
    reader: AnswerReader = _READERS[type(output)](output, file)
    return reader
