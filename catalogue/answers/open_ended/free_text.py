"""A text of a system's own words, beside one or several texts that people wrote."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, Answers, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import NUMBER, AnswerReader, JsonCell
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.problems import FaultKind, Finding, ProblemCode, counted, visible
from catalogue.section import Section

LONGEST_TEXT = 5_000
"""Characters of a text: what metrics that compare word by word need grows with the square."""
MOST_REFERENCES = 100
_BITS_OF_A_CHARACTER = 21
_BYTES_OF_A_CHARACTER = 4
_WORDS_OF_A_TEXT = 4
_WORDS = ("the", "old", "cook", "fed", "Ann", "and", "a", "dog", "by", "night")


@dataclass(frozen=True, slots=True)
class FreeText(WithoutLabels):
    """A text, compared with the references of its item. Canonical array: StringDType, shape (n_items,).

    Where items may be `unanswerable`, an empty text is the right answer to one that has no reference.
    """

    key = "text"
    stored_name = "Text"
    phrase = "a text"
    title = "A text, such as a translation, a summary or an answer"
    instruction = "Give each item a text."
    metric = "bleu"
    dtype = TEXT
    is_one_text = True

    unanswerable: bool = False

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls(output.flag("unanswerable", default=False))

    @property
    def gold(self) -> "References":
        return References(self.unanswerable)

    def declaration(self) -> dict[str, Any]:
        """Without `unanswerable` where it is not declared: digests of before it existed stay as they are."""
        declared = WithoutLabels.declaration(self)
        return (
            declared
            if self.unanswerable
            else {key: declared[key] for key in declared if key != "unanswerable"}
        )

    def outcomes(self) -> int:
        """As many as there are ways to write all references that an item may have."""
        return 1 << _BITS_OF_A_CHARACTER * LONGEST_TEXT * MOST_REFERENCES

    def describe(self) -> str:
        return f"a text of at most {LONGEST_TEXT:,} characters"

    def check(self, argument: str, answers: object) -> int:
        return len(check_shape(argument, answers, (TEXT,), "StringDType texts"))

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        return np.array(list(map(self.is_right, gold.tolist(), answers.tolist())), dtype=np.bool_)

    def is_right(self, gold: str, answer: str) -> bool:
        """True for an answer that is one of the references to the letter."""
        return answer in references_in(gold)

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JsonCell(is_number=False, expected="text", longest=LONGEST_TEXT, has_lines=True),)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return FreeTextReader((label_column,), self.dtype, _BYTES_OF_A_CHARACTER * LONGEST_TEXT)

    def sample(self) -> str:
        return "text"

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return self.array(" ".join(random.choice(_WORDS, 6).tolist()) for _ in range(count))

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The commonest first reference."""
        return Counter(references_in(gold)[0] for gold in labels.tolist()).most_common(1)[0][0]

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """The first reference of any item, each item's alike."""
        chosen = labels[random.integers(len(labels), size=count)]
        return self.array(references_in(gold)[0] for gold in chosen.tolist())

    @classmethod
    def answer_key(cls, gold_key: str) -> str:
        return "text"

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        """Cells of several words, hardly any twice, that are no part of a text beside them."""
        different = set(cells)
        if 2 * len(different) < len(cells) or all(map(NUMBER.fullmatch, different)):
            return False
        if sum(len(cell.split()) for cell in cells) < _WORDS_OF_A_TEXT * len(cells):
            return False
        pairs = (zip(cells, column, strict=True) for column in texts)
        return not any(all(cell in text for cell, text in column) for column in pairs)

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (
            CellShape.TEXT,
            CellShape.LIST,
        )

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        """Such texts, one or a list of them in each cell."""
        is_listed = column.shape is CellShape.LIST
        words = tuple(column.words) if is_listed else column.cells
        return column.shape in cls.gold_shapes() and cls.suits(words, [] if is_listed else texts)


class References(FreeText):
    """The texts of an item that people wrote, as a list in JSON: `["A dog barks.","A dog is barking."]`."""

    __slots__ = ()

    is_of_gold_alone = True

    def describe(self) -> str:
        if self.unanswerable:
            return "one text, a list of texts each of which is as good, or nothing where there is no answer"
        return "one text, or a list of texts each of which is as good"

    def json_cells(self) -> tuple[JsonCell, ...]:
        return tuple(replace(cell, may_be_list=True) for cell in FreeText.json_cells(self))

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ReferencesReader(self, label_column)

    def written(self, answers: Answers) -> list[Any]:
        listed = map(references_in, answers.tolist())
        return [texts[0] if len(texts) == 1 else texts for texts in listed]

    def sample(self) -> str:
        return as_references(["text"])

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return self.array(as_references([text]) for text in FreeText.examples(self, count, random).tolist())

    def commonest(self, labels: NDArray[Any]) -> Any:
        return labels[0]


class FreeTextReader(AnswerReader):
    """Takes a text as it is, an empty one too: a system may have nothing to say."""

    may_be_empty = True
    most_characters = LONGEST_TEXT

    def value(self, cells: Sequence[str]) -> str | None:
        return cells[0]

    def finding(self, cell: str) -> Finding:
        message = f"The text has {len(cell):,} characters; at most {LONGEST_TEXT:,} are read."
        return Finding(ProblemCode.CELL_TOO_LONG, message, visible(cell))

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return False  # any text could be an answer

    def gives_away(self, cell: str) -> bool:
        return False


class ReferencesReader(FreeTextReader):
    """Takes the texts of an item, none of them blank: at least one, or nothing where items may be unanswerable."""

    def __init__(self, kind: References, label_column: str) -> None:
        super().__init__((label_column,), kind.dtype, _BYTES_OF_A_CHARACTER * LONGEST_TEXT)
        self.may_be_empty = kind.unanswerable

    def value(self, cells: Sequence[str]) -> str | None:
        if self.may_be_empty and not any(cell.strip() for cell in cells):
            return as_references([""])
        is_fine = 0 < len(cells) <= MOST_REFERENCES and all(cell.strip() for cell in cells)
        return as_references(cells) if is_fine else None

    def explain(self, cells: Sequence[str]) -> Any:
        yield 0, self.columns[0], lambda: self._finding(len(cells))

    def count_faults(self, cells: Sequence[str]) -> dict[FaultKind, int]:
        return {(self._finding(len(cells)).code, ""): 1}

    def finding(self, cell: str) -> Finding:
        return self._finding(1)

    def _finding(self, count: int) -> Finding:
        expected = f"{'0' if self.may_be_empty else '1'} to {MOST_REFERENCES} texts"
        if count > MOST_REFERENCES:
            message = f"There are {count:,} references. Give {expected}."
            return Finding(ProblemCode.JSON_WRONG_LENGTH, message, counted(count, "text"), expected)
        return Finding(
            ProblemCode.EMPTY_LABEL,
            f"There is {'an empty reference beside others' if self.may_be_empty else 'no reference, or an empty one'}. "
            f"Give {expected}.",
            "",
            expected,
        )


def as_references(texts: Sequence[str]) -> str:
    """References as one text."""
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


def references_in(gold: str) -> list[str]:
    """The references that `as_references` wrote."""
    texts: list[str] = json.loads(gold)
    return texts
