"""Any subset of labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers, as_masks, check_range, check_shape, has_bit
from catalogue.answers.base import AlsoWritten, AnswerKind
from catalogue.answers.label import declared_labels
from catalogue.answers.reading import AnswerReader
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.section import Section

_MOST_LABELS = 64
_ZERO, _ONE = ord("0"), ord("1")


@dataclass(frozen=True, slots=True)
class LabelSubset(AnswerKind):
    """Any subset of at most 64 labels, the empty one included.

    Canonical array: uint64 bit masks, bit k for `names[k]`, shape (n_items,).
    """

    key = "label_subset"
    stored_name = "LabelSubset"
    phrase = "any subset of labels"
    title = "Any subset of labels: a column of 0 and 1 for each"
    instruction = "Give each item every label that holds: 1 where it does, 0 where it does not."
    metric = "jaccard"
    dtype = np.dtype("<u8")
    is_subset = True
    gold_in_columns = True

    names: tuple[str, ...]

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = declared_labels(task)
        if len(labels) > _MOST_LABELS:
            task.wrong("labels", f"expected at most {_MOST_LABELS} labels for a subset of them")
        return cls(labels)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    def outcomes(self) -> int:
        return 1 << len(self.names)

    def describe(self) -> str:
        return f"any subset of {len(self.names)} labels"

    def check(self, argument: str, answers: object) -> int:
        masks = check_shape(argument, answers, (np.dtype(np.uint64),), "uint64 bit masks")
        most = 2 ** len(self.names) - 1
        check_range(argument, masks, 0, most, f"bits of the {len(self.names)} declared labels only")
        return len(masks)

    def has_label(self, answers: NDArray[Any], label: str) -> NDArray[np.bool_]:
        return has_bit(answers.astype(np.uint64), self.names.index(label))

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        return [(name, int(self.has_label(answers, name).sum())) for name in self.names]

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return SubsetReader(self)

    def written(self, answers: Answers) -> list[Any]:
        return [[str(mask >> bit & 1) for bit in range(len(self.names))] for mask in answers.tolist()]

    def sample(self) -> int:
        return 0

    def shown_example(self) -> int:
        return 1

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return as_masks(random.random((count, len(self.names))) < 0.5)

    def commonest(self, labels: NDArray[Any]) -> Any:
        bits = range(len(self.names))
        return sum(1 << bit for bit in bits if 2 * has_bit(labels, bit).sum() > len(labels))

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """Holds each label as often as the gold labels do."""
        shares = [has_bit(labels, bit).mean() for bit in range(len(self.names))]
        return as_masks(np.stack([random.random(count) < share for share in shares], axis=1))

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # one column is never a subset


class SubsetReader(AnswerReader):
    def __init__(self, kind: LabelSubset) -> None:
        super().__init__(kind.names, kind.dtype, 2 * len(kind.names))
        self._weights = [1 << bit for bit in range(len(kind.names))]

    def value(self, cells: Sequence[str]) -> int | None:
        if not all(cell in ("0", "1") for cell in cells):
            return None
        return sum(weight for cell, weight in zip(cells, self._weights, strict=True) if cell == "1")

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        for place, (column, cell) in enumerate(zip(self.columns, cells, strict=True)):
            if cell not in ("0", "1"):
                yield place, column, partial(self.finding, cell, column)

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        empty = cells.count("")
        wrong = len(cells) - cells.count("0") - cells.count("1") - empty
        counts = {(ProblemCode.EMPTY_LABEL, ""): empty, (ProblemCode.NOT_ZERO_OR_ONE, ""): wrong}
        return {kind: count for kind, count in counts.items() if count}

    def gives_away(self, cell: str) -> bool:
        return cell in ("0", "1")

    def finding(self, cell: str, column: str = "") -> Finding:
        if not cell:
            return Finding(
                ProblemCode.EMPTY_LABEL,
                f"The cell for {quoted(column)} is empty. Write 1 if the label holds, else 0.",
                "",
                "0 or 1",
            )
        return Finding(
            ProblemCode.NOT_ZERO_OR_ONE,
            f"{quoted(cell)} is neither 0 nor 1. Write 1 if the label {quoted(column)} holds, else 0.",
            visible(cell),
            "0 or 1",
        )

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        masks = np.zeros(len(columns[0]), dtype="<u8")
        for bit, cells in enumerate(columns):
            digits = np.frombuffer(b"".join(cells), dtype=np.uint8)
            if not _is_one_digit_each(cells, digits):
                return None
            masks |= (digits - _ZERO).astype("<u8") << np.uint64(bit)
        return masks


def _is_one_digit_each(cells: Sequence[bytes], digits: NDArray[np.uint8]) -> bool:
    if digits.size != len(cells) or set(map(len, cells)) != {1}:
        return False
    return bool(digits.min() >= _ZERO and digits.max() <= _ONE)
