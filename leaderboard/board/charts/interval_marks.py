"""A score as a dot with its 95 % interval as a whisker, on an axis that rows share: SVG without style and viewBox.

Positions are per cents of the axis and sizes are pixels, so that a picture fills its cell and nothing is distorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import inf

from leaderboard.board.charts.scale import Scale, ticks
from leaderboard.board.model import number_format as fmt

# The axis is cut where a last row would make all whiskers shorter by more than this factor.
MOST_STRETCH = 1.5
MOST_CUT = 0.25  # at most this share of the rows lies outside
EDGE = 0.04  # of the span stays free at both ends
LABEL = 20  # per cent of the axis that words at its edge take up
TICK = 8  # and a number, on a phone
FARTHEST_LINE = 0.35  # a line that is farther away than this share of the span does not stretch the axis


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with both ends of its interval, which are None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        return (
            self.value if self.low is None else min(self.low, self.value),
            self.value if self.high is None else max(self.high, self.value),
        )


@dataclass(frozen=True, slots=True)
class MarkAxis:
    """The part of a scale that rows share; `numbers` are printed at its ticks, with so many `decimals`."""

    scale: Scale

    @classmethod
    def of(
        cls, marks: Sequence[Mark], *, lines: Iterable[float] = (), higher_is_better: bool = True
    ) -> MarkAxis | None:
        """An axis with room for the whiskers of these marks, the best first; None where there are none.

        Up to a quarter of the rows, from the last one up, is left outside where a row would shorten all whiskers by
        half again. Of `lines` those that are near are on it.
        """
        if not marks:
            return None
        kept = _without_the_far(sorted(marks, key=lambda mark: mark.value, reverse=higher_is_better))
        low = min(mark.ends[0] for mark in kept)
        high = max(mark.ends[1] for mark in kept)
        span = high - low or max(abs(high), 1.0) / 10
        near = [line for line in lines if low - FARTHEST_LINE * span <= line <= high + FARTHEST_LINE * span]
        low, high = min([low, *near]), max([high, *near])
        span = high - low or max(abs(high), 1.0) / 10
        ends = (low - EDGE * span, high + EDGE * span)
        numbers, decimals = ticks(*ends)
        inside = tuple(number for number in numbers if ends[0] <= number <= ends[1])
        return cls(Scale(ends, 0, 100, inside, decimals))

    def at(self, value: float) -> str:
        """Where a value stands, as a per cent of the axis."""
        return f"{self.scale.at(value):.2f}%"

    def holds(self, value: float) -> bool:
        return self.scale.ends[0] <= value <= self.scale.ends[1]

    def beyond(self, values: Iterable[float]) -> tuple[int, int]:
        """How many values lie below the axis, and how many above."""
        known = list(values)
        low, high = self.scale.ends
        return sum(value < low for value in known), sum(value > high for value in known)


def _without_the_far(marks: Sequence[Mark]) -> Sequence[Mark]:
    """The marks but for the last ones that would stretch the axis too far, at most a quarter of them."""
    fewest = max(3, len(marks) - int(len(marks) * MOST_CUT))
    low, high = inf, -inf
    for count, (first, last) in enumerate(mark.ends for mark in marks):
        span = high - low
        low, high = min(low, first), max(high, last)
        if count >= fewest and high - low > MOST_STRETCH * span:
            return marks[:count]
    return marks


def head(axis: MarkAxis, lines: Sequence[tuple[float, str]] = (), *, has_grid: bool = True) -> str:
    """The head of the column: numbers at the ticks, grid lines down through the rows, and named `lines` above."""
    parts = ['<svg class="px" aria-hidden="true">']
    for number in axis.scale.numbers:
        x = axis.at(number)
        if has_grid:
            parts.append(f'<line class="gl" x1="{x}" x2="{x}" y1="100%" y2="100000"/>')
        anchor = "end" if axis.scale.at(number) > 100 - TICK / 2 else "middle"
        parts.append(
            f'<text x="{x}" y="100%" dy="-7" text-anchor="{anchor}">{axis.scale.printed(number)}</text>'
        )
    for value, name in lines:
        x = axis.at(value)
        anchor = "end" if axis.scale.at(value) > 100 - LABEL / 2 else "middle"
        parts.append(
            f'<text class="hu-t" x="{x}" y="100%" dy="-23" text-anchor="{anchor}">{escape(name)}</text>'
        )
        parts.append(f'<line class="hu" x1="{x}" x2="{x}" y1="100%" y2="100%"/>')
    return "".join([*parts, "</svg>"])


def row(
    axis: MarkAxis,
    mark: Mark | None,
    label: str,
    *,
    css: str = "",
    lines: Sequence[float] = (),
    is_scored: bool = True,
    has_ends: bool = True,
) -> str:
    """The cell of a row: its whisker, whose ends may be left off, and its dot over the `lines`.

    The dot is hollow for what was not scored here.

    What lies beyond the axis is an arrow at its edge.
    """
    named = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
    drawn = [
        *(_line(axis, value) for value in lines),
        *(_mark(axis, mark, is_scored=is_scored, has_ends=has_ends) if mark else ()),
    ]
    return "".join([f'<svg class="px{" " + css if css else ""}"{named}>', *drawn, "</svg>"])


def _mark(axis: MarkAxis, mark: Mark, *, is_scored: bool, has_ends: bool = True) -> Iterator[str]:
    lowest, highest = axis.scale.ends
    if not axis.holds(mark.value):
        is_below = mark.value < lowest
        place = 'x="0" dx="4"' if is_below else 'x="100%" dx="-4" text-anchor="end"'
        yield f'<text {place} y="50%" dy="4">{"◂" if is_below else "▸"}</text>'
        return
    if mark.low is not None and mark.high is not None:
        first, last = axis.at(max(mark.low, lowest)), axis.at(min(mark.high, highest))
        yield f'<line class="w" x1="{first}" x2="{last}" y1="50%" y2="50%"/>'
        for end in (first, last) if has_ends else ():
            yield f'<line class="w" x1="{end}" x2="{end}" y1="37%" y2="63%"/>'
    css, radius = ("dot", 5) if is_scored else ("hollow", 4)
    yield f'<circle class="{css}" cx="{axis.at(mark.value)}" cy="50%" r="{radius}"/>'


def standing(axis: MarkAxis, mark: Mark, best: float, median: float, baseline: float | None) -> str:
    """The cell of a column: a score with its whisker, a tick at the median of all, a ring at the best."""
    label = f"{fmt.score(mark.value)}; best {fmt.score(best)}, median {fmt.score(median)}"
    if baseline is not None:
        label += f", baseline {fmt.score(baseline)}"
    ticks = [
        ("brk", median, 6),
        *([("base", baseline, 9)] if baseline is not None and axis.holds(baseline) else []),
    ]
    known = [best, mark.value, *(value for _, value, _ in ticks)]
    first, last = axis.at(min(known)), axis.at(max(known))
    drawn = [
        f'<line class="rng" x1="{first}" x2="{last}" y1="50%" y2="50%"/>',
        *(
            f'<svg x="{axis.at(value)}" y="50%" overflow="visible"><line class="{css}" y1="-{half}" y2="{half}"/></svg>'
            for css, value, half in ticks
        ),
        f'<circle class="hollow" cx="{axis.at(best)}" cy="50%" r="4.5"/>',
        *_mark(axis, mark, is_scored=True),
    ]
    return "".join([f'<svg class="px" role="img" aria-label="{escape(label)}">', *drawn, "</svg>"])


def bar(share: float, words: str) -> str:
    """A bar of a share from 0 to 1 of three quarters of its cell, with words after it."""
    end = f"{75 * share:.1f}%"
    return (
        f'<svg class="px" aria-hidden="true"><rect class="gain" x="0" y="50%" width="{end}" height="10"'
        f' transform="translate(0 -5)"/><text class="ink" x="{end}" dx="8" y="50%" dy="4">{escape(words)}</text></svg>'
    )


def folded(
    axis: MarkAxis, values: Sequence[float], named: Sequence[tuple[float, str]], lines: Sequence[float]
) -> str:
    """Hollow dots for rows that are not shown, the `named` ones with their names; what lies beyond is counted."""
    below, above = axis.beyond(values)
    parts = ['<svg class="px" aria-hidden="true">', *(_line(axis, value) for value in lines)]
    for value in values:
        if axis.holds(value):
            parts.append(f'<circle class="hollow" cx="{axis.at(value)}" cy="50%" r="4"/>')
    for value, name in named:
        parts.append(f'<text x="{axis.at(value)}" dx="9" y="50%" dy="4">{escape(name)}</text>')
    low, high = (fmt.score(end, decimals=2) for end in axis.scale.ends)
    places = [axis.scale.at(value) for value in values if axis.holds(value)]
    if below:
        is_free = not any(place < LABEL for place in places)
        words, side = (
            (f"◂ {below} below {low}", 'dx="4"') if is_free else (f"◂ {below}", 'dx="-8" text-anchor="end"')
        )
        parts.append(f'<text x="0" {side} y="50%" dy="4">{words}</text>')
    if above:
        words = f"{above} ▸" if any(place > 100 - LABEL for place in places) else f"{above} above {high} ▸"
        parts.append(f'<text x="100%" dx="-4" y="50%" dy="4" text-anchor="end">{words}</text>')
    return "".join([*parts, "</svg>"])


def _line(axis: MarkAxis, value: float) -> str:
    return f'<line class="hu" x1="{axis.at(value)}" x2="{axis.at(value)}" y1="0" y2="100%"/>'
