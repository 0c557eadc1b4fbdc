"""Strips of dots on one common axis: every value of a task, of a system, in a line of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from leaderboard.board.charts.plot import (
    COLOURS,
    FAINT,
    GREY,
    HUMAN,
    INK,
    MARKS,
    RULE,
    SIZE,
    SMALL,
    WIDTH,
    Canvas,
    Scale,
    group,
    named,
    path,
    shelved,
    stroke,
    text,
)
from leaderboard.board.charts.text_layout import shortened, width
from leaderboard.board.model import number_format as fmt

DOT, LEAD, PEOPLE, ASIDE = "dot", "lead", "people", "aside"
NUMBERED = tuple(f"number-{index}" for index in range(1, len(COLOURS) + 1))
"""Looks of marks. Dots are many and grey; numbered ones differ by shape as well as by colour."""
MARGIN = 12
HALF = 9
"""Half of a strip's height; dots that would overlap stand above each other within it."""
BELOW = 15
"""How far below the middle baselines stand."""
CROWD = 60
"""With more dots than that in a strip they are small."""
CROWDED = 300
"""With more, dots could no more be told apart: lines as long as there are many take their places."""
POINTED_AT = 400
"""Up to so many dots in a chart each tells its name to those who point at it."""
LABEL = 15
"""The height of a line of labels."""
_DIAMOND = "M0-5.6L5.2 0L0 5.6L-5.2 0Z"
_RING = "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0Z"


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with what it is called; `look` is one of those above."""

    value: float
    name: str
    look: str = DOT

    @property
    def said(self) -> str:
        """What those who point at it are told."""
        return f"{self.name} {fmt.score(self.value)}"


@dataclass(frozen=True, slots=True)
class Strip:
    """A line: its title at the left, what stands out in it at the right, and its marks."""

    title: str
    marks: tuple[Mark, ...]
    beside: str = ""


def draw_strips(canvas: Canvas, strips: Sequence[Strip], words: Mapping[str, str]) -> bytes:
    """The strips below each other. `words` name the looks, each in the first strip that has it.

    There is at least one strip, and at least one mark in all.
    """
    values = [mark.value for strip in strips for mark in strip.marks]
    scale = Scale.around(values, MARGIN, WIDTH - MARGIN)
    is_pointed_at = len(values) <= POINTED_AT
    untold = dict(words)
    top = canvas.top + 4
    _numbers(canvas, scale, top + 8)
    top += 16
    for strip in strips:
        told = {mark.look: untold.pop(mark.look) for mark in strip.marks if mark.look in untold}
        top = _strip(canvas, scale, strip, top, told, is_pointed_at=is_pointed_at)
    if len(strips) > 6:
        _numbers(canvas, scale, top + 12)
        top += 16
    return canvas.finish(top + 4)


def _numbers(canvas: Canvas, scale: Scale, y: float) -> None:
    scales = group(canvas.root, "scales", FAINT, font_size=f"{SMALL:g}")
    last = len(scale.numbers) - 1
    for index, number in enumerate(scale.numbers):
        at = {0: (2.0, "start"), last: (WIDTH - 2.0, "end")}.get(index, (scale.at(number), "middle"))
        text(scales, scale.printed(number), at[0], y, anchor=at[1])


def _strip(
    canvas: Canvas, scale: Scale, strip: Strip, top: float, words: Mapping[str, str], *, is_pointed_at: bool
) -> float:
    """One strip below `top`; returns where the next begins."""
    drawn = group(canvas.root, "strip", INK)
    beside = shortened(strip.beside, WIDTH / 2, SIZE)
    room = WIDTH - 4 - width(beside, SIZE) - 12
    text(drawn, shortened(strip.title, room, SIZE), 2, top + 16, font_weight="500")
    if beside:
        lead = group(drawn, "line line-1", COLOURS[0])
        text(lead, beside, WIDTH - 2, top + 16, anchor="end")
    places = _first_places(strip, scale, words)
    shelves = _shelves(words, places)
    middle = top + 22 + LABEL * (1 + max((line for _, line in shelves.values()), default=-1)) + HALF
    _grid(drawn, scale, middle)
    for look, (is_left, line) in shelves.items():
        named_by = group(drawn, _LOOKS[look].css, _LOOKS[look].colour)
        y = middle - HALF - 7 - LABEL * line
        x, anchor = places[look] + (3 if is_left else -3), "end" if is_left else "start"
        text(named_by, words[look], x, y, anchor=anchor, font_size=f"{SMALL:g}")
        end = middle + (BELOW - 4 if look == ASIDE else -5)
        stroke(named_by, f"M{places[look]:.1f} {y + 3:.1f}V{end:.1f}", "0.7", opacity="0.6")
    _dots(
        drawn, [mark for mark in strip.marks if mark.look == DOT], scale, middle, is_pointed_at=is_pointed_at
    )
    has_aside = False
    for mark in sorted(strip.marks, key=lambda mark: mark.look == LEAD):
        if mark.look != DOT:
            has_aside |= mark.look == ASIDE
            _mark(drawn, mark, scale.at(mark.value), middle + BELOW * (mark.look == ASIDE))
    return middle + HALF + (13 if has_aside else 4)


def _grid(parent: ET.Element, scale: Scale, middle: float) -> None:
    rules = group(parent, "rules", RULE)
    lines = "".join(f"M{scale.at(number):.1f} {middle - HALF:.1f}v{2 * HALF}" for number in scale.numbers)
    stroke(rules, f"{lines}M{MARGIN} {middle:.1f}H{WIDTH - MARGIN}")


def _first_places(strip: Strip, scale: Scale, words: Mapping[str, str]) -> dict[str, float]:
    """The mark of each look that is named here: of several the one furthest to the right."""
    return {
        look: max(scale.at(mark.value) for mark in strip.marks if mark.look == look)
        for look in words
    }  # fmt: skip


def _shelves(words: Mapping[str, str], places: Mapping[str, float]) -> dict[str, tuple[bool, int]]:
    ordered = sorted(words, key=lambda look: places[look])
    wanted = [(places[look], width(words[look], SMALL)) for look in ordered]
    return dict(zip(ordered, shelved(wanted, 0, WIDTH), strict=True))


def _dots(
    parent: ET.Element, dots: Sequence[Mark], scale: Scale, middle: float, *, is_pointed_at: bool
) -> None:
    """All dots of a strip as one path where nobody could point at each; each names itself otherwise."""
    if not dots:
        return
    xs = [scale.at(dot.value) for dot in dots]
    if len(dots) > CROWDED:
        crowd = group(parent, "dots", GREY)
        stroke(crowd, "".join(_crowd(xs, middle)), "2.6", stroke_linecap="round")
        return
    size = "7" if len(dots) <= CROWD else "3.6"
    drawn = group(parent, "dots", GREY, stroke="currentColor", stroke_width=size, stroke_linecap="round")
    places = swarm(xs)
    if not is_pointed_at:
        path(drawn, "".join(dict.fromkeys(f"M{x:g} {middle + dy:.1f}h0" for x, dy in places)))
        return
    for dot, (x, dy) in zip(dots, places, strict=True):
        named(path(drawn, f"M{x:g} {middle + dy:.1f}h0"), dot.said)


def is_crowd(strips: Sequence[Strip]) -> bool:
    """Whether some strip has more dots than can be told apart."""
    return any(sum(mark.look == DOT for mark in strip.marks) > CROWDED for strip in strips)


def _crowd(xs: Sequence[float], middle: float) -> Iterator[str]:
    """Upright lines around the middle, the longest where most dots are."""
    counts = Counter(round(x / 4) for x in xs)
    most = max(counts.values())
    for bucket, count in sorted(counts.items()):
        half = (HALF - 1.5) * count / most
        yield f"M{4 * bucket} {middle - half:.1f}v{2 * half:.1f}"


def swarm(xs: Sequence[float]) -> list[tuple[float, float]]:
    """Places of dots: where they would overlap one stands above the other, closer the more there are."""
    buckets = [round(x / 4) for x in xs]
    counts, seen = Counter(buckets), Counter[int]()
    places = []
    for x, bucket in zip(xs, buckets, strict=True):
        count, index = counts[bucket], seen[bucket]
        seen[bucket] += 1
        pitch = min(4.0, 2 * (HALF - 2) / max(count - 1, 1))
        places.append((round(x * 2) / 2, (index - (count - 1) / 2) * pitch))
    return places


def _mark(parent: ET.Element, mark: Mark, x: float, y: float) -> None:
    look = _LOOKS[mark.look]
    drawn = group(parent, look.css, look.colour)
    named(drawn, mark.said)
    where = f"translate({x:.1f} {y:.1f})"
    if mark.look == ASIDE:
        stroke(drawn, look.shape, "1.4", transform=where)
    else:
        path(drawn, look.shape, transform=f"{where} scale({look.scale})")


@dataclass(frozen=True, slots=True)
class _Look:
    css: str
    colour: str
    shape: str
    scale: str = "1"


_LOOKS = {
    LEAD: _Look("line line-1", COLOURS[0], MARKS[0], "1.5"),
    PEOPLE: _Look("line human", HUMAN, _DIAMOND),
    ASIDE: _Look("aside", FAINT, _RING),
    **{
        look: _Look(f"line line-{index + 1}", COLOURS[index], MARKS[index], "1.25")
        for index, look in enumerate(NUMBERED)
    },
}
