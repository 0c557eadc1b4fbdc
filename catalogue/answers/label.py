"""Exactly one label."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import LABEL_CODES, Answers, check_codes
from catalogue.answers.base import AlsoWritten, AnswerKind
from catalogue.answers.label_names import LabelNames
from catalogue.answers.reading import AnswerReader
from catalogue.problems import FaultKind, Finding
from catalogue.section import Section, nearest


@dataclass(frozen=True, slots=True)
class OneOfLabels(AnswerKind):
    """A kind whose answers are each one of the declared labels, with or without something beside it.

    `never_right` are labels that may be predicted, but no prediction of them is right.
    """

    names_labels = True

    names: tuple[str, ...]
    never_right: tuple[str, ...] = ()

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = declared_labels(task)
        never_right = task.texts("never_right", default=())
        for label in never_right:
            if label not in labels:
                task.wrong("never_right", f"{label!r} is not one of the labels{nearest(label, labels)}")
        return cls(labels, never_right)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def right_codes(self) -> list[int]:
        return [code for code, name in enumerate(self.names) if name not in self.never_right]


@dataclass(frozen=True, slots=True)
class Label(OneOfLabels):
    """Exactly one of a fixed set of labels; case and spaces matter.

    Canonical array: label positions in `names`, uint8 (uint16 above 256 labels), shape (n_items,).
    `never_right` are labels that may be predicted but stand in no gold file (SemEval-2016 Task 6: UNKNOWN).
    """

    key = "one_label"
    stored_name = "LabelSet"
    phrase = "one label of a set"
    title = "One label of a set"
    instruction = "Give each item exactly one of the labels."
    metric = "f1_macro"
    is_one_label = True
    gold_is_one_label = True
    is_one_text = True
    may_accept_several = True
    may_have_parents = True

    def outcomes(self) -> int:
        return len(self.gold_labels)

    def describe(self) -> str:
        taken = (
            f" ({' and '.join(self.never_right)} may be given too and is never right)"
            if self.never_right
            else ""
        )
        return f"one of {len(self.gold_labels)} labels{taken}"

    def numbers(self) -> dict[str, Any]:
        is_plain = not (self.never_right or self.several or self.parents)
        return {"labels": list(self.names)} if is_plain else AnswerKind.numbers(self)

    @property
    def dtype(self) -> np.dtype[Any]:
        return LABEL_CODES[len(self.names) > 256]

    def check(self, argument: str, answers: object) -> int:
        return check_codes(argument, answers, len(self.names))

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        return answers

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return LabelReader(self, label_column, also_written)

    def written(self, answers: Answers) -> list[Any]:
        return [self.names[code] for code in answers.tolist()]

    def sample(self) -> int:
        return 0

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return random.choice(self.right_codes, count).astype(self.dtype)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return True


class LabelReader(AnswerReader):
    is_closed = True

    def __init__(self, kind: Label, label_column: str, also_written: AlsoWritten) -> None:
        self._labels = LabelNames(kind.names, also_written)
        self._code_of_bytes = {name.encode(): code for name, code in self._labels.code_of.items()}
        super().__init__((label_column,), kind.dtype, max(map(len, self._code_of_bytes)))

    def value(self, cells: Sequence[str]) -> int | None:
        return self._labels.code_of.get(cells[0])

    def finding(self, cell: str) -> Finding:
        return self._labels.explain(cell)

    def fault_kind(self, cell: str) -> FaultKind:
        return self._labels.kind(cell)

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return self._labels.nearly(cells[0])

    def gives_away(self, cell: str) -> bool:
        return self._labels.is_like_a_name(cell)

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        (cells,) = columns
        try:
            return np.fromiter(
                map(self._code_of_bytes.__getitem__, cells), dtype=self.dtype, count=len(cells)
            )
        except KeyError:
            return None


def declared_labels(task: Section) -> tuple[str, ...]:
    """The labels that a definition lists, at least two."""
    labels = task.texts("labels")
    if len(labels) < 2:
        task.wrong("labels", "expected at least two labels")
    return labels
