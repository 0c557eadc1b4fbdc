"""The id of the cluster that an item belongs to, where each system makes clusters of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import AnswerReader
from catalogue.problems import FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.section import Section

_OUTCOMES = 1_000
_LONGEST = 100
_FEW = 5  # clusters of answers made up
_MISSING = frozenset(
    {"nan", "none", "null", "na", "n/a", "<na>"}
)  # as programs write a cell that holds nothing
_EXPECTED = "the id of a cluster"


@dataclass(frozen=True, slots=True)
class ClusterId(WithoutLabels):
    """The id of the cluster that an item belongs to. Canonical array: numpy StringDType, shape (n_items,).

    An id is any text that stands at every item of one cluster and at no other: it says which items belong together and
    nothing else, so that systems and gold labels need not have the same ids, nor as many.
    """

    key = "cluster_id"
    stored_name = "ClusterId"
    phrase = "a cluster id"
    title = "The cluster that an item belongs to: ids of the system's own choosing"
    instruction = "Give the same id to items that belong together, and another to all others."
    metric = "v_measure"
    dtype = TEXT
    is_right_or_wrong = False

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls()

    def outcomes(self) -> int:
        """Clusters are counted as a thousand: the ids are not looked at."""
        return _OUTCOMES

    def describe(self) -> str:
        return "the id of a cluster, the same for all items that belong together"

    def check(self, argument: str, answers: object) -> int:
        texts = check_shape(argument, answers, (TEXT,), "StringDType cluster ids")
        if not all(map(_is_id, set(texts.tolist()))):
            raise ValueError(f"`{argument}` must hold ids without blanks around them, none of them empty.")
        return len(texts)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ClusterIdReader((label_column,), self.dtype, _LONGEST)

    def sample(self) -> str:
        return "1"

    def shown_example(self) -> str:
        return "2"

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return self.array(map(str, random.integers(1, _FEW + 1, count).tolist()))

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # ids of clusters look like labels


class ClusterIdReader(AnswerReader):
    most_characters = _LONGEST

    def value(self, cells: Sequence[str]) -> str | None:
        return cells[0] if _is_id(cells[0]) else None

    def finding(self, cell: str) -> Finding:
        code, _pattern = self.fault_kind(cell)
        if code is ProblemCode.LABEL_SPACING:
            message = f"{quoted(cell)} has blanks around it and would be another cluster. Write {quoted(cell.strip())}."
            return Finding(code, message, visible(cell), cell.strip())
        what = f"{quoted(cell)} stands for no cluster" if cell.strip() else "The cluster id is empty"
        message = f"{what}. Give every item an id; an item that belongs to no other has one of its own."
        return Finding(code, message, visible(cell), _EXPECTED)

    def fault_kind(self, cell: str) -> FaultKind:
        has_id = _is_id(cell.strip())
        return (ProblemCode.LABEL_SPACING if has_id else ProblemCode.EMPTY_LABEL), ""

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return cells[0].isdecimal()  # any other text could be the name of a column

    def gives_away(self, cell: str) -> bool:
        return False


def _is_id(text: str) -> bool:
    return bool(text) and text == text.strip() and text.casefold() not in _MISSING
