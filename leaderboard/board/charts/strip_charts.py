"""How far apart systems are: task by task, and under each breaker's minimal pairs, as strips of dots on one axis."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import (
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
    Chart,
    Datum,
    Marks,
)
from leaderboard.board.charts.scale import Scale
from leaderboard.board.charts.text_layout import quoted, shelved, shortened, width
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import leaders

SPREAD, BROKEN = "spread", "broken"
AT_MOST = 25  # so many systems are drawn of a chart that has a line for each


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
NOT_RANKED = {RowKind.BASELINE: "baseline", RowKind.REPORTED: "published"}
LOOKS = {RowKind.SYSTEM: DOT, RowKind.HUMAN: PEOPLE} | dict.fromkeys(NOT_RANKED, ASIDE)
HEADS = (
    *("Task", "Measure", "Best system", "Best", "Median", "Lowest", "Systems", "Human"),
    "Best of the others",
)


@dataclass(frozen=True, slots=True)
class StripMark:
    """A value with what it is called, and how it looks."""

    value: float
    name: str
    look: Look = DOT


@dataclass(frozen=True, slots=True)
class Strip:
    """A line: its title at the left, what stands out in it at the right, and its marks."""

    title: str
    marks: tuple[StripMark, ...]
    beside: str = ""

    @property
    def dots(self) -> list[StripMark]:
        return [mark for mark in self.marks if mark.look == DOT]


@dataclass(frozen=True, slots=True)
class _Task:
    """A column with its values: (row, value) of the rows that have one, and the systems with the best."""

    column: Column
    values: list[tuple[BoardRow, float]]
    best: list[BoardRow]

    def of(self, look: Look) -> list[float]:
        return [value for row, value in self.values if LOOKS.get(row.kind) == look]


def spread_chart(board: Board, columns: Sequence[Column]) -> Chart | None:
    """Each of these columns as a strip with every system's score and what it is to be seen beside.

    Columns that cannot share an axis, where lower is better or a value is beyond 1, are left out.

    Returns
    -------
    Chart or None
        None where fewer than two columns have a system's score.
    """
    shown, left_out = [], []
    for column, best in zip(columns, leaders(board, columns), strict=True):
        values = [(row, value) for row in board.rows if (value := row.value(column.key)) is not None]
        if best and column.higher_is_better and all(-1 <= value <= 1 for _, value in values):
            shown.append(_Task(column, values, best))
        elif best:
            left_out.append(column.title)
    if len(shown) < 2:
        return None
    strips = [_of_task(task) for task in shown]
    measures = {task.column.metric_title for task in shown}
    measure = measures.pop() if len(measures) == 1 else "Each task by its own measure"
    is_crowd = any(len(strip.dots) > CROWDED for strip in strips)
    dots = "the thicker, the more systems" if is_crowd else "a dot is a system"
    said = "; ".join(f"{strip.title}: {strip.beside}" for strip in strips)
    title, about = who_is_first([task.best for task in shown]), f"{measure}; {dots}, the best is named"
    canvas = Canvas(SPREAD, title=title, about=about, description=f"{said}.")
    kinds = {row.kind for row in board.rows}
    others = " or ".join(word for kind, word in NOT_RANKED.items() if kind in kinds)
    height = _draw(canvas, strips, {PEOPLE: "human estimate", ASIDE: others})
    note = f"Not drawn, for their values are of another scale: {', '.join(left_out)}." if left_out else ""
    return canvas.chart(height, HEADS, map(_data, shown), is_synthetic=board.synthetic, note=note)


def _of_task(task: _Task) -> Strip:
    first = {id(row) for row in task.best}
    marks = [
        StripMark(value, row.system, LEAD if id(row) in first else look)
        for row, value in task.values
        if (look := LOOKS.get(row.kind))
    ]
    who = task.best[0].system if len(task.best) == 1 else f"{len(task.best)} systems"
    score = fmt.score(task.best[0].value(task.column.key))
    return Strip(task.column.name, tuple(marks), f"{quoted(who, 140, 13)} {score}")


def who_is_first(best: Sequence[Sequence[BoardRow]]) -> str:
    """ "Goldcrest is first in 9 of 11 tasks", or several in as many; `best` are those with each task's best."""
    rows = {id(row): row for of_task in best for row in of_task}
    counts = Counter(id(row) for of_task in best for row in of_task)
    most, of = max(counts.values()), len(best)
    first = [quoted(rows[key].system) for key, count in counts.items() if count == most]
    if len(first) > 2 and most == of:
        return f"{len(first)} systems are level in all {of} tasks"
    if len(first) > 2:
        return f"No system is first in more than {most} of {of} tasks"
    if len(first) == 2:
        return f"{' and '.join(first)} are first in {most} of {of} tasks each"
    return f"{first[0]} is first in {f'all {of}' if most == of else f'{most} of {of}'} tasks"


def _data(task: _Task) -> tuple[Datum, ...]:
    systems = task.of(DOT)
    names = ", ".join(row.system for row in task.best[:5])
    return (
        task.column.name,
        task.column.metric_title,
        f"{names} …" if len(task.best) > 5 else names,
        task.best[0].value(task.column.key),
        median(systems),
        min(systems),
        len(systems),
        max(task.of(PEOPLE), default=None),
        max(task.of(ASIDE), default=None),
    )


# Fig. 2 of Build It Break It: every breaker's share of broken pairs, system by system


def broken_chart(board: Board) -> Chart | None:
    """The matrix of a task with minimal pairs: a strip per system, with the share that each breaker breaks.

    Its first column is that of all pairs together, by which the rows stand in order. Of more than 25 systems the first
    are drawn, of more than five breakers the others in grey. None where no pair of anybody is known to break a system.
    """
    together, *sets = board.columns
    rows = [row for row in board.rows if any(row.value(column.key) is not None for column in sets)]
    if not sets or not rows:
        return None
    looks = dict(zip((column.key for column in sets), NUMBERED, strict=False))
    shown = rows[:AT_MOST]
    strips = [_of_system(row, together, sets, looks) for row in shown]
    said = "; ".join(f"{strip.title}: {strip.beside or 'not known'}" for strip in strips)
    about = f"{together.metric_title}, by breaker; at the right all pairs together"
    canvas = Canvas(BROKEN, title=_who_breaks(rows, sets), about=about, description=f"{said}.")
    named = {looks[column.key]: column.title for column in sets if column.key in looks}
    height = _draw(canvas, strips, named)
    heads = ("System", together.name, *(column.title for column in sets))
    data = ((row.system, *(row.value(column.key) for column in board.columns)) for row in shown)
    more = len(rows) - len(shown)
    note = f"{more} systems that are broken more often are not drawn." if more else ""
    return canvas.chart(height, heads, data, is_synthetic=board.synthetic, note=note)


def _of_system(row: BoardRow, together: Column, sets: Sequence[Column], looks: dict[str, Look]) -> Strip:
    marks = [
        StripMark(value, column.title, looks.get(column.key, DOT))
        for column in sets
        if (value := row.value(column.key)) is not None
    ]
    all_pairs = row.value(together.key)
    return Strip(row.system, tuple(marks), "" if all_pairs is None else fmt.score(all_pairs))


def _who_breaks(rows: Sequence[BoardRow], sets: Sequence[Column]) -> str:
    """Whose pairs break systems most often, on average over those that answered them."""
    means = {column.title: sum(shares) / len(shares) for column in sets if (shares := column.values(rows))}
    most = max(means.values())
    first = [title for title, mean in means.items() if mean == most]
    if len(first) == 1 < len(means):
        return f"The pairs of {quoted(first[0])} break the most: {100 * most:.0f} % of them, on average over systems"
    of_each = ", of each breaker" if len(first) > 1 else ""
    return f"On average {100 * most:.0f} % of the pairs break a system{of_each}"


# Drawing


def _draw(canvas: Canvas, strips: Sequence[Strip], words: Mapping[Look, str]) -> float:
    """The strips below each other, and how high they are. `words` name the looks, each in the first strip that has it.

    There is at least one strip, and at least one mark in all.
    """
    values = [mark.value for strip in strips for mark in strip.marks]
    scale = Scale.around(values, MARGIN, WIDTH - MARGIN)
    untold = dict(words)
    top = _numbers(canvas, scale, canvas.top + 12)
    for strip in strips:
        new_looks = {mark.look: untold.pop(mark.look) for mark in strip.marks if mark.look in untold}
        top = _strip(canvas, scale, strip, top, new_looks, is_pointed_at=len(values) <= POINTED_AT)
    if len(strips) > 6:
        top = _numbers(canvas, scale, top + 12) - 4
    return top + 4


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
    grid = "".join(f"M{scale.at(number):.1f} {middle - HALF:.1f}v{2 * HALF}" for number in scale.numbers)
    drawn.group("rules", RULE).stroke(f"{grid}M{MARGIN} {middle:.1f}H{WIDTH - MARGIN}")
    for look, (is_left, line) in zip(ordered, shelves, strict=True):
        _label(drawn, look, words[look], places[look], middle, line, is_left=is_left)
    _dots(drawn, strip.dots, scale, middle, is_pointed_at=is_pointed_at)
    for mark in sorted(strip.marks, key=lambda mark: mark.look == LEAD):
        look, x = mark.look, scale.at(mark.value)
        if look != DOT:
            marks = drawn.group(look.css, look.colour, _said(mark))
            if look == ASIDE:
                marks.stroke(look.shape, "1.4", transform=f"translate({x:.1f} {middle + BELOW:.1f})")
            else:
                marks.path(look.shape, transform=f"translate({x:.1f} {middle:.1f}) scale({look.scale})")
    return middle + HALF + (13 if any(mark.look == ASIDE for mark in strip.marks) else 4)


def _label(drawn: Marks, look: Look, word: str, x: float, middle: float, line: int, *, is_left: bool) -> None:
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
            marks.path(point, _said(dot))
        if not is_pointed_at:
            marks.path("".join(dict.fromkeys(points)))


def _crowd(xs: Sequence[float], middle: float) -> str:
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


def _said(mark: StripMark) -> str:
    return f"{mark.name} {fmt.score(mark.value)}"
