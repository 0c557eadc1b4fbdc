"""Any subset of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from catalogue.answers.base import AnswerKind


@dataclass(frozen=True, slots=True)
class LabelSubset(AnswerKind):
    """Any subset of at most 64 labels, the empty one included.

    Canonical array: uint64 bit masks, bit k for `names[k]`, shape (n_items,).
    """

    key: ClassVar = "label_subset"
    stored_name: ClassVar = "LabelSubset"
    phrase: ClassVar = "any subset of labels"

    names: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    def describe(self) -> str:
        return f"any subset of {len(self.names)} labels"
