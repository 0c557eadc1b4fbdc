"""One of consecutive whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from catalogue.answers.base import AnswerKind


@dataclass(frozen=True, slots=True)
class OrderedClass(AnswerKind):
    """One of consecutive whole numbers `low`..`high`, whose distance means something.

    Canonical array: the class itself, int16, shape (n_items,).
    """

    key: ClassVar = "ordered_classes"
    stored_name: ClassVar = "OrderedClasses"
    phrase: ClassVar = "ordered classes"

    low: int
    high: int

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    def describe(self) -> str:
        return f"a whole number from {self.low} to {self.high}"
