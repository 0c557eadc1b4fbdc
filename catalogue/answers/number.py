"""A number in a range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from catalogue.answers.base import AnswerKind


@dataclass(frozen=True, slots=True)
class Number(AnswerKind):
    """A finite number in `low`..`high`, both included. Canonical array: float64, shape (n_items,)."""

    key: ClassVar = "number"
    stored_name: ClassVar = "Number"
    phrase: ClassVar = "a number"

    low: float
    high: float

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    def describe(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"
