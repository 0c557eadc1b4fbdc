"""A span of the item's text."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import contains
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import NUMBER, AnswerReader
from catalogue.problems import Finding, ProblemCode, visible
from catalogue.section import Section

# Above so many labels one asks whether they are labels at all.
MANY_LABELS = 100
# The spans of 25 tokens.
SPANS_OF_A_SENTENCE = 325
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Span(WithoutLabels):
    """A span of the item's text, given as text. Canonical array: numpy StringDType, shape (n_items,)."""

    key = "span"
    stored_name = "Span"
    phrase = "a span of text"
    title = "A span of the text"
    instruction = "Give for each item the words of its text that answer it."
    metric = "token_f1"
    dtype = TEXT
    is_one_text = True

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls()

    def outcomes(self) -> int:
        """Spans are counted as those of a sentence of 25 tokens: the texts are not looked at."""
        return SPANS_OF_A_SENTENCE

    def describe(self) -> str:
        return "a span of the text"

    def check(self, argument: str, answers: object) -> int:
        return len(check_shape(argument, answers, (TEXT,), "StringDType texts"))

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        return np.array(list(map(self.is_right, gold.tolist(), answers.tolist())), dtype=np.bool_)

    def is_right(self, gold: str, answer: str) -> bool:
        return gold.split() == answer.split()

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return SpanReader((label_column,), self.dtype, _LONGEST)

    def sample(self) -> str:
        return "-"

    def shown_example(self) -> str:
        return "words"

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return np.array(
            [f"word {number}" for number in random.integers(SPANS_OF_A_SENTENCE, size=count)], dtype=TEXT
        )

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """Every span of the gold labels alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        different = set(cells)
        if len(different) <= MANY_LABELS or all(map(NUMBER.fullmatch, different)):
            return False
        return any(all(map(contains, column, cells)) for column in texts)


class SpanReader(AnswerReader):
    def value(self, cells: Sequence[str]) -> str | None:
        return cells[0] if cells[0].strip() else None

    def finding(self, cell: str) -> Finding:
        return Finding(
            ProblemCode.EMPTY_LABEL,
            "The span is empty. Give a part of the item's text.",
            visible(cell),
            "a span of text",
        )

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return False  # any text could be a span

    def gives_away(self, cell: str) -> bool:
        return False
