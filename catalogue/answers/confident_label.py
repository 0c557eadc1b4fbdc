"""A label with a confidence."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import LABEL_WITH_CONFIDENCE, Answers, check_codes, check_range, check_shape
from catalogue.answers.base import AlsoWritten
from catalogue.answers.label import OneOfLabels
from catalogue.answers.label_names import LabelNames
from catalogue.answers.reading import (
    JSON_TEXT,
    LONGEST_NUMBER,
    AnswerReader,
    JsonCell,
    explain_number,
    number_fault,
    number_in,
)
from catalogue.problems import Fault, FaultKind, Finding

_GOLD_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class ConfidentLabel(OneOfLabels):
    """One of a set of labels and a confidence in 0..1.

    Canonical array: LABEL_WITH_CONFIDENCE (label position in `names`, confidence), shape (n_items,).
    `never_right` as in Label (RumourEval B: unverified stands in the gold file and no prediction of it is right).
    """

    key = "label_with_confidence"
    stored_name = "LabelWithConfidence"
    phrase = "a label with a confidence"
    title = "A label with a confidence from 0 to 1"
    instruction = "Give each item one of the labels and how sure you are of it, from 0 to 1."
    metric = "rmse"
    dtype = LABEL_WITH_CONFIDENCE
    needs_lists = True

    @property
    def gold(self) -> "SureLabel":
        return SureLabel(self.names, self.never_right)

    def outcomes(self) -> int:
        return len(self.names)

    def describe(self) -> str:
        return f"one of {len(self.names)} labels with a confidence from 0 to 1"

    def check(self, argument: str, answers: object) -> int:
        pairs = check_shape(argument, answers, (LABEL_WITH_CONFIDENCE,), "labels with confidences")
        check_codes(argument, pairs["label"], len(self.names))
        check_range(argument, pairs["confidence"], 0, 1, "confidences from 0 to 1")
        return len(pairs)

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(answers["label"])

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(gold["label"] == answers["label"])

    def class_counts(self, answers: NDArray[Any]) -> None:
        return None

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (
            JsonCell(is_number=False, name='"label"', expected="a label in quotes"),
            JsonCell(is_number=True, name="confidence", expected="a number from 0 to 1"),
        )

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ConfidentReader(self, label_column, also_written)

    def written(self, answers: Answers) -> list[Any]:
        return [[self.names[label], confidence] for label, confidence in answers.tolist()]

    def sample(self) -> tuple[int, float]:
        return 0, 0.0

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        answers = np.empty(count, dtype=LABEL_WITH_CONFIDENCE)
        answers["label"] = random.choice(self.right_codes, count)
        answers["confidence"] = random.random(count)
        return answers

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The commonest label that can be right; its confidence is its share."""
        codes = self.right_codes
        counts = np.bincount(labels["label"], minlength=len(self.names))[codes]
        place = int(counts.argmax())
        return np.array((codes[place], counts[place] / len(labels)), dtype=LABEL_WITH_CONFIDENCE)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a column of a table has no confidences


class SureLabel(ConfidentLabel):
    """A gold label beside answers with a confidence: the label alone, in arrays with confidence 1."""

    __slots__ = ()

    is_of_gold_alone = True
    needs_lists = False

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JSON_TEXT,)

    def written(self, answers: Answers) -> list[Any]:
        return [self.names[label] for label, _ in answers.tolist()]


class ConfidentReader(AnswerReader):
    """Reads a label and its confidence. Gold labels have none; theirs is set to 1."""

    def __init__(self, kind: ConfidentLabel, label_column: str, also_written: AlsoWritten) -> None:
        longest = max(len(name.encode()) for name in kind.names) + LONGEST_NUMBER
        super().__init__((label_column,), kind.dtype, longest)
        self._labels = LabelNames(kind.names, also_written)

    def value(self, cells: Sequence[str]) -> tuple[int, float] | None:
        code = self._labels.code_of.get(cells[0])
        confidence = number_in(cells[1], 0, 1) if len(cells) > 1 else _GOLD_CONFIDENCE
        return None if code is None or confidence is None else (code, confidence)

    def finding(self, cell: str) -> Finding:
        return self._labels.explain(cell)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        if cells[0] not in self._labels.code_of:
            yield 0, self.columns[0], partial(self.finding, cells[0])
        if len(cells) > 1 and number_in(cells[1], 0, 1) is None:
            yield 1, self.columns[0], partial(explain_number, cells[1], 0, 1, "confidence")

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        counts: Counter[FaultKind] = Counter()
        if cells[0] not in self._labels.code_of:
            counts[self._labels.kind(cells[0])] += 1
        if len(cells) > 1 and number_in(cells[1], 0, 1) is None:
            counts[number_fault(cells[1]), ""] += 1
        return counts

    def gives_away(self, cell: str) -> bool:
        return self._labels.is_like_a_name(cell)
