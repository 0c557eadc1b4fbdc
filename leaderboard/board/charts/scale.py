"""Scales: from values to pixels, and the round numbers that stand beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from catalogue.disclosure.rule import MANY_POINTS
from leaderboard.board.model import number_format as fmt


@dataclass(frozen=True, slots=True)
class Scale:
    """From values between two `ends`, the lower one first, to pixels from `start` to `end`.

    `numbers` are the values that are printed beside it, with so many `decimals`.
    """

    ends: tuple[float, float]
    start: float
    end: float
    numbers: tuple[float, ...]
    decimals: int = 1

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float) -> Scale:
        """The scale with a round number at each end that has room for these values, of which there is at least one."""
        numbers, decimals = ticks(min(values), max(values))
        return cls((numbers[0], numbers[-1]), start, end, numbers, decimals)

    @classmethod
    def through(cls, values: Iterable[float], start: float, end: float, *, room: float) -> Scale:
        """The scale from the lowest value to the highest; a single one stands in the middle.

        The values themselves are its numbers, from the highest down, but for those less than `room` pixels from the
        one before.
        """
        scale = cls((min(values := sorted(values)), max(values)), start, end, ())
        numbers: list[float] = []
        for value in reversed(values):
            if not numbers or scale.at(value) <= scale.at(numbers[-1]) - room:
                numbers.append(value)
        return cls(scale.ends, start, end, tuple(numbers))

    def at(self, value: float) -> float:
        """Where a value stands, in pixels."""
        low, high = self.ends
        part = (value - low) / (high - low) if high > low else 0.5
        return self.start + part * (self.end - self.start)

    def printed(self, value: float) -> str:
        """A number of the scale; without decimals where it has whole numbers alone, such as 0, 20 and 40."""
        if max(map(abs, self.numbers), default=0) >= MANY_POINTS and all(map(_is_whole, self.numbers)):
            return f"{value:,.0f}".replace("-", fmt.MINUS)
        return fmt.score(value, decimals=self.decimals)


def _is_whole(number: float) -> bool:
    return float(number).is_integer()


def ticks(low: float, high: float) -> tuple[tuple[float, ...], int]:
    """Three to seven round numbers from at most `low` to at least `high`, and the decimals that they need."""
    spread = high - low or max(abs(high), 1.0) / 10
    power = floor(log10(spread / 4))
    step = next(step for factor in (1, 2, 5, 10) if spread / (step := factor * 10.0**power) <= 5)
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 2)
    decimals = max(1, -floor(log10(step) + 1e-9))
    return tuple(round(index * step, 12) for index in range(first, last + 1)), decimals
