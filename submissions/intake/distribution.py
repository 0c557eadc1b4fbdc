"""How answers are spread over labels, classes or a range of numbers. Gold labels have no part in it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from catalogue.answers import (
    AnswerKind,
    Answers,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    as_texts,
)

_BINS = 10
_MOST_CLASSES = 21


def distribution(output: AnswerKind, codes: Answers) -> list[tuple[str, int]]:
    """How many answers there are of each label or class, or in each tenth of a range; nothing for spans of text.

    `codes` is a canonical array of shape (n_items,). A subset counts for each of its labels.
    """
    match output:
        case Label(names=names):
            return _named(names, codes)
        case ConfidentLabel(names=names):
            return _named(names, codes["label"])  # type: ignore[call-overload]  # a structured array has fields
        case LabelSubset(names=names):
            masks = codes.astype(np.uint64)
            bits = (masks >> np.uint64(bit) & np.uint64(1) for bit in range(len(names)))
            return [(name, int(of.sum())) for name, of in zip(names, bits, strict=True)]
        case OrderedClass(low=low, high=high) if high - low < _MOST_CLASSES:
            return _named([str(one) for one in range(low, high + 1)], codes.astype(int) - low)
        case OrderedClass(low=low, high=high) | Number(low=low, high=high):
            counts, edges = np.histogram(codes.astype(float), bins=_BINS, range=(low, high))
            starts = [f"{edge:.3g}" for edge in edges]
            ranges = [f"{start} to {end}" for start, end in pairwise(starts)]
            return list(zip(ranges, counts.tolist(), strict=True))
        case _:
            return []


def only_answer(output: AnswerKind, codes: Answers) -> str | None:
    """The answer that every item has, as a text; None where there are several, or one item alone."""
    plain = codes["label"] if isinstance(output, ConfidentLabel) else codes  # type: ignore[call-overload]  # as above
    if len(plain) < 2 or bool((plain != plain[0]).any()):
        return None
    return as_texts(plain[:1], output.labels)[0] or "no label"


def _named(names: tuple[str, ...] | list[str], positions: Answers) -> list[tuple[str, int]]:
    counts = np.bincount(positions.astype(int), minlength=len(names)).tolist()
    return list(zip(names, counts, strict=True))
