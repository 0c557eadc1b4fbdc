"""A span of the item's text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, check_shape
from catalogue.answers.base import Columns, Labels, WithoutLabels, most_frequent
from catalogue.answers.number_texts import NUMBER
from catalogue.answers.reading import JSON_TEXT, AnswerReader, JsonCell
from catalogue.problems import Fault, Finding, ProblemCode, visible
from catalogue.section import Section

MANY_LABELS = 100
"""Above so many labels one asks whether they are labels at all."""
SPANS_OF_A_SENTENCE = 325
"""The spans of 25 tokens."""
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Span(WithoutLabels):
    """A span of the item's text, given as text. Canonical array: numpy StringDType, shape (n_items,)."""

    key: ClassVar = "span"
    stored_name: ClassVar = "Span"
    phrase: ClassVar = "a span of text"
    title: ClassVar = "A span of the text"
    instruction: ClassVar = "Give for each item the words of its text that answer it."
    metric: ClassVar = "token_f1"
    is_one_label: ClassVar = False
    is_one_text: ClassVar = True
    is_subset: ClassVar = False
    has_bounds: ClassVar = False
    is_continuous: ClassVar = False
    needs_lists: ClassVar = False

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls()

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    @property
    def bounds(self) -> None:
        return None

    def outcomes(self) -> int:
        """Spans are counted as those of a sentence of 25 tokens: the texts are not looked at."""
        return SPANS_OF_A_SENTENCE

    def describe(self) -> str:
        return "a span of the text"

    @property
    def dtype(self) -> np.dtype[Any]:
        return TEXT

    def check(self, argument: str, answers: object) -> int:
        return len(check_shape(argument, answers, (TEXT,), "StringDType texts"))

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        raise TypeError("Spans are not classes.")

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        return np.array(list(map(self.is_right, gold.tolist(), answers.tolist())), dtype=np.bool_)

    def is_right(self, gold: str, answer: str) -> bool:
        """By their tokens."""
        return gold.split() == answer.split()

    def class_counts(self, answers: NDArray[Any]) -> None:
        return None

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        return []

    def json_cells(self, *, is_gold: bool) -> tuple[JsonCell, ...]:
        return (JSON_TEXT,)

    def reader(self, label_column: str, also_written: Labels = ()) -> AnswerReader:
        return SpanReader((label_column,), self.dtype)

    def sample(self) -> str:
        return "-"

    def shown_example(self) -> str:
        return "words"

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return np.array(
            [f"word {number}" for number in random.integers(SPANS_OF_A_SENTENCE, size=count)], dtype=TEXT
        )

    def commonest(self, labels: NDArray[Any]) -> Any:
        return most_frequent(labels)

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """Every span of the gold labels alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        different = set(cells)
        if len(different) <= MANY_LABELS or all(map(NUMBER.fullmatch, different)):
            return False
        return any(_all_stand_in(cells, column) for column in texts)

    @classmethod
    def bounds_of(cls, cells: Sequence[str]) -> tuple[None, None]:
        return None, None

    @classmethod
    def balance(cls, columns: Columns, labels: Sequence[str]) -> list[tuple[str, int]]:
        return []


class SpanReader(AnswerReader):
    """Reads a span of the item's text, as text."""

    @property
    def longest(self) -> int:
        return _LONGEST

    def value(self, cells: Sequence[str]) -> str | None:
        return cells[0] if cells[0].strip() else None

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        yield 0, self.columns[0], partial(self._finding, cells[0])

    def _finding(self, found: str) -> Finding:
        message = "The span is empty. Give a part of the item's text."
        return Finding(ProblemCode.EMPTY_LABEL, message, visible(found), "a span of text")

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return False  # any text could be a span

    def gives_away(self, cell: str) -> bool:
        return False


def _all_stand_in(cells: Sequence[str], texts: Sequence[str]) -> bool:
    return all(cell in text for cell, text in zip(cells, texts, strict=True))
