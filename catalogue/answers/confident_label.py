"""A label with a confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from catalogue.answers.base import AnswerKind

LABEL_WITH_CONFIDENCE = np.dtype([("label", "u1"), ("confidence", "<f8")])


@dataclass(frozen=True, slots=True)
class ConfidentLabel(AnswerKind):
    """One of a set of labels and a confidence in 0..1.

    Canonical array: LABEL_WITH_CONFIDENCE (label position in `names`, confidence), shape (n_items,).
    `never_right` as in Label (RumourEval B: unverified stands in the gold file and no prediction of it is right).
    """

    key: ClassVar = "label_with_confidence"
    stored_name: ClassVar = "LabelWithConfidence"
    phrase: ClassVar = "a label with a confidence"

    names: tuple[str, ...]
    never_right: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    def describe(self) -> str:
        return f"one of {len(self.names)} labels with a confidence from 0 to 1"
