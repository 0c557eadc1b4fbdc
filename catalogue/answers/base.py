"""What every kind of answer must say of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Answers = NDArray[np.generic]
"""A canonical array of any kind, shape (n_items,)."""


@dataclass(frozen=True, slots=True)
class AnswerKind(ABC):
    """What a system answers per item of a task. An instance holds what the task's definition declares.

    `key` is the word for the kind in definitions, `stored_name` the one in digests of what was stored before,
    `phrase` the one in messages about what the kind is.
    """

    key: ClassVar[str]
    stored_name: ClassVar[str]
    phrase: ClassVar[str]

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The declared labels; none where an answer is a number, a class or a span."""

    @abstractmethod
    def describe(self) -> str:
        """What an answer is, in words that go on after "Each answer is"."""

    def declaration(self) -> dict[str, Any]:
        """What the definition declares, by the name of each field."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def signature(self) -> str:
        """The kind and what is declared of it, as one line for digests."""
        fields = ", ".join(f"{name}={value!r}" for name, value in self.declaration().items())
        return f"{self.stored_name}({fields})"
