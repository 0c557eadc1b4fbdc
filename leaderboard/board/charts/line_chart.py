"""Lines against a share, a round or a release: one per system, named at its right end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import COLOURS, FAINT, GREY, RULE, SIZE, SYMBOLS, WIDTH, Canvas, Chart
from leaderboard.board.charts.scale import Scale
from leaderboard.board.charts.text_layout import apart, shortened
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.plain_text import one_line

HEIGHT = 280
# Room for the numbers of the scales, and for names at the ends of lines.
LEFT, RIGHT, TOP, BOTTOM = 42, 128, 12, 42
NUMBER_WIDTH = 22  # room for a number below the plot
CHARACTER_WIDTH = 7
HIGHLIGHTED = 5
MOST = 24  # of so many lines each can still be followed; of more the first stand for all
LABELLED = 10  # up to so many lines are all named at their ends; of more only the highlighted ones


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
    return {id(row): place for place, row in enumerate(board.ranked[:HIGHLIGHTED])}


def series_of(rows: Iterable[BoardRow], xs: Mapping[str, float], places: Mapping[int, int]) -> list[Series]:
    """A line per row through its values in these columns, each at its x; none for rows without any.

    Of more than MOST systems those that stand first are drawn.
    """
    series: list[Series] = []
    for row in rows:
        points = tuple((x, value) for key, x in xs.items() if (value := row.value(key)) is not None)
        is_system = row.kind is RowKind.SYSTEM
        if points and (not is_system or len(series) < MOST):
            series.append(
                Series(row.system, points, places.get(id(row)), is_system, row.kind is RowKind.HUMAN)
            )
    return series


def not_drawn(board: Board, series: Sequence[Series]) -> str:
    """How many systems of a large board have no line."""
    more = board.system_count - sum(line.is_system for line in series)
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
    note: str = "",
    x_words: Callable[[float], str] = "{:g}".format,
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
    note
        What stands below the chart on a page.
    x_words
        How places on the lower scale are written.

    Raises
    ------
    ValueError
        Where there is nothing to draw.
    """
    if not series or not all(line.points for line in series):
        raise ValueError("A chart needs at least one series, and each series at least one point.")
    canvas = Canvas(
        name, title=title, about=y_title, description=_description(series, x_title, y_title, x_words)
    )
    points = [point for line in series for point in line.points]
    room = max(NUMBER_WIDTH, *(CHARACTER_WIDTH * len(x_words(x)) + 8 for x, _ in points))
    x = Scale.through({x for x, _ in points}, LEFT + 10, WIDTH - RIGHT - 10, room=room)
    y = Scale.around([y for _, y in points], canvas.top + HEIGHT - BOTTOM, canvas.top + TOP)
    _frame(canvas, x, y, x_title, x_words)
    dashed = canvas.group("scales", FAINT)
    for place in breaks:
        before = max(other for other, _ in points if other < place)
        between = (x.at(before) + x.at(place)) / 2
        dashed.stroke(f"M{between:.1f} {y.end:g}V{y.start:g}", stroke_dasharray="2 3")
    # The first on top.
    for line in sorted(series, key=lambda line: (line.place is not None, -(line.place or 0))):
        _draw(canvas, x, y, line, x_words)
    shown = [
        line for line in series if len(series) <= LABELLED or not line.is_system or line.place is not None
    ]
    _names(canvas, x, y, list({(line.name, line.is_system): line for line in reversed(shown)}.values()))
    data = ((line.name, x_words(x), y) for line in series for x, y in sorted(line.points))
    heads = ("Line", x_title, y_title)
    return canvas.chart(canvas.top + HEIGHT, heads, data, is_synthetic=is_synthetic, note=note)


def _frame(canvas: Canvas, x: Scale, y: Scale, x_title: str, x_words: Callable[[float], str]) -> None:
    """Both scales; what the upright one measures stands above it."""
    rules, scales = canvas.group("rules", RULE), canvas.group("scales", FAINT)
    for number in y.numbers:
        rules.stroke(f"M{LEFT} {y.at(number):.1f}H{WIDTH - RIGHT}")
        scales.text(y.printed(number), LEFT - 7, y.at(number) + 4.5, "end")
    for number in x.numbers:
        rules.stroke(f"M{x.at(number):.1f} {y.start:g}v5")
        scales.text(x_words(number), x.at(number), y.start + 19, "middle")
    scales.text(x_title, (LEFT + WIDTH - RIGHT) / 2, y.start + 37, "middle")


def _draw(canvas: Canvas, x: Scale, y: Scale, line: Series, x_words: Callable[[float], str]) -> None:
    """A line; where it is highlighted or has but one point, with its symbols."""
    points = sorted(line.points)
    values = ", ".join(f"{fmt.score(value)} at {x_words(place)}" for place, value in points)
    marks = canvas.group(line.css, line.colour(GREY), f"{line.name}: {values}")
    where = [f"{x.at(place):.1f} {y.at(value):.1f}" for place, value in points]
    dashes = {} if line.is_system else {"stroke_dasharray": "4 3"}
    width = "1" if line.place is None and not line.is_human else "2"
    marks.stroke("M" + "L".join(where), width, stroke_linejoin="round", **dashes)
    for place in where if line.place is not None or len(where) == 1 else ():
        marks.path(SYMBOLS[line.place or 0], transform=f"translate({place})")


def _names(canvas: Canvas, x: Scale, y: Scale, shown: Sequence[Series]) -> None:
    """Names right of the plot, as close to their lines' ends as there is room, joined to them by a hair."""
    names, right = canvas.group("names", FAINT), WIDTH - RIGHT
    ordered = sorted(shown, key=lambda line: y.at(line.last[1]))
    for line, height in zip(
        ordered, apart([y.at(line.last[1]) for line in ordered], y.end - 6, y.start), strict=True
    ):
        marks = names.group(line.css, line.colour(FAINT), line.name)
        begin = f"{x.at(line.last[0]) + 6:.1f} {y.at(line.last[1]):.1f}"
        marks.stroke(f"M{begin}L{right + 2} {height:.1f}", "0.7", opacity="0.5")
        marks.text(_beside(line.name), right + 6, height + 4.5)


def _beside(name: str) -> str:
    """A name with the room beside the plot; of one that is too long, what stands in parentheses goes first."""
    whole = shortened(name, RIGHT - 8, SIZE)
    return whole if whole == one_line(name) else shortened(name.partition(" (")[0], RIGHT - 8, SIZE)


def _description(
    series: Sequence[Series], x_title: str, y_title: str, x_words: Callable[[float], str]
) -> str:
    count = "1 line" if len(series) == 1 else f"{len(series)} lines"
    highlighted = [line for line in series if line.place is not None] or series[:HIGHLIGHTED]
    best = "; ".join(
        f"{line.name} {fmt.score(line.last[1])} at {x_words(line.last[0])}" for line in highlighted
    )
    return f"{y_title} against {x_title}, {count}. At the right end: {best}."
