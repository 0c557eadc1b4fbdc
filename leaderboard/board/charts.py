"""Line charts as SVG: one line per system against the share of training data.

Colours stand in the SVG as on white paper, so that a chart can be downloaded and printed; inlined in a page,
the style sheet's rules for `.chart` take their place, in light and in dark. No style attributes, no scripts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

from benchmarks.spec import RowKind
from leaderboard.board import format as fmt
from leaderboard.board.model import Board, Group, Row, grouped
from leaderboard.board.plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Plot, apart

HIGHLIGHTED = 5
LABELLED = 10
"""Up to so many lines are all named at their ends; of more only the highlighted ones."""
LABEL_LENGTH = 17
FAINT, RULE, GREY = "#5a6069", "#e4e1da", "#85817a"
COLOURS = ("#0b5d69", "#6a3d9a", "#a3326b", "#3f6b1f", "#2f5fb3")
MARKS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z",  # disc
    "M-3.2-3.2h6.4v6.4h-6.4Z",  # square
    "M0-4.2L4 3H-4Z",  # triangle
    "M0-4.4L4.4 0L0 4.4L-4.4 0Z",  # diamond
    "M0 4.2L4-3H-4Z",  # triangle on its tip
)


@dataclass(frozen=True, slots=True)
class Series:
    """One line: a name and its points (x, y), in any order; dashed where it is no system's.

    `place` is 0..4 for a highlighted line, always in the same colour, and None for a grey one.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    place: int | None = None
    is_system: bool = True

    @property
    def last(self) -> tuple[float, float]:
        """The point furthest to the right."""
        return max(self.points)

    @property
    def css(self) -> str:
        """The class that colours the line in a page."""
        return "line other" if self.place is None else f"line line-{self.place + 1}"

    def colour(self, other: str) -> str:
        """The colour on paper, `other` for a grey line."""
        return other if self.place is None else COLOURS[self.place]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: `key` is made for addresses, `svg` is UTF-8 and can stand in an HTML page as it is."""

    key: str
    title: str
    svg: bytes

    @property
    def inline(self) -> str:
        """The chart as text that a template takes over unescaped: all names in it are escaped already."""
        return self.svg.decode()


def share_charts(board: Board, shares: Mapping[str, float]) -> tuple[Chart, ...]:
    """A chart for every group of the board's columns: how its values change with the share of training data.

    The first five ranked systems of the board are highlighted, each in the same colour in all charts.

    Parameters
    ----------
    board
        Its column keys end in ":" and a track's id, as "score:tenth".
    shares
        The share of training data, 0..1, by the id of the track.

    Returns
    -------
    tuple of Chart
        None for a group without any value.
    """
    ranked = [row for row in board.rows if row.rank is not None]
    places = {id(row): place for place, row in enumerate(ranked[:HIGHLIGHTED])}
    charts = []
    for group in grouped(board.columns):
        drawn = [_series(row, group, shares, places.get(id(row))) for row in board.rows]
        series = [one for one in drawn if one.points]
        if series:
            key = group.columns[0].key.partition(":")[0]
            svg = line_chart(series, x_title="Training data (%)", y_title=group.title, name=key)
            charts.append(Chart(key, group.title, svg))
    return tuple(charts)


def line_chart(series: Sequence[Series], *, x_title: str, y_title: str, name: str) -> bytes:
    """An SVG of one line per series, named at its right end.

    Where there are more than ten, only the highlighted ones are named. The same series always give the same
    bytes.

    Parameters
    ----------
    series
        At least one, each with at least one point; finite numbers. A series of one point is a mark without a
        line.
    x_title, y_title
        What the scales measure.
    name
        Distinguishes the chart from others in the same page, in the ids of its title and description.

    Raises
    ------
    ValueError
        Where there is nothing to draw.
    """
    if not series or not all(one.points for one in series):
        raise ValueError("A chart needs at least one series, and each series at least one point.")
    plot = Plot.around([one.points for one in series])
    root = _root(name, f"{y_title} against {x_title}", _description(series, x_title, y_title))
    _frame(root, plot, x_title, y_title)
    for one in sorted(series, key=lambda one: (one.place is not None, -(one.place or 0))):  # the first on top
        _draw(root, plot, one)
    _names(root, plot, [one for one in series if one.place is not None or len(series) <= LABELLED])
    return ET.tostring(root, encoding="unicode").encode()


def _series(row: Row, group: Group, shares: Mapping[str, float], place: int | None) -> Series:
    points = [
        (100 * shares[column.key.rpartition(":")[2]], value)
        for column in group.columns
        if (value := row.cell(column.key).value) is not None
    ]
    return Series(row.system, tuple(points), place, row.kind is RowKind.SYSTEM)


# Marks on paper


def _root(name: str, title: str, description: str) -> ET.Element:
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": str(WIDTH), "height": str(HEIGHT)}
    ids = {"title": f"chart-{name}-title", "desc": f"chart-{name}-description"}
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            **size,
            "role": "img",
            "aria-labelledby": ids["title"],
            "aria-describedby": ids["desc"],
            "font-family": "system-ui, sans-serif",
            "font-size": "14",
        },
    )
    ET.SubElement(root, "title", {"id": ids["title"]}).text = _one_line(title)
    ET.SubElement(root, "desc", {"id": ids["desc"]}).text = _one_line(description)
    ET.SubElement(root, "rect", {"class": "ground", "width": "100%", "height": "100%", "fill": "#fff"})
    return root


def _frame(root: ET.Element, plot: Plot, x_title: str, y_title: str) -> None:
    """Both scales with their titles."""
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    rules = ET.SubElement(root, "g", {"class": "rules", "color": RULE, "stroke": "currentColor"})
    scales = ET.SubElement(root, "g", {"class": "scales", "color": FAINT, "fill": "currentColor"})
    for y in plot.ys:
        ET.SubElement(rules, "path", {"d": f"M{LEFT} {plot.y(y):.1f}H{right}"})
        label = fmt.score(y, decimals=plot.decimals)
        _text(scales, label, LEFT - 7, plot.y(y) + 5, anchor="end")
    for x in plot.numbered():
        ET.SubElement(rules, "path", {"d": f"M{plot.x(x):.1f} {bottom}v5"})
        _text(scales, f"{x:g}", plot.x(x), bottom + 20, anchor="middle")
    _text(scales, x_title, (LEFT + right) / 2, HEIGHT - 7, anchor="middle")
    _text(scales, y_title, 2, 16)


def _draw(root: ET.Element, plot: Plot, one: Series) -> None:
    """A line; where it is highlighted or has but one point, with its marks."""
    points = sorted(one.points)
    group = ET.SubElement(root, "g", {"class": one.css, "color": one.colour(GREY)})
    values = ", ".join(f"{fmt.score(y)} at {x:g}" for x, y in points)
    ET.SubElement(group, "title").text = _one_line(f"{one.name}: {values}")
    places = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in points]
    width = "1" if one.place is None else "2"
    dashes = {} if one.is_system else {"stroke-dasharray": "4 3"}
    stroke = {"fill": "none", "stroke": "currentColor", "stroke-width": width, "stroke-linejoin": "round"}
    ET.SubElement(group, "path", {"d": "M" + "L".join(places), **stroke, **dashes})
    for where in places if one.place is not None or len(places) == 1 else ():
        mark = {"d": MARKS[one.place or 0], "transform": f"translate({where})", "fill": "currentColor"}
        ET.SubElement(group, "path", mark)


def _names(root: ET.Element, plot: Plot, named: Sequence[Series]) -> None:
    """Names right of the plot, as close to their lines' ends as there is room, joined to them by a hair."""
    names = ET.SubElement(root, "g", {"class": "names", "fill": "currentColor", "font-size": "13"})
    ordered = sorted(named, key=lambda one: plot.y(one.last[1]))
    heights = apart([plot.y(one.last[1]) for one in ordered], TOP, HEIGHT - BOTTOM)
    right = WIDTH - RIGHT
    hair = {"fill": "none", "stroke": "currentColor", "stroke-width": "0.7", "opacity": "0.5"}
    for one, height in zip(ordered, heights, strict=True):
        group = ET.SubElement(names, "g", {"class": one.css, "color": one.colour(FAINT)})
        ET.SubElement(group, "title").text = _one_line(one.name)
        x, y = one.last
        path = f"M{plot.x(x) + 6:.1f} {plot.y(y):.1f}L{right + 4} {height:.1f}"
        ET.SubElement(group, "path", {"d": path, **hair})
        _text(group, _short(one.name), right + 8, height + 4.5)


def _text(parent: ET.Element, text: str, x: float, y: float, *, anchor: str = "start") -> None:
    where = {"x": f"{x:.1f}", "y": f"{y:.1f}"}
    if anchor != "start":
        where["text-anchor"] = anchor
    ET.SubElement(parent, "text", where).text = _one_line(text)


# Words


def _description(series: Sequence[Series], x_title: str, y_title: str) -> str:
    count = "1 line" if len(series) == 1 else f"{len(series)} lines"
    highlighted = [one for one in series if one.place is not None]
    ends = [(one.name, *one.last) for one in highlighted or series[:HIGHLIGHTED]]
    best = "; ".join(f"{name} {fmt.score(y)} at {x:g}" for name, x, y in ends)
    return f"{y_title} against {x_title}, {count}. At the right end: {best}. The table has all numbers."


def _short(name: str) -> str:
    """The name as far as there is room for it; wide characters take the room of two."""
    text = _one_line(name)
    room = LABEL_LENGTH
    for index, character in enumerate(text):
        room -= 2 if east_asian_width(character) in "WF" else 1
        if room < 0:
            return text[: index - 1].rstrip() + "…"
    return text


def _one_line(text: str) -> str:
    """The text without what XML may not hold: control characters become spaces."""
    return re.sub(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029]+", " ", text).strip()
