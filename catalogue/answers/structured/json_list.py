"""Answers that are a list as JSON writes it, in one cell."""

import json
import re
import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import AnswerReader, JsonShape
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.problems import FaultError, FaultKind, Find, Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest

LONGEST_LIST = 20_000
"""Characters of the list of one item."""
MOST_ENTRIES = 1_000
"""Entries of the list of one item."""


def _members_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("A key stands twice in an object.")
    return members


# Made once: the functions of the standard library would make one for each answer.
_decoded = json.JSONDecoder(object_pairs_hook=_members_once).decode
compact_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A value on one line, without blanks."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str) -> Any:
    """The value that a text holds. ValueError or RecursionError where there is none, a key twice in an object, or what
    `check_characters` finds.
    """
    value = _decoded(text)
    check_characters(value, text)
    return value


def check_characters(value: Any, text: str, start: int = 0, end: int = sys.maxsize) -> None:
    """ValueError where a value holds half of a character, which has no bytes; between these places it is written."""
    if _SURROGATE.search(text, start, end):
        compact_json(value).encode()


class WrongListError(FaultError, ValueError):
    """Something that is no such list; `finding` says what is wrong, `place` which part of an entry, from 0."""

    def __init__(self, finding: Finding | Find, place: int = 0, *, kind: FaultKind | None = None) -> None:
        super().__init__(finding, kind=kind)
        self.place = place


class JsonListReader(AnswerReader):
    """Reads the list of an item; `canonical` makes its canonical text, or raises WrongListError."""

    most_characters = LONGEST_LIST
    most_lines = MOST_ENTRIES

    def __init__(
        self, canonical: Callable[[str], str], dtype: np.dtypes.StringDType, label_column: str
    ) -> None:
        super().__init__((label_column,), dtype, LONGEST_LIST)
        self._canonical = canonical

    def value(self, cells: Sequence[str]) -> str | None:
        try:
            return self._canonical(cells[0])
        except WrongListError:
            return None

    def finding(self, cell: str) -> Finding:
        return self._fault(cell).finding

    def fault_kind(self, cell: str) -> FaultKind:
        return self._fault(cell).kind or super().fault_kind(cell)

    def _fault(self, cell: str) -> WrongListError:
        try:
            self._canonical(cell)
        except WrongListError as wrong:
            return wrong
        raise ValueError("Nothing is wrong with this cell.")


class ListInJson(WithoutLabels):
    """A kind whose answer is any number of entries, none included.

    Canonical array: compact JSON of the entries of each item in their order, StringDType, shape (n_items,).
    """

    __slots__ = ()

    dtype = TEXT
    is_one_text = True

    entries_are: str
    """What they are called, such as `spans`."""
    must_be: str
    """What canonical entries have to be, beside JSON in order."""
    made_of: str
    """What a list consists of, as a file has it."""
    list_in_short: str

    @abstractmethod
    def plain(self) -> Self:
        """The kind of these answers whose files are written as canonical arrays are."""

    @abstractmethod
    def entries_in(self, values: list[Any]) -> list[Any] | None:
        """The entries that a list holds, in any order; None where that is no such list. WrongListError says more."""

    @abstractmethod
    def canonical(self, entries: list[Any]) -> str: ...

    @classmethod
    @abstractmethod
    def output_for(cls, cells: Sequence[str]) -> dict[str, Any] | None:
        """What a definition would say of such lists; None where they are none, or all empty."""

    def check(self, argument: str, answers: object) -> int:
        texts = check_shape(argument, answers, (TEXT,), f"StringDType {self.entries_are}").tolist()
        reader = self.plain().reader("")
        if any(reader.value([text]) != text for text in set(texts)):
            raise ValueError(f"`{argument}` must hold {self.must_be}, as JSON in order.")
        return len(texts)

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.WHOLE

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return JsonListReader(self._canonical, self.dtype, label_column)

    def sample(self) -> str:
        return "[]"

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """What the gold labels of any item are, each item's alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    def no_such_list(self, found: str) -> WrongListError:
        return WrongListError(partial(self._other_form, found), kind=(ProblemCode.JSON_WRONG_TYPE, ""))

    def _canonical(self, cell: str) -> str:
        return self.canonical(self._entries(cell))

    def _entries(self, written: str) -> list[Any]:
        if not written.strip():
            raise self._wrong(
                ProblemCode.EMPTY_LABEL, f"There is no list. Give {self._expected}, or [].", written
            )
        try:
            values = read_json(written)
        except (ValueError, RecursionError):
            values = None
        entries = self.entries_in(values) if isinstance(values, list) else None
        if entries is None:
            raise self.no_such_list(written)
        if len(entries) > MOST_ENTRIES:
            message = f"There are {len(entries):,} {self.entries_are}; an item may have {MOST_ENTRIES:,}."
            raise self._wrong(ProblemCode.CELL_TOO_LONG, message, written)
        return entries

    @property
    def _expected(self) -> str:
        return self.json_cells()[0].expected

    def _other_form(self, found: str) -> Finding:
        message = f"{quoted(found)} is not what is expected here: {self._expected}, of {self.made_of}."
        return self._wrong(ProblemCode.JSON_WRONG_TYPE, message, found).finding

    def _wrong(self, code: ProblemCode, message: str, found: str) -> WrongListError:
        return WrongListError(Finding(code, message, visible(found), self.list_in_short))

    # What an organiser's file suggests

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (CellShape.TEXT, CellShape.NESTED)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return bool(cls.output_for(cells))

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        return column.shape in (CellShape.TEXT, CellShape.NESTED) and cls.suits(column.cells, texts)

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        return cls.output_for(column.cells) or {}


def unknown_name(found: str, what: str, names: Sequence[str], pattern: str) -> Finding:
    """That a task has no `what` of that name, and which is nearest."""
    closest = nearest(found, names)
    message = f"{quoted(found)} is no {what} of this task. Nearest: {quoted(closest)}."
    return Finding(ProblemCode.UNKNOWN_LABEL, message, visible(found), closest, pattern)
