"""Exactly one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from catalogue.answers.base import AnswerKind


@dataclass(frozen=True, slots=True)
class Label(AnswerKind):
    """Exactly one of a fixed set of labels; case and spaces matter.

    Canonical array: label positions in `names`, uint8 (uint16 above 256 labels), shape (n_items,).
    `never_right` are labels that may be predicted but stand in no gold file (SemEval-2016 Task 6: UNKNOWN).
    """

    key: ClassVar = "one_label"
    stored_name: ClassVar = "LabelSet"
    phrase: ClassVar = "one label of a set"

    names: tuple[str, ...]
    never_right: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def names_in_gold(self) -> tuple[str, ...]:
        """The labels that can be right."""
        return tuple(name for name in self.names if name not in self.never_right)

    def describe(self) -> str:
        return f"one of {len(self.names)} labels"
