"""Charts with their data beside them, and those of lines: one per system against a share, a round or a release."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.spec import RowKind
from leaderboard.board.charts.plot import (
    BOTTOM,
    COLOURS,
    FAINT,
    GREY,
    HEIGHT,
    LEFT,
    MARKS,
    RIGHT,
    RULE,
    SIZE,
    TOP,
    WIDTH,
    Canvas,
    Plot,
    apart,
    group,
    named,
    path,
    stroke,
    text,
)
from leaderboard.board.charts.text_layout import one_line, quoted, shortened
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, grouped
from leaderboard.board.model.serialization import SYNTHETIC, as_text

HIGHLIGHTED = 5
MOST = 60
"""Of so many lines each can still be followed; of more the first stand for all."""
LABELLED = 10
"""Up to so many lines are all named at their ends; of more only the highlighted ones."""
Datum = str | int | float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: `key` is made for addresses, `svg` is UTF-8 and can stand in an HTML page as it is.

    `title` says in a sentence what is seen. `rows` below `heads` are what is drawn. `is_wide` is
    true of one that does not fit a phone. `note` stands below it on a page.
    """

    key: str
    title: str
    svg: bytes
    heads: tuple[str, ...]
    rows: tuple[tuple[Datum, ...], ...]
    is_synthetic: bool = False
    is_wide: bool = False
    note: str = ""

    @property
    def inline(self) -> str:
        """The chart as text that a template takes over unescaped: all names in it are escaped already."""
        return self.svg.decode()

    @property
    def lines(self) -> list[list[str]]:
        """The data as a page prints them."""
        return [[_printed(value) for value in row] for row in self.rows]

    @property
    def csv(self) -> bytes:
        """The data as UTF-8 CSV; of made-up data every line says so, as in a board's CSV."""
        mark = [SYNTHETIC] if self.is_synthetic else []
        stream = io.StringIO()
        writer = csv.writer(stream)
        writer.writerow([*map(as_text, self.heads), *(["note"] if mark else [])])
        for row in self.rows:
            writer.writerow([*(as_text(one) if isinstance(one, str) else one for one in row), *mark])
        return stream.getvalue().encode()


def _printed(value: Datum) -> str:
    return fmt.score(value) if isinstance(value, float) else "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Series:
    """One line: a name and its points (x, y), in any order; dashed where it is no system's.

    `place` is 0..4 for a highlighted line, always in the same colour, and None for a grey one.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    place: int | None = None
    is_system: bool = True
    is_human: bool = False

    @property
    def last(self) -> tuple[float, float]:
        """The point furthest to the right."""
        return max(self.points)

    @property
    def css(self) -> str:
        """The class that colours the line in a page."""
        kind = "human" if self.is_human else "other" if self.place is None else f"line-{self.place + 1}"
        return f"line {kind}"

    def colour(self, other: str) -> str:
        """The colour on paper, `other` for a grey line."""
        return other if self.place is None else COLOURS[self.place]


def places(board: Board) -> dict[int, int]:
    """Which rows are highlighted, and in which colour: by `id(row)`, always the same in all charts of a board."""
    ranked = [row for row in board.rows if row.rank is not None]
    return {id(row): place for place, row in enumerate(ranked[:HIGHLIGHTED])}


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
    highlighted = places(board)
    charts = []
    for part in grouped(board.columns):
        xs = {column.key: 100 * shares[column.key.rpartition(":")[2]] for column in part.columns}
        series = series_of(board.rows, xs, highlighted)
        if series:
            key = part.columns[0].key.partition(":")[0]
            chart = line_chart(
                series,
                title=_falls(series),
                x_title="Training data (%)",
                y_title=part.title,
                name=key,
                is_synthetic=board.synthetic,
            )
            charts.append(replace(chart, note=not_drawn(board, series)))
    return tuple(charts)


def _falls(series: Sequence[Series]) -> str:
    """What becomes of the first system with the least data."""
    first = next((one for one in series if one.place == 0), series[0])
    (least, low), (most, high) = min(first.points), max(first.points)
    name = quoted(first.name)
    if least == most:
        return f"{name} scores {fmt.score(high)} with {most:g}% of the training data"
    if abs(low - high) < 0.005:
        return f"With {least:g}% of the training data {name} stays near {fmt.score(high)}"
    verb = "falls" if low < high else "rises"
    return f"With {least:g}% of the training data {name} {verb} from {fmt.score(high)} to {fmt.score(low)}"


def series_of(rows: Iterable[BoardRow], xs: Mapping[str, float], places: Mapping[int, int]) -> list[Series]:
    """A line per row through its values in these columns, each at its x; none for rows without any.

    Of more than 60 systems those that stand first are drawn.
    """
    found: list[Series] = []
    for row in rows:
        points = [(x, value) for key, x in xs.items() if (value := row.cell(key).value) is not None]
        kinds = {"is_system": row.kind is RowKind.SYSTEM, "is_human": row.kind is RowKind.HUMAN}
        if points and (not kinds["is_system"] or len(found) < MOST):
            found.append(Series(row.system, tuple(points), places.get(id(row)), **kinds))
    return found


def not_drawn(board: Board, series: Sequence[Series]) -> str:
    """How many systems of a large board have no line."""
    more = board.system_count - sum(one.is_system for one in series)
    return f"{more} systems that stand lower have no line here." if board.system_count > MOST and more else ""


def line_chart(
    series: Sequence[Series],
    *,
    title: str,
    x_title: str,
    y_title: str,
    name: str,
    is_synthetic: bool = False,
    breaks: Sequence[float] = (),
) -> Chart:
    """One line per series, named at its right end.

    Where there are more than ten, only the highlighted ones and people's are named.

    Parameters
    ----------
    series
        At least one, each with at least one point; finite numbers. A series of one point is a mark without a
        line.
    title
        A sentence that says what is seen.
    x_title, y_title
        What the scales measure.
    name
        Distinguishes the chart from others in the same page.
    breaks
        Places from which on values cannot be compared with those before: each has a dashed line before it.

    Raises
    ------
    ValueError
        Where there is nothing to draw.
    """
    if not series or not all(one.points for one in series):
        raise ValueError("A chart needs at least one series, and each series at least one point.")
    canvas = Canvas(name, title=title, about=y_title, description=_description(series, x_title, y_title))
    plot = Plot.around([one.points for one in series], canvas.top)
    _frame(canvas, plot, x_title)
    _breaks(canvas, plot, breaks)
    for one in sorted(series, key=lambda one: (one.place is not None, -(one.place or 0))):  # the first on top
        _draw(canvas, plot, one)
    is_few = len(series) <= LABELLED
    shown = [one for one in series if is_few or not one.is_system or one.place is not None]
    _names(canvas, plot, list({(one.name, one.is_system): one for one in reversed(shown)}.values()))
    data = [(one.name, f"{x:g}", y) for one in series for x, y in sorted(one.points)]
    return Chart(
        name, title, canvas.finish(canvas.top + HEIGHT), ("Line", x_title, y_title), tuple(data), is_synthetic
    )


def _frame(canvas: Canvas, plot: Plot, x_title: str) -> None:
    """Both scales; what the upright one measures stands above it."""
    right, bottom = WIDTH - RIGHT, canvas.top + HEIGHT - BOTTOM
    rules = group(canvas.root, "rules", RULE)
    scales = group(canvas.root, "scales", FAINT)
    for y in plot.scale.numbers:
        stroke(rules, f"M{LEFT} {plot.scale.at(y):.1f}H{right}")
        text(scales, plot.scale.printed(y), LEFT - 7, plot.scale.at(y) + 4.5, anchor="end")
    for x in plot.numbered():
        stroke(rules, f"M{plot.x(x):.1f} {bottom:g}v5")
        text(scales, f"{x:g}", plot.x(x), bottom + 19, anchor="middle")
    text(scales, x_title, (LEFT + right) / 2, bottom + 37, anchor="middle")


def _breaks(canvas: Canvas, plot: Plot, breaks: Sequence[float]) -> None:
    """A dashed line half way to each of these places from the one before it."""
    rules = group(canvas.root, "scales", FAINT)
    for place in breaks:
        before = max(x for x in plot.xs if x < place)
        x = (plot.x(before) + plot.x(place)) / 2
        stroke(
            rules, f"M{x:.1f} {canvas.top + TOP:g}V{canvas.top + HEIGHT - BOTTOM:g}", stroke_dasharray="2 3"
        )


def _draw(canvas: Canvas, plot: Plot, one: Series) -> None:
    """A line; where it is highlighted or has but one point, with its marks."""
    points = sorted(one.points)
    drawn = group(canvas.root, one.css, one.colour(GREY))
    values = ", ".join(f"{fmt.score(y)} at {x:g}" for x, y in points)
    named(drawn, f"{one.name}: {values}")
    where = [f"{plot.x(x):.1f} {plot.scale.at(y):.1f}" for x, y in points]
    dashes = {} if one.is_system else {"stroke_dasharray": "4 3"}
    wide = "1" if one.place is None and not one.is_human else "2"
    stroke(drawn, "M" + "L".join(where), wide, stroke_linejoin="round", **dashes)
    for place in where if one.place is not None or len(where) == 1 else ():
        path(drawn, MARKS[one.place or 0], transform=f"translate({place})")


def _names(canvas: Canvas, plot: Plot, shown: Sequence[Series]) -> None:
    """Names right of the plot, as close to their lines' ends as there is room, joined to them by a hair."""
    names = group(canvas.root, "names", FAINT)
    ordered = sorted(shown, key=lambda one: plot.scale.at(one.last[1]))
    wanted = [plot.scale.at(one.last[1]) for one in ordered]
    heights = apart(wanted, canvas.top + TOP - 6, canvas.top + HEIGHT - BOTTOM)
    right = WIDTH - RIGHT
    for one, height in zip(ordered, heights, strict=True):
        drawn = group(names, one.css, one.colour(FAINT))
        named(drawn, one.name)
        x, y = one.last
        hair = f"M{plot.x(x) + 6:.1f} {plot.scale.at(y):.1f}L{right + 2} {height:.1f}"
        stroke(drawn, hair, "0.7", opacity="0.5")
        text(drawn, _beside(one.name), right + 6, height + 4.5)


def _beside(name: str) -> str:
    """A name with the room beside the plot; of one that is too long, what stands in parentheses goes first."""
    whole = shortened(name, RIGHT - 8, SIZE)
    return whole if whole == one_line(name) else shortened(name.partition(" (")[0], RIGHT - 8, SIZE)


def _description(series: Sequence[Series], x_title: str, y_title: str) -> str:
    count = "1 line" if len(series) == 1 else f"{len(series)} lines"
    highlighted = [one for one in series if one.place is not None]
    ends = [(one.name, *one.last) for one in highlighted or series[:HIGHLIGHTED]]
    best = "; ".join(f"{name} {fmt.score(y)} at {x:g}" for name, x, y in ends)
    return f"{y_title} against {x_title}, {count}. At the right end: {best}."
