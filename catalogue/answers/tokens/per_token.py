"""What kinds share that have a label for each token of an item: their canonical arrays, and how they are read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, Answers, check_shape
from catalogue.answers.base import AlsoWritten, AnswerKind, most_frequent
from catalogue.answers.label_names import LabelNames
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape
from catalogue.gold_column import CellShape
from catalogue.item_lines import Tokens
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode

BETWEEN = " "
# The ledger counts an item as a sentence of so many tokens, longer than nearly any: the texts are not looked at.
TOKENS_OF_ITEM = 100
_EXAMPLE = 6  # tokens of an answer made up
_JSON_SIGNS = 4  # quotes, a comma and a space


@dataclass(frozen=True, slots=True)
class PerToken(AnswerKind):
    """A kind whose answers have a label for each token of the item.

    Canonical array: the labels of each item in the order of its tokens, joined by blanks, StringDType, shape
    (n_items,). How many tokens an item has is public (`ItemIds.tokens`), so intake holds answers to it.
    """

    dtype = TEXT
    needs_lists = True
    has_tokens = True

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        return int(len(self.labels) ** TOKENS_OF_ITEM)

    def check(self, argument: str, answers: object) -> int:
        texts = check_shape(argument, answers, (TEXT,), "StringDType labels of tokens").tolist()
        if not set(BETWEEN.join(texts).split(BETWEEN)) <= set(self.labels):
            raise ValueError(f"`{argument}` must hold declared labels, with a blank between each two.")
        return len(texts)

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        """How many tokens have each label that any of them has, the commonest first."""
        return Counter(chain.from_iterable(map(labels_of_tokens, answers.tolist()))).most_common()

    def only_answer(self, answers: Answers) -> str | None:
        """The label that every token has; None where there are several, or one item alone."""
        (label, _), *others = self.distribution(answers)
        return None if others or len(answers) < 2 else label

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JsonCell(is_number=False, expected="a label in quotes", name='"label"'),)

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.MANY

    @property
    def may_share_a_cell(self) -> bool:
        return True

    def part(self, cells: Sequence[str]) -> str:
        return cells[0]

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return TokensReader(self, label_column, also_written)

    def written(self, answers: Answers) -> list[Any]:
        return list(map(labels_of_tokens, answers.tolist()))

    def wrong_form(self, label: str) -> Finding | None:
        """What is wrong with the form of a label that is none of the declared; None if its form is right."""
        return None

    def sample(self) -> str:
        return self.labels[0]

    def tokens_in(self, answers: Answers) -> list[Tokens]:
        return [("",) * len(labels_of_tokens(text)) for text in answers.tolist()]

    def of_tokens(self, answer: Any, count: int) -> str:
        return BETWEEN.join(str(answer).split(BETWEEN)[:1] * count)

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        """Every item has the same number of tokens, so that any two answers can be compared."""
        codes = random.integers(len(self.labels), size=(count, _EXAMPLE)).tolist()
        return self.array(BETWEEN.join(map(self.labels.__getitem__, of_item)) for of_item in codes)

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The commonest label of a token."""
        return most_frequent(np.array(BETWEEN.join(labels.tolist()).split(BETWEEN)))

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """What the gold labels of any item are, each item's alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (
            CellShape.LIST,
            CellShape.TOKENS,
        )

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a column of a table has no lists


class TokensReader(AnswerReader):
    """Reads the labels of an item, a cell for each token."""

    most_characters = 20_000  # of all labels of an item in one cell

    def __init__(self, kind: PerToken, label_column: str, also_written: AlsoWritten) -> None:
        super().__init__(
            (label_column,), kind.dtype, max(len(name.encode()) for name in kind.labels) + _JSON_SIGNS
        )
        self._labels = LabelNames(kind.labels, also_written)
        self._written = {cell: kind.labels[code] for cell, code in self._labels.code_of.items()}
        self._kind = kind

    def value(self, cells: Sequence[str]) -> str | None:
        try:
            return BETWEEN.join([self._written[cell] for cell in cells]) or None
        except KeyError:
            return None

    def finding(self, cell: str) -> Finding:
        return self._kind.wrong_form(cell) or self._labels.explain(cell)

    def fault_kind(self, cell: str) -> FaultKind:
        form = self._kind.wrong_form(cell)
        return (form.code, form.pattern) if form else self._labels.kind(cell)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        if not cells:
            yield 0, self.columns[0], _no_labels
        for place, cell in enumerate(cells):
            if cell not in self._written:
                yield place, self.columns[0], partial(self.finding, cell)

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        if not cells:
            return {(ProblemCode.EMPTY_LABEL, "list"): 1}
        return Counter(self.fault_kind(cell) for cell in cells if cell not in self._written)

    def gives_away(self, cell: str) -> bool:
        return False  # words of a text may be spelt as labels are


def labels_of_tokens(text: str) -> list[str]:
    """The labels of one canonical answer."""
    return text.split(BETWEEN)


def _no_labels() -> Finding:
    message = "The list is empty. Give a label for each token of the item."
    return Finding(ProblemCode.EMPTY_LABEL, message, "", "a label for each token", "list")
