"""Reads answers that are a list as JSON writes it, in one cell."""

from collections.abc import Callable, Sequence

import numpy as np

from catalogue.answers.reading import AnswerReader
from catalogue.problems import Finding

LONGEST_LIST = 20_000
"""Characters of the list of one item."""
MOST_ENTRIES = 1_000
"""Entries of the list of one item."""


class WrongListError(ValueError):
    """Something that is no such list; `finding` says what is wrong, `place` which part of an entry, from 0."""

    def __init__(self, finding: Finding, place: int = 0) -> None:
        super().__init__(finding.message)
        self.finding, self.place = finding, place


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
        try:
            self._canonical(cell)
        except WrongListError as wrong:
            return wrong.finding
        raise ValueError("Nothing is wrong with this cell.")
