"""From the cells that answer an item to its canonical value, and back to what is wrong with cells."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from math import isfinite, isinf
from typing import Any

import numpy as np

from catalogue.answers.arrays import Answers
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, quoted, visible

# What counts as a number is a matter of ASCII digits, never of what `float` is willing to read.
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?"
NUMBER = re.compile(_NUMBER)
LONGEST_NUMBER = 40
NUMBER_BYTES = re.compile(_NUMBER.encode())
INTEGER = re.compile(r"[+-]?[0-9]{1,4}")
_DASHES = str.maketrans("\u2212\u2013\u2010", "---")  # minus sign, en dash, hyphen
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


class JsonShape(Enum):
    """How the cells of an answer stand in a JSON file."""

    ONE = auto()  # by itself
    LIST = auto()  # in a list, one place for each
    OBJECT = auto()  # in an object, each under its name
    MANY = auto()  # in a list of any length, all alike
    FRAME = auto()  # under keys of their own: a text, and an object from name to text or list of texts
    WHOLE = auto()  # whatever it is made of, in one cell as JSON writes it


class WholeJson(str):
    """A list or an object as JSON writes it: so it stands in a cell of a table, and in JSON as what it is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class JsonCell:
    """What a JSON file holds for one cell: a number, true or false, or else a text. `expected` says it in words.

    `name` is what stands for the cell in the pattern of a list of several, or the key of an object. A text has at most
    `longest` characters, among them line breaks if it `has_lines`; one that `may_be_list` may be a list of such texts
    as well. `absent` is what an object says of the cell that has no such key; empty where it must have it.
    """

    is_number: bool
    expected: str
    name: str = ""
    is_boolean: bool = False
    longest: int = 1_000
    has_lines: bool = False
    may_be_list: bool = False
    absent: str = ""

    @property
    def is_text(self) -> bool:
        return not (self.is_number or self.is_boolean)


JSON_TEXT = JsonCell(is_number=False, expected="text")
JSON_NUMBER = JsonCell(is_number=True, expected="a number")
JSON_BOOLEAN = JsonCell(is_number=False, expected="true or false without quotes", is_boolean=True)


class AnswerReader(ABC):
    """Reads the answers of one file. `columns` are the ones an answer stands in, `dtype` the type of the array,
    `longest` the bytes that a sensible answer needs at most.

    `is_closed` says that every answer is one of a few known texts; `may_be_empty`, that a cell without a character is
    one; `most_characters`, how many a cell of a file of lines may have; `most_lines`, how many lines an answer may take
    where it stands on several; `unanswered`, the value of an item that a file leaves out, None where it may leave out
    none.
    """

    is_closed = False
    may_be_empty = False
    most_characters = 1_000
    most_lines = 1
    unanswered: Any = None

    def __init__(self, columns: tuple[str, ...], dtype: np.dtype[Any], longest: int) -> None:
        self.columns = columns
        self.dtype = dtype
        self.longest = longest

    @abstractmethod
    def value(self, cells: Sequence[str]) -> Any:
        """The canonical value of the cells, one per column; None if they are wrong."""

    @abstractmethod
    def finding(self, cell: str) -> Finding:
        """What is wrong with a cell that has no value; of several cells the first."""

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        """What is wrong with cells that have no value."""
        yield 0, self.columns[0], partial(self.finding, cells[0])

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        """How many faults of each kind cells have that have no value."""
        return {self.fault_kind(cells[0]): 1}

    def fault_kind(self, cell: str) -> FaultKind:
        """The kind of what `finding` says; to be overridden where that is quicker without the sentence."""
        finding = self.finding(cell)
        return finding.code, finding.pattern

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        """True for cells that would be an answer, or nearly; a header's cells are none."""
        return self.value(cells) is not None

    def gives_away(self, cell: str) -> bool:
        """True for a cell among published texts that could be an answer."""
        return self.value((cell,)) is not None

    def array(self, values: Iterable[Any]) -> Answers:
        return np.array(list(values), dtype=self.dtype)

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        """The canonical array of whole columns of cells in UTF-8; None if any of them is wrong."""
        # There are few different answers, so each is looked at once.
        (cells,) = columns
        known = {cell: self._value_of_bytes(cell) for cell in set(cells)}
        return None if None in known.values() else self.array([known[cell] for cell in cells])

    def of_rows(self, rows: Iterable[Sequence[str]]) -> Answers | None:
        """The canonical array of the cells of each item; None if any of them are wrong."""
        values = list(map(self.value, rows))
        return None if any(value is None for value in values) else self.array(values)

    def _value_of_bytes(self, cell: bytes) -> Any:
        try:
            return self.value((cell.decode(),))
        except UnicodeDecodeError:
            return None


def looks_like_list(text: str) -> bool:
    """True for a cell in brackets, as programs write a list: `['a', 'b']`."""
    return text.startswith("[") and text.endswith("]")


def number_in(text: str, low: float, high: float) -> float | None:
    """The number that the text writes, if it lies in `low`..`high`; zero has no sign."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text) + 0.0
    return value if low <= value <= high else None


def number_fault(found: str) -> ProblemCode:
    """What is wrong with a cell in which no number of the range stands, without the sentence."""
    if not found:
        return ProblemCode.EMPTY_LABEL
    if NUMBER.fullmatch(found):
        is_finite = isfinite(float(found))
        return ProblemCode.NUMBER_OUT_OF_RANGE if is_finite else ProblemCode.NUMBER_NOT_FINITE
    return ProblemCode.NUMBER_NOT_FINITE if _NOT_FINITE.fullmatch(found) else ProblemCode.NOT_A_NUMBER


def explain_number(found: str, low: float, high: float, what: str = "number") -> Finding:
    """The sentence of what `number_fault` finds; without ends where the range has none (`inf`)."""
    is_open = isinf(high)
    expected = "a finite number" if is_open else f"a number from {low:g} to {high:g}"
    code, example = number_fault(found), 0.5 if is_open else (low + high) / 2
    if code is ProblemCode.EMPTY_LABEL:
        return Finding(code, f"The {what} is empty. Give {expected}.", "", expected)
    if code is ProblemCode.NUMBER_NOT_FINITE:
        return Finding(
            code,
            f"{quoted(found)} is not a finite number. Give {expected}.",
            visible(found),
            expected,
        )
    if code is ProblemCode.NUMBER_OUT_OF_RANGE:
        return Finding(
            code,
            f"The {what} {visible(found)} lies outside {low:g} to {high:g}.",
            visible(found),
            expected,
        )
    message = f"{quoted(found)} is not a number. Give {expected}, such as {example:g}."
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", found):
        message += " Write a point instead of the comma."
    elif NUMBER.fullmatch(found.strip()):
        message += " Remove the blanks around it."
    elif NUMBER.fullmatch(found.translate(_DASHES)):
        message += " Write the sign as the hyphen of the keyboard, -."
    elif NUMBER.fullmatch(found.removesuffix("%").strip()):
        message += " Write the number without the sign of percent, and a share as a part of 1."
    return Finding(code, message, visible(found), expected)
