"""Sample submissions: the same answer for every item, written as the reader wants it. They show the form alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    Answers,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Span,
)
from submissions.intake.canonical import CanonicalPredictions, SplitTarget
from submissions.intake.write import UNREAD, write_files


def sample_answers(output: AnswerKind, count: int) -> Answers:
    """The same answer `count` times, as a canonical array: it knows nothing but the kind of answer.

    The first label; a subset without labels; the class nearest to 0; the middle of a range of numbers; a dash for a
    span of text. A label's confidence is 0.
    """
    match output:
        case Label(names=names):
            return np.zeros(count, dtype="u1" if len(names) <= 256 else "<u2")
        case LabelSubset():
            return np.zeros(count, dtype="<u8")
        case ConfidentLabel():
            return np.zeros(count, dtype=LABEL_WITH_CONFIDENCE)
        case OrderedClass(low=low, high=high):
            return np.full(count, min(max(0, low), high), dtype="<i2")
        case Number(low=low, high=high):
            return np.full(count, low + (high - low) / 2, dtype="<f8")
        case Span():
            return np.array([UNREAD] * count, dtype=np.dtypes.StringDType())
        case _:
            raise TypeError(output)


def sample_files(targets: Sequence[SplitTarget], *, seeds: int = 1) -> dict[str, bytes]:
    """Every file of an upload that answers all the targets with each of the seeds, by its path in the zip."""
    predictions = (
        CanonicalPredictions(
            target.task.id, target.split, sample_answers(target.task.output, len(target.ids)), seed
        )
        for seed in range(1, seeds + 1)
        for target in targets
    )
    return write_files(targets, predictions, seeds=seeds)
