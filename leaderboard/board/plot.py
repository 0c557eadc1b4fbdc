"""Where things come to stand in a chart: scales with round numbers, and names that do not overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

WIDTH, HEIGHT = 460, 330
LEFT, RIGHT, TOP, BOTTOM = 46, 140, 34, 46
"""Room around the plot: for the numbers of the scales, and for names at the ends of lines."""
LINE_HEIGHT = 16
NUMBER_WIDTH = 22
"""Room for a number below the plot; of places that are closer together not all are numbered."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Where values come to stand. `xs` are the places that have points, `ys` the round numbers of the scale."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    decimals: int

    @classmethod
    def around(cls, lines: Sequence[Sequence[tuple[float, float]]]) -> Plot:
        """The plot that has room for all points (x, y) of all lines."""
        xs = sorted({x for line in lines for x, _ in line})
        ys = [y for line in lines for _, y in line]
        numbers, decimals = ticks(min(ys), max(ys))
        return cls(tuple(xs), numbers, decimals)

    def x(self, value: float) -> float:
        """Pixels from the left; a single x stands in the middle."""
        low, high = self.xs[0], self.xs[-1]
        part = (value - low) / (high - low) if high > low else 0.5
        return LEFT + 10 + part * (WIDTH - LEFT - RIGHT - 20)

    def numbered(self) -> Iterator[float]:
        """Those `xs` that a number stands below, from the right, where the newest is."""
        free = float("inf")
        for x in reversed(self.xs):
            if self.x(x) <= free:
                free = self.x(x) - NUMBER_WIDTH
                yield x

    def y(self, value: float) -> float:
        """Pixels from the top."""
        low, high = self.ys[0], self.ys[-1]
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def ticks(low: float, high: float) -> tuple[tuple[float, ...], int]:
    """Three to seven round numbers from at most `low` to at least `high`, and the decimals that they need."""
    spread = high - low or max(abs(high), 1.0) / 10
    power = floor(log10(spread / 4))
    steps = (factor * 10.0**power for factor in (1, 2, 5, 10))
    step = next(step for step in steps if spread / step <= 5)
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 2)
    decimals = max(1, -floor(log10(step) + 1e-9))
    return tuple(round(index * step, 12) for index in range(first, last + 1)), decimals


def apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Heights near those wanted, which ascend, a line apart; between `low` and `high` where all fit there.

    What would overlap moves apart together, as far up as down.
    """
    blocks: list[tuple[float, int]] = []  # middle, how many lines
    for height in wanted:
        middle, count = _within(height, 1, low, high), 1
        while blocks and blocks[-1][0] + (blocks[-1][1] + count) * LINE_HEIGHT / 2 > middle:
            above, members = blocks.pop()
            middle = (above * members + middle * count) / (members + count)
            count += members
            middle = _within(middle, count, low, high)
        blocks.append((middle, count))
    return [
        middle + (index - (count - 1) / 2) * LINE_HEIGHT for middle, count in blocks for index in range(count)
    ]


def _within(middle: float, count: int, low: float, high: float) -> float:
    half = (count - 1) * LINE_HEIGHT / 2
    return max(low + half, min(high - half, middle))
