"""Kinds of output: what a system answers per item, and the array that holds such answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Exactly one of a fixed set of labels; case and spaces matter.

    Canonical array: label positions in `names`, uint8 (uint16 above 256 labels), shape (n_items,).
    `never_right` are labels that may be predicted but stand in no gold file (SemEval-2016 Task 6: UNKNOWN).
    """

    names: tuple[str, ...]
    never_right: tuple[str, ...] = ()

    @property
    def names_in_gold(self) -> tuple[str, ...]:
        """The labels that can be right."""
        return tuple(name for name in self.names if name not in self.never_right)


@dataclass(frozen=True, slots=True)
class OrderedClasses:
    """One of consecutive whole numbers `low`..`high`, whose distance means something.

    Canonical array: the class itself, int16, shape (n_items,).
    """

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LabelSubset:
    """Any subset of at most 64 labels, the empty one included.

    Canonical array: uint64 bit masks, bit k for `names[k]`, shape (n_items,).
    """

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number in `low`..`high`, both included. Canonical array: float64, shape (n_items,)."""

    low: float
    high: float


LABEL_WITH_CONFIDENCE = np.dtype([("label", "u1"), ("confidence", "<f8")])


@dataclass(frozen=True, slots=True)
class LabelWithConfidence:
    """One of a set of labels and a confidence in 0..1.

    Canonical array: LABEL_WITH_CONFIDENCE (label position in `names`, confidence), shape (n_items,).
    `never_right` as in LabelSet (RumourEval B: unverified stands in the gold file and no prediction of it is right).
    """

    names: tuple[str, ...]
    never_right: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A span of the item's text, given as text. Canonical array: numpy StringDType, shape (n_items,)."""


Output = LabelSet | OrderedClasses | LabelSubset | Number | LabelWithConfidence | Span
Answers = NDArray[np.generic]
"""A canonical array of any kind."""


def names_of(output: Output) -> tuple[str, ...]:
    """The declared labels; none where an answer is a number, a class or a span."""
    if isinstance(output, LabelSet | LabelSubset | LabelWithConfidence):
        return output.names
    return ()


def describe(output: Output) -> str:
    """What an answer is, in words that go on after "Each answer is"."""
    match output:
        case LabelSet():
            return f"one of {len(output.names)} labels"
        case OrderedClasses():
            return f"a whole number from {output.low} to {output.high}"
        case LabelSubset():
            return f"any subset of {len(output.names)} labels"
        case Number():
            return f"a number from {output.low:g} to {output.high:g}"
        case LabelWithConfidence():
            return f"one of {len(output.names)} labels with a confidence from 0 to 1"
        case Span():
            return "a span of the text"


def as_texts(answers: Answers, names: tuple[str, ...]) -> list[str]:
    """Answers of any kind as texts, one per item; the same answers always give the same texts.

    A subset is its labels joined by `|`, a label with a confidence both with a space between them, a number
    the shortest text that reads back as the same number.
    """
    values = answers.tolist()
    if answers.dtype == LABEL_WITH_CONFIDENCE:
        return [f"{names[label]} {confidence!r}" for label, confidence in values]
    if answers.dtype == np.uint64:
        return ["|".join(name for bit, name in enumerate(names) if mask >> bit & 1) for mask in values]
    if names:
        return [names[code] for code in values]
    return [str(value) for value in values]
