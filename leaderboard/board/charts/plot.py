"""What all charts are drawn with: scales with round numbers, text that does not overlap, and the SVG itself.

Colours stand in the SVG as on white paper, so that a chart can be downloaded and printed; inlined in a page, the
style sheet's rules for `.chart` take their place, in light and in dark. No style attributes, no scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.etree import ElementTree as ET

from leaderboard.board.charts.text_layout import one_line, wrapped
from leaderboard.board.model import number_format as fmt

WIDTH = 400
"""Pixels of a chart that can be read on a phone, where it is drawn at four fifths of its size."""
SEEN = 320
"""Pixels of a wider chart that a phone shows without scrolling."""
HEIGHT = 280
LEFT, RIGHT, TOP, BOTTOM = 42, 128, 12, 42
"""Room around lines: for the numbers of the scales, and for names at the ends of lines."""
LINE_HEIGHT = 16
NUMBER_WIDTH = 22
"""Room for a number below the plot; of places that are closer together not all are numbered."""
TITLE_SIZE, SIZE, SMALL = 15.0, 13.0, 12.0
TITLE_LINES = 3
BOLD = 1.2
"""How much wider bold letters are."""

INK, FAINT, RULE, GREY, HUMAN = "#1b1e22", "#5a6069", "#e4e1da", "#85817a", "#8a4a08"
COLOURS = ("#0b5d69", "#6a3d9a", "#a3326b", "#3f6b1f", "#2f5fb3")
MARKS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z",  # disc
    "M-3.2-3.2h6.4v6.4h-6.4Z",  # square
    "M0-4.2L4 3H-4Z",  # triangle
    "M0-4.4L4.4 0L0 4.4L-4.4 0Z",  # diamond
    "M0 4.2L4-3H-4Z",  # triangle on its tip
)


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to pixels: `numbers` are round, the first stands at `start` and the last at `end`."""

    numbers: tuple[float, ...]
    decimals: int
    start: float
    end: float

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float) -> Scale:
        """The scale that has room for all these values, of which there is at least one."""
        return cls(*ticks(min(values), max(values)), start, end)

    def at(self, value: float) -> float:
        """Where a value stands."""
        low, high = self.numbers[0], self.numbers[-1]
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def printed(self, value: float) -> str:
        """A number of the scale."""
        return fmt.score(value, decimals=self.decimals)


@dataclass(frozen=True, slots=True)
class Plot:
    """Where the points of lines come to stand. `xs` are the places that have points."""

    xs: tuple[float, ...]
    scale: Scale

    @classmethod
    def around(cls, lines: Sequence[Sequence[tuple[float, float]]], top: float = 0) -> Plot:
        """The plot that has room for all points (x, y) of all lines; its drawing begins at `top`."""
        xs = sorted({x for line in lines for x, _ in line})
        ys = [y for line in lines for _, y in line]
        return cls(tuple(xs), Scale.around(ys, top + HEIGHT - BOTTOM, top + TOP))

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


def shelved(wanted: Sequence[tuple[float, float]], low: float, high: float) -> list[tuple[bool, int]]:
    """Whether each label stands to the left of its place, and on which line; `wanted` are places in order, and widths.

    A label begins at its place, or ends there where it has no room at the right. Line 0 is the lowest. No label stands
    on another, nor in the way of a hair from another down to its place.
    """
    is_left = [False] * len(wanted)
    for index in reversed(range(len(wanted))):
        (x, wide), rest = wanted[index], wanted[index + 1 :]
        is_crossed = any(
            left and x + wide > other for left, (other, _) in zip(is_left[index + 1 :], rest, strict=True)
        )
        is_left[index] = x + wide > high or (is_crossed and x - wide >= low)
    lines = [0] * len(wanted)
    spans = [
        (x - wide, x) if left else (x, x + wide) for (x, wide), left in zip(wanted, is_left, strict=True)
    ]
    towards_right = [index for index in reversed(range(len(wanted))) if not is_left[index]]
    placed: list[int] = []
    for index in [*towards_right, *(index for index in range(len(wanted)) if is_left[index])]:
        begin, end = spans[index]
        near = [lines[one] for one in placed if spans[one][0] < end + 8 and begin < spans[one][1] + 8]
        lines[index] = max(near, default=-1) + 1
        placed.append(index)
    return list(zip(is_left, lines, strict=True))


class Canvas:
    """An SVG that is being drawn: its title stands in it already, as a sentence with what is measured below it.

    `top` is where the drawing may begin. `key` distinguishes the chart from others in the same page.
    """

    def __init__(self, key: str, *, title: str, about: str, description: str, wide: float = WIDTH) -> None:
        self.wide = wide
        ids = {"title": f"chart-{key}-title", "desc": f"chart-{key}-description"}
        self.root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "role": "img",
                "aria-labelledby": ids["title"],
                "aria-describedby": ids["desc"],
                "font-family": "system-ui, sans-serif",
                "font-size": f"{SIZE:g}",
            },
        )
        ET.SubElement(self.root, "title", {"id": ids["title"]}).text = one_line(title)
        ET.SubElement(self.root, "desc", {"id": ids["desc"]}).text = one_line(description)
        path(self.root, f"M0 0h{wide:g}", css="ground")  # its height is known at the end
        self.top = self._heading(title, about)

    def _heading(self, title: str, about: str) -> float:
        room = self.wide - 4 if self.wide <= WIDTH else SEEN
        heading = group(self.root, "heading", INK, font_size=f"{TITLE_SIZE:g}", font_weight="600")
        lines = wrapped(title, room, TITLE_SIZE * BOLD, lines=TITLE_LINES)
        for index, line in enumerate(lines):
            text(heading, line, 2, 16 + 19 * index)
        bottom = 16 + 19 * len(lines)
        below = group(self.root, "scales", FAINT)
        for index, line in enumerate(wrapped(about, room, SIZE, lines=2)):
            text(below, line, 2, bottom + 2 + 17 * index)
            bottom += 17 * (index > 0)
        return bottom + 12

    def finish(self, height: float) -> bytes:
        """The SVG as UTF-8. The same drawing always gives the same bytes."""
        size = {
            "viewBox": f"0 0 {self.wide:g} {height:g}",
            "width": f"{self.wide:g}",
            "height": f"{height:g}",
        }
        self.root.attrib.update(size)
        ground = self.root[2]
        ground.attrib.update({"d": f"M0 0h{self.wide:g}v{height:g}H0Z", "fill": "#fff"})
        return ET.tostring(self.root, encoding="unicode").encode()


def group(parent: ET.Element, css: str, colour: str, **more: str) -> ET.Element:
    """A group whose colour on paper is `colour`; text in it is of that colour."""
    attributes = {"class": css, "color": colour, "fill": "currentColor"}
    return ET.SubElement(parent, "g", attributes | _dashed(more))


def path(parent: ET.Element, d: str, *, css: str = "", **more: str) -> ET.Element:
    """A path; `stroke_width` becomes `stroke-width`."""
    attributes = {"class": css} if css else {}
    return ET.SubElement(parent, "path", attributes | {"d": d} | _dashed(more))


def stroke(parent: ET.Element, d: str, wide: str = "1", **more: str) -> ET.Element:
    """A line in the colour of its group."""
    return path(parent, d, fill="none", stroke="currentColor", stroke_width=wide, **more)


def text(parent: ET.Element, line: str, x: float, y: float, *, anchor: str = "start", **more: str) -> None:
    """A line of text, whatever it holds."""
    where = {"x": f"{x:.1f}", "y": f"{y:.1f}"}
    if anchor != "start":
        where["text-anchor"] = anchor
    ET.SubElement(parent, "text", where | _dashed(more)).text = one_line(line)


def named(parent: ET.Element, name: str) -> None:
    """What is shown to those who point at a group."""
    ET.SubElement(parent, "title").text = one_line(name)


def _dashed(attributes: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in attributes.items()}
