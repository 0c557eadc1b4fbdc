"""A span of the item's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from catalogue.answers.base import AnswerKind


@dataclass(frozen=True, slots=True)
class Span(AnswerKind):
    """A span of the item's text, given as text. Canonical array: numpy StringDType, shape (n_items,)."""

    key: ClassVar = "span"
    stored_name: ClassVar = "Span"
    phrase: ClassVar = "a span of text"

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    def describe(self) -> str:
        return "a span of the text"
