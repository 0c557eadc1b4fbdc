"""Draws from a seed, the same on every machine and in every version of Python."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """Everything follows from `Random.random`, which alone is promised to stay as it is."""

    def __init__(self, seed: int) -> None:
        self.share = Random(seed).random

    def below(self, end: int) -> int:
        return int(self.share() * end)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        return [self.pick(options) for _ in range(count)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest, mixed = list(items), []
        while rest:
            at = self.below(len(rest))
            rest[at], rest[-1] = rest[-1], rest[at]
            mixed.append(rest.pop())
        return mixed

    def mostly(self, gold: Sequence[T], options: Sequence[T], share: float) -> list[T]:
        """Predictions: the gold label with this probability, else any option."""
        return [label if self.share() < share else self.pick(options) for label in gold]


def write_lines(path: Path, lines: Sequence[str], *, end: str = "\n", encoding: str = "utf-8") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + end for line in lines).encode(encoding))
