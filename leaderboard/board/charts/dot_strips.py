"""Strips of dots on one common axis: every value of a task, of a system, in a line of its own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.board.charts.scale import Scale
from leaderboard.board.charts.svg import (
    COLOURS,
    FAINT,
    GREY,
    HUMAN,
    INK,
    RULE,
    SIZE,
    SMALL,
    SYMBOLS,
    WIDTH,
    Canvas,
    Marks,
)
from leaderboard.board.charts.text_layout import shelved, shortened, width
from leaderboard.board.model import number_format as fmt


@dataclass(frozen=True, slots=True)
class Look:
    """How a kind of marks is drawn: its class in a page, its colour on paper, its shape."""

    css: str
    colour: str
    shape: str = ""
    scale: str = "1"


DOT = Look("dots", GREY)  # many and grey
LEAD = Look("line line-1", COLOURS[0], SYMBOLS[0], "1.5")
PEOPLE = Look("line human", HUMAN, "M0-5.6L5.2 0L0 5.6L-5.2 0Z")
ASIDE = Look("aside", FAINT, "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0Z")
NUMBERED = tuple(  # differ by shape as well as by colour
    Look(f"line line-{number}", colour, symbol, "1.25")
    for number, (colour, symbol) in enumerate(zip(COLOURS, SYMBOLS, strict=True), start=1)
)
MARGIN = 12
HALF = 9  # half of a strip's height; dots that would overlap stand above each other within it
BELOW = 15  # how far below the middle baselines stand
CROWD = 60  # with more dots than that in a strip they are small
CROWDED = (
    300  # with more, dots could no more be told apart: lines as long as there are many take their places
)
POINTED_AT = 400  # up to so many dots in a chart each tells its name to those who point at it
LABEL = 15  # the height of a line of labels


@dataclass(frozen=True, slots=True)
class StripMark:
    """A value with what it is called, and how it looks."""

    value: float
    name: str
    look: Look = DOT

    @property
    def said(self) -> str:
        """What those who point at it are told."""
        return f"{self.name} {fmt.score(self.value)}"


@dataclass(frozen=True, slots=True)
class Strip:
    """A line: its title at the left, what stands out in it at the right, and its marks."""

    title: str
    marks: tuple[StripMark, ...]
    beside: str = ""

    @property
    def dots(self) -> list[StripMark]:
        """The grey ones among its marks."""
        return [mark for mark in self.marks if mark.look == DOT]


def is_crowd(strips: Sequence[Strip]) -> bool:
    """Whether some strip has more dots than can be told apart."""
    return any(len(strip.dots) > CROWDED for strip in strips)


def draw_strips(canvas: Canvas, strips: Sequence[Strip], words: Mapping[Look, str]) -> bytes:
    """The strips below each other. `words` name the looks, each in the first strip that has it.

    There is at least one strip, and at least one mark in all.
    """
    values = [mark.value for strip in strips for mark in strip.marks]
    scale = Scale.around(values, MARGIN, WIDTH - MARGIN)
    untold = dict(words)
    top = _numbers(canvas, scale, canvas.top + 12)
    for strip in strips:
        told = {mark.look: untold.pop(mark.look) for mark in strip.marks if mark.look in untold}
        top = _strip(canvas, scale, strip, top, told, is_pointed_at=len(values) <= POINTED_AT)
    if len(strips) > 6:
        top = _numbers(canvas, scale, top + 12) - 4
    return canvas.finish(top + 4)


def _numbers(canvas: Canvas, scale: Scale, y: float) -> float:
    """The numbers of the scale; returns where strips begin below them."""
    marks, last = canvas.group("scales", FAINT, font_size=f"{SMALL:g}"), len(scale.numbers) - 1
    for index, number in enumerate(scale.numbers):
        x, anchor = {0: (2.0, "start"), last: (WIDTH - 2.0, "end")}.get(index, (scale.at(number), "middle"))
        marks.text(scale.printed(number), x, y, anchor)
    return y + 8


def _strip(
    canvas: Canvas, scale: Scale, strip: Strip, top: float, words: Mapping[Look, str], *, is_pointed_at: bool
) -> float:
    """One strip below `top`; returns where the next begins."""
    drawn = canvas.group("strip", INK)
    beside = shortened(strip.beside, WIDTH / 2, SIZE)
    room = WIDTH - 4 - width(beside, SIZE) - 12
    drawn.text(shortened(strip.title, room, SIZE), 2, top + 16, font_weight="500")
    if beside:
        drawn.group("line line-1", COLOURS[0]).text(beside, WIDTH - 2, top + 16, "end")
    # A look is named where the one furthest to the right of its marks stands.
    places = {look: max(scale.at(mark.value) for mark in strip.marks if mark.look == look) for look in words}
    ordered = sorted(words, key=lambda look: places[look])
    shelves = shelved([(places[look], width(words[look], SMALL)) for look in ordered], 0, WIDTH)
    middle = top + 22 + LABEL * (1 + max((line for _, line in shelves), default=-1)) + HALF
    _grid(drawn, scale, middle)
    for look, (is_left, line) in zip(ordered, shelves, strict=True):
        _label(drawn, look, words[look], places[look], middle, line, is_left=is_left)
    _dots(drawn, strip.dots, scale, middle, is_pointed_at=is_pointed_at)
    for mark in sorted(strip.marks, key=lambda mark: mark.look == LEAD):
        if mark.look != DOT:
            _symbol(drawn, mark, scale.at(mark.value), middle)
    return middle + HALF + (13 if any(mark.look == ASIDE for mark in strip.marks) else 4)


def _grid(drawn: Marks, scale: Scale, middle: float) -> None:
    lines = "".join(f"M{scale.at(number):.1f} {middle - HALF:.1f}v{2 * HALF}" for number in scale.numbers)
    drawn.group("rules", RULE).stroke(f"{lines}M{MARGIN} {middle:.1f}H{WIDTH - MARGIN}")


def _label(drawn: Marks, look: Look, word: str, x: float, middle: float, line: int, *, is_left: bool) -> None:
    """What a look means, on that line above the strip, with a hair down to its mark."""
    named, y = drawn.group(look.css, look.colour), middle - HALF - 7 - LABEL * line
    named.text(word, x + (3 if is_left else -3), y, "end" if is_left else "start", font_size=f"{SMALL:g}")
    end = middle + (BELOW - 4 if look == ASIDE else -5)
    named.stroke(f"M{x:.1f} {y + 3:.1f}V{end:.1f}", "0.7", opacity="0.6")


def _dots(
    drawn: Marks, dots: Sequence[StripMark], scale: Scale, middle: float, *, is_pointed_at: bool
) -> None:
    """All dots of a strip as one path where nobody could point at each; each names itself otherwise."""
    xs = [scale.at(dot.value) for dot in dots]
    if len(dots) > CROWDED:
        drawn.group(DOT.css, DOT.colour).stroke(_crowd(xs, middle), "2.6", stroke_linecap="round")
    elif dots:
        pen = {"stroke_width": "7" if len(dots) <= CROWD else "3.6", "stroke_linecap": "round"}
        marks = drawn.group(DOT.css, DOT.colour, stroke="currentColor", **pen)
        points = [f"M{x:g} {middle + dy:.1f}h0" for x, dy in swarm(xs)]
        for point, dot in zip(points, dots, strict=True) if is_pointed_at else ():
            marks.path(point, dot.said)
        if not is_pointed_at:
            marks.path("".join(dict.fromkeys(points)))


def _crowd(xs: Sequence[float], middle: float) -> str:
    """Upright lines around the middle, the longest where most dots are."""
    counts = Counter(round(x / 4) for x in xs)
    halves = {4 * at: (HALF - 1.5) * count / max(counts.values()) for at, count in sorted(counts.items())}
    return "".join(f"M{x} {middle - half:.1f}v{2 * half:.1f}" for x, half in halves.items())


def swarm(xs: Sequence[float]) -> list[tuple[float, float]]:
    """Places of dots: where they would overlap one stands above the other, closer the more there are."""
    buckets = [round(x / 4) for x in xs]
    counts, seen = Counter(buckets), Counter[int]()
    places = []
    for x, bucket in zip(xs, buckets, strict=True):
        pitch = min(4.0, 2 * (HALF - 2) / max(counts[bucket] - 1, 1))
        places.append((round(x * 2) / 2, (seen[bucket] - (counts[bucket] - 1) / 2) * pitch))
        seen[bucket] += 1
    return places


def _symbol(drawn: Marks, mark: StripMark, x: float, middle: float) -> None:
    look, marks = mark.look, drawn.group(mark.look.css, mark.look.colour, mark.said)
    if look == ASIDE:
        marks.stroke(look.shape, "1.4", transform=f"translate({x:.1f} {middle + BELOW:.1f})")
    else:
        marks.path(look.shape, transform=f"translate({x:.1f} {middle:.1f}) scale({look.scale})")
