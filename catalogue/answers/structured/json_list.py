"""Reads answers that are a list as JSON writes it, in one cell."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from catalogue.answers.reading import AnswerReader
from catalogue.problems import FaultError, FaultKind, Find, Finding

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
