"""What every kind of answer must say of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers, Codes, as_codes, as_texts
from catalogue.answers.reading import AnswerReader, JsonCell
from catalogue.section import Section

Columns = Mapping[str, Sequence[str]]
"""Cells by the name of their column."""
Labels = Iterable[tuple[str, str]]
"""Other ways to write a label, as (written, label)."""


@dataclass(frozen=True, slots=True)
class AnswerKind(ABC):
    """What a system answers per item of a task. An instance holds what the task's definition declares.

    Words: `key` stands for the kind in definitions, `stored_name` in digests of what was stored before, `phrase` in
    messages, `title` and `instruction` where an organiser proposes a task, and `metric` is what is proposed to
    measure it.

    Facts that others decide by: `is_one_label`, an answer is one label of a set and nothing else; `is_one_text`, one
    text says all of it; `is_subset`, it is any number of the labels, with a column for each, and its arrays are bit
    masks; `has_bounds`, it is a number or class between a lowest and a highest; `is_continuous`, a number with
    fractions; `needs_lists`, only a JSON object can hold it, since it has several parts.
    """

    key: ClassVar[str]
    stored_name: ClassVar[str]
    phrase: ClassVar[str]
    title: ClassVar[str]
    instruction: ClassVar[str]
    metric: ClassVar[str]
    is_one_label: ClassVar[bool]
    is_one_text: ClassVar[bool]
    is_subset: ClassVar[bool]
    has_bounds: ClassVar[bool]
    is_continuous: ClassVar[bool]
    needs_lists: ClassVar[bool]

    # What is declared

    @classmethod
    @abstractmethod
    def declared(cls, task: Section, output: Section) -> Self:
        """The kind as a definition states it: `task` has the labels, `output` the rest. Mistakes go to the sections."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The declared labels; none where an answer is a number, a class or a span."""

    @property
    @abstractmethod
    def never_right(self) -> tuple[str, ...]:
        """The labels that are never right when predicted."""

    @property
    @abstractmethod
    def classes(self) -> tuple[str, ...]:
        """What an answer is one of, labels or classes from low to high; none where it is anything else."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float] | None:
        """The lowest and the highest answer; None where answers have no order."""

    @property
    def gold_labels(self) -> tuple[str, ...]:
        """The labels that can be gold where an answer is one label and nothing else; elsewhere none."""
        return (
            tuple(name for name in self.labels if name not in self.never_right) if self.is_one_label else ()
        )

    @abstractmethod
    def outcomes(self) -> int:
        """How many gold labels an item can have, at least: the ledger of published bits counts by it."""

    @abstractmethod
    def describe(self) -> str:
        """What an answer is, in words that go on after "Each answer is"."""

    def declaration(self) -> dict[str, Any]:
        """What the definition declares, by the name of each field."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def signature(self) -> str:
        """The kind and what is declared of it, as one line for digests."""
        declared = ", ".join(f"{name}={value!r}" for name, value in self.declaration().items())
        return f"{self.stored_name}({declared})"

    def numbers(self) -> dict[str, Any]:
        """What can change a number, for the fingerprint of a task."""
        return {"output": [self.stored_name, self.declaration()]}

    # Canonical arrays

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any]:
        """The type of canonical arrays."""

    @abstractmethod
    def check(self, argument: str, answers: object) -> int:
        """The number of answers; ValueError unless they are a canonical array of this kind that is not empty.

        The message names the argument and the rule; it shows no answer to any item.
        """

    @abstractmethod
    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        """Where each answer stands among `classes`, from 0. TypeError where there are none."""

    @abstractmethod
    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        """Which items are right. A label that is never right stands in no gold file, so that it equals none there."""

    @abstractmethod
    def is_right(self, gold: str, answer: str) -> bool:
        """`right` of one item whose gold label and answer are texts."""

    @abstractmethod
    def class_counts(self, answers: NDArray[Any]) -> dict[str, int] | None:
        """How often each label or class occurs; None where an answer is not just one of those."""

    @abstractmethod
    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        """How many answers there are of each label or class, or in each tenth of a range; nothing for spans of text.

        A subset counts for each of its labels.
        """

    def array(self, values: Iterable[Any]) -> Answers:
        """The canonical array of such values."""
        return np.array(list(values), dtype=self.dtype)

    def codes(self, answers: NDArray[Any]) -> Codes:
        """Answers as whole numbers, the same for the same answer and no other: int64 of shape (n_items,)."""
        return as_codes(answers)

    def texts(self, answers: Answers) -> list[str]:
        """Answers as texts, one per item; the same answers always give the same texts."""
        return as_texts(answers, self.labels)

    def only_answer(self, answers: Answers) -> str | None:
        """The answer that every item has, as a text; None where there are several, or one item alone."""
        if len(answers) < 2 or bool((answers != answers[0]).any()):
            return None
        return self.texts(answers[:1])[0] or "no label"

    # Files

    @property
    @abstractmethod
    def own_columns(self) -> tuple[str, ...] | None:
        """The columns of a table that answers stand in; None where the definition names the one column."""

    def columns(self, label_column: str) -> tuple[str, ...]:
        """The columns of a table that answers stand in."""
        return (label_column,) if self.own_columns is None else self.own_columns

    @abstractmethod
    def json_cells(self, *, is_gold: bool) -> tuple[JsonCell, ...]:
        """What stands for an answer in a JSON file; several cells are a list, and none where there is no such file."""

    @abstractmethod
    def reader(self, label_column: str, also_written: Labels = ()) -> AnswerReader:
        """Reads the answers of a file; `also_written` are other ways to write a label, as (written, label)."""

    @abstractmethod
    def written(self, answers: Answers, *, is_gold: bool = False) -> list[Any]:
        """The answers as a file holds them: a text or number each, or a list with one for each of several cells."""

    # Answers without a system

    @abstractmethod
    def sample(self) -> Any:
        """An answer that shows the form of a file alone and knows nothing but the kind."""

    @abstractmethod
    def shown_example(self) -> Any:
        """An answer that an organiser is shown while proposing a task."""

    @abstractmethod
    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        """So many answers at random, of all that can be right: a canonical array of shape (count,)."""

    @abstractmethod
    def commonest(self, labels: NDArray[Any]) -> Any:
        """The one answer that is best for all items, given these gold labels: the commonest (of several the first),
        or the mean."""

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """So many answers at random, given these gold labels."""
        return self.examples(count, random).astype(labels.dtype)

    # What a table of an organiser suggests

    @classmethod
    @abstractmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        """Whether a column of answers beside these columns of text suggests this kind; the last that suits counts."""

    @classmethod
    @abstractmethod
    def labels_of(cls, columns: Columns, more: Iterable[str]) -> tuple[str, ...]:
        """The label list that columns of answers suggest, with `more` that may be answered and do not occur."""

    @classmethod
    @abstractmethod
    def bounds_of(cls, cells: Sequence[str]) -> tuple[float, float] | tuple[None, None]:
        """The lowest and highest answer that a column suggests; none where answers have no order."""

    @classmethod
    @abstractmethod
    def balance(cls, columns: Columns, labels: Sequence[str]) -> list[tuple[str, int]]:
        """How many items of a table have each label or class; empty for numbers and spans."""


class WithoutLabels(AnswerKind):
    """A kind that declares no labels."""

    __slots__ = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    @property
    def never_right(self) -> tuple[str, ...]:
        return ()

    @property
    def own_columns(self) -> None:
        return None

    def written(self, answers: Answers, *, is_gold: bool = False) -> list[Any]:
        values: list[Any] = answers.tolist()
        return values

    @classmethod
    def labels_of(cls, columns: Columns, more: Iterable[str]) -> tuple[str, ...]:
        return ()


def most_frequent(labels: NDArray[Any]) -> Any:
    """The answer that occurs most often; of several the first."""
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]


def counted(names: Sequence[str], positions: NDArray[Any]) -> dict[str, int]:
    """How often each name occurs, by positions among the names."""
    counts = np.bincount(positions.astype(int), minlength=len(names)).tolist()
    return dict(zip(names, counts, strict=True))


def counted_cells(columns: Columns) -> Counter[str]:
    """How often each cell occurs in the only column."""
    (cells,) = columns.values()
    return Counter(cells)
