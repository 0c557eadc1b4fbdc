"""Answers of any kind as texts."""

from __future__ import annotations

import numpy as np

from catalogue.answers.base import Answers
from catalogue.answers.confident_label import LABEL_WITH_CONFIDENCE


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
