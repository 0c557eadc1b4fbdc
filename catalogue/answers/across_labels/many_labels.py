"""Any subset of any number of labels, of which an answer lists those that hold."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, Answers, check_shape
from catalogue.answers.base import AlsoWritten, AnswerKind
from catalogue.answers.label import declared_labels
from catalogue.answers.label_names import LabelNames
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, counted, quoted, visible
from catalogue.section import Section

MOST_LABELS = 10_000
BETWEEN = "|"
_FEW = 3  # labels of an answer made up
_LONGEST = 100_000
_TOO_MANY = (ProblemCode.LABEL_TWICE, "too many")
_MOST_TOLD = 100  # faults of one answer that are told one by one
_JSON_SIGNS = 4  # quotes, a comma and a space


@dataclass(frozen=True, slots=True)
class ManyLabels(AnswerKind):
    """Any subset of up to 10,000 labels, the empty one included: few of them, of many that there are.

    Canonical array: the labels of each item in the order of `names`, joined by `|`, StringDType, shape (n_items,).
    """

    key = "many_labels"
    stored_name = "ManyLabels"
    phrase = "a list of labels"
    title = "Any subset of many labels: a list of those that hold"
    instruction = (
        "Give each item a list of the labels that hold, in any order; an empty list where none does."
    )
    metric = "f1_micro"
    dtype = TEXT
    needs_lists = True
    names_labels = True
    may_have_parents = True

    names: tuple[str, ...]

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = declared_labels(task)
        if len(labels) > MOST_LABELS:
            task.wrong("labels", f"expected at most {MOST_LABELS:,} labels, found {len(labels):,}")
        for label in labels:
            if BETWEEN in label or not label:
                task.wrong("labels", f"{label!r}: expected labels that are not empty and have no `{BETWEEN}`")
        return cls(labels)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        return 1 << len(self.names)

    def describe(self) -> str:
        return f"a list of any of {len(self.names):,} labels"

    def check(self, argument: str, answers: object) -> int:
        texts = check_shape(argument, answers, (TEXT,), "StringDType lists of labels").tolist()
        place = {name: place for place, name in enumerate(self.names)}
        for text in set(texts) - {""}:
            places = [place.get(name, -1) for name in text.split(BETWEEN)]
            if places[0] < 0 or any(first >= second for first, second in pairwise(places)):
                raise ValueError(f"`{argument}` must hold declared labels, each once and in their order.")
        return len(texts)

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        """How many answers have each label that any of them has, the commonest first."""
        return Counter(chain.from_iterable(map(labels_in, answers.tolist()))).most_common()

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JsonCell(is_number=False, expected="a label in quotes", name='"label"'),)

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.MANY

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ManyLabelsReader(self, label_column, also_written)

    def written(self, answers: Answers) -> list[Any]:
        return list(map(labels_in, answers.tolist()))

    def columns_of_part(self, label_column: str) -> tuple[str, ...]:
        return (label_column,)

    def part(self, cells: Sequence[str]) -> str:
        return cells[0]

    def sample(self) -> str:
        return ""

    def shown_example(self) -> str:
        return self.names[0]

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        most = min(_FEW, len(self.names))
        chosen = [
            np.sort(random.choice(len(self.names), size, replace=False))
            for size in random.integers(0, most, count, endpoint=True)
        ]
        return self.array(BETWEEN.join(self.names[place] for place in places) for places in chosen)

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The labels that more than half of the items have."""
        counts = Counter(chain.from_iterable(map(labels_in, labels.tolist())))
        return BETWEEN.join(name for name in self.names if 2 * counts[name] > len(labels))

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """What the gold labels of any item are, each item's alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a column of a table has no lists

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (CellShape.LIST,)

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        """Lists none of which has a label twice."""
        return column.shape is CellShape.LIST and all(len(set(part)) == len(part) for part in column.parts)


class ManyLabelsReader(AnswerReader):
    """Reads the labels of an item, a cell each, in any order."""

    def __init__(self, kind: ManyLabels, label_column: str, also_written: AlsoWritten) -> None:
        longest = sum(len(name.encode()) + _JSON_SIGNS for name in kind.names)
        super().__init__((label_column,), kind.dtype, min(_LONGEST, longest))
        self._labels = LabelNames(kind.names, also_written)
        self.most_lines = len(kind.names)

    def value(self, cells: Sequence[str]) -> str | None:
        if len(cells) > self.most_lines:
            return None
        codes = sorted({self._labels.code_of.get(cell, -1) for cell in cells})
        if len(codes) < len(cells) or (codes and codes[0] < 0):
            return None
        return BETWEEN.join([self._labels.names[code] for code in codes])

    def finding(self, cell: str) -> Finding:
        return self._labels.explain(cell)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        if self._are_too_many(cells):
            yield 0, self.columns[0], partial(_too_many, len(cells), self.most_lines)
            return
        for place, (cell, is_known) in enumerate(self._told_twice(cells)):
            if cell not in self._labels.code_of:
                yield place, self.columns[0], partial(self.finding, cell)
            elif is_known:
                yield place, self.columns[0], partial(_twice, cell)

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        if self._are_too_many(cells):
            return {_TOO_MANY: 1}
        counts: Counter[FaultKind] = Counter()
        for cell, is_known in self._told_twice(cells):
            if cell not in self._labels.code_of:
                counts[self._labels.kind(cell)] += 1
            elif is_known:
                counts[ProblemCode.LABEL_TWICE, ""] += 1
        return counts

    def gives_away(self, cell: str) -> bool:
        return self._labels.is_like_a_name(cell)

    def _are_too_many(self, cells: Sequence[str]) -> bool:
        """True where so many more labels are listed than there are that nobody would read of each."""
        return len(cells) > self.most_lines + _MOST_TOLD

    def _told_twice(self, cells: Sequence[str]) -> Iterator[tuple[str, bool]]:
        """Each cell, and whether its label was told before."""
        told: set[int] = set()
        for cell in cells:
            code = self._labels.code_of.get(cell, -1)
            yield cell, code in told
            told.add(code)


def labels_in(text: str) -> list[str]:
    """The labels of one canonical answer."""
    return text.split(BETWEEN) if text else []


def _too_many(found: int, most: int) -> Finding:
    code, pattern = _TOO_MANY
    labels = counted(found, "label")
    message = f"The list of this item has {labels}, and the task has {most:,}. List each that holds once."
    return Finding(code, message, labels, f"at most {counted(most, 'label')}", pattern)


def _twice(cell: str) -> Finding:
    return Finding(
        ProblemCode.LABEL_TWICE,
        f"The label {quoted(cell)} stands twice in the list of this item. Keep one of the two.",
        visible(cell),
        "every label once",
    )
