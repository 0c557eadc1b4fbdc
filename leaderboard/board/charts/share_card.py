"""The picture that a link to a board or a system is shown with elsewhere: 1200 x 630 pixels, PNG.

The same marks as on the pages, drawn twice as large and made smaller, because a PNG has no other way to smooth edges.
Pillow's own font is used, so that every server draws the same picture; letters that it lacks are drawn as boxes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from PIL import Image, ImageDraw, ImageFont

from leaderboard.board.charts.interval_marks import Mark, MarkAxis
from leaderboard.board.model import number_format as fmt

WIDTH, HEIGHT = 1200, 630
MARGIN = 56
SHARPER = 2
MOST_ROWS = 5
ROW = 58
PAPER, INK, FAINT, RULE, ACCENT, WASH = "#faf9f6", "#1b1e22", "#5a6069", "#e4e1da", "#0b5d69", "#e2f0f1"
AXIS_AT = 700


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of the picture: what stands at its left, a name, a number, and the mark of that number, if it has one."""

    place: str
    name: str
    number: str
    mark: Mark | None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class ShareCard:
    """What the picture says; of its rows the first five are drawn. `is_synthetic` where data are made up."""

    title: str
    sentence: str
    rows: Sequence[CardRow]
    footer: str
    higher_is_better: bool = True
    is_synthetic: bool = False


def png(card: ShareCard) -> bytes:
    """The picture."""
    image = Image.new("RGB", (WIDTH * SHARPER, HEIGHT * SHARPER), PAPER)
    pen = _Pen(ImageDraw.Draw(image))
    pen.text(MARGIN, 44, pen.shortened(card.title, 52, WIDTH - 2 * MARGIN), 52, INK)
    top = 122
    for line in pen.wrapped(card.sentence, 30, WIDTH - 2 * MARGIN, most=3):
        pen.text(MARGIN, top, line, 30, FAINT)
        top += 40
    rows = card.rows[:MOST_ROWS]
    axis = MarkAxis.of([row.mark for row in rows if row.mark], higher_is_better=card.higher_is_better)
    top = max(top + 14, HEIGHT - 74 - ROW * len(rows))
    for row in rows:
        _row(pen, row, axis, top)
        top += ROW
    pen.line(MARGIN, HEIGHT - 62, WIDTH - MARGIN, HEIGHT - 62, RULE, 2)
    made_up = "Made-up demo data · " if card.is_synthetic else ""
    pen.text(MARGIN, HEIGHT - 48, f"{made_up}{card.footer}", 24, FAINT)
    body = io.BytesIO()
    small = image.reduce(SHARPER).quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(body, "PNG", compress_level=6)
    return body.getvalue()


def _row(pen: _Pen, row: CardRow, axis: MarkAxis | None, top: float) -> None:
    if row.is_own:
        pen.box(MARGIN - 12, top, WIDTH - MARGIN + 12, top + ROW, WASH)
    pen.line(MARGIN, top, WIDTH - MARGIN, top, RULE, 1)
    pen.text(MARGIN, top + 13, row.place, 28, INK)
    pen.text(MARGIN + 70, top + 13, pen.shortened(row.name, 28, 390), 28, INK)
    pen.text(AXIS_AT - 30, top + 13, row.number, 28, INK, is_right=True)
    if row.mark is None or axis is None or not axis.holds(row.mark.value):
        return
    x, middle = _at(axis, row.mark.value), top + ROW / 2
    low, high = (_at(axis, min(max(end, axis.scale.ends[0]), axis.scale.ends[1])) for end in row.mark.ends)
    if low < high:
        pen.line(low, middle, high, middle, ACCENT, 3)
        for end in (low, high):
            pen.line(end, middle - 7, end, middle + 7, ACCENT, 3)
    pen.dot(x, middle, 8, ACCENT)


def _at(axis: MarkAxis, value: float) -> float:
    return AXIS_AT + (WIDTH - MARGIN - AXIS_AT) * axis.scale.at(value) / 100


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return cast(ImageFont.FreeTypeFont, ImageFont.load_default(size * SHARPER))  # every wheel has FreeType


class _Pen:
    """Draws in pixels of the picture as it is sent."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def text(self, x: float, y: float, words: str, size: int, colour: str, *, is_right: bool = False) -> None:
        place = (x * SHARPER, y * SHARPER)
        self._draw.text(place, words, colour, _font(size), anchor="ra" if is_right else "la")

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> None:
        ends = [coordinate * SHARPER for coordinate in (x1, y1, x2, y2)]
        self._draw.line(ends, colour, width * SHARPER)

    def box(self, x1: float, y1: float, x2: float, y2: float, colour: str) -> None:
        self._draw.rectangle([coordinate * SHARPER for coordinate in (x1, y1, x2, y2)], colour)

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self._draw.circle((x * SHARPER, y * SHARPER), radius * SHARPER, colour)

    def width(self, words: str, size: int) -> float:
        return _font(size).getlength(words) / SHARPER

    def shortened(self, words: str, size: int, room: float) -> str:
        """The words, cut with an ellipsis where they are wider than that many pixels."""
        if self.width(words, size) <= room:
            return words
        while words and self.width(f"{words}…", size) > room:
            words = words[:-1]
        return f"{words.rstrip()}…"

    def wrapped(self, sentence: str, size: int, room: float, *, most: int) -> list[str]:
        """The sentence in lines of that many pixels, at most so many; the last is cut where there is more."""
        lines = [""]
        for word in sentence.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer, size) <= room or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        if len(lines) > most:
            lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
        return [self.shortened(line, size, room) for line in lines]


def row_of(place: str, name: str, value: float | None, low: float | None, high: float | None) -> CardRow:
    """A row with its number and its mark."""
    half = fmt.half_width(low, high)
    number = f"{fmt.score(value)} {half}".strip()
    return CardRow(place, name, number, None if value is None else Mark(value, low, high))
