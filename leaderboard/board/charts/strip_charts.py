"""How far apart systems are: task by task, and under each breaker's minimal pairs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import Chart, Datum
from leaderboard.board.charts.dot_strips import (
    ASIDE,
    DOT,
    LEAD,
    NUMBERED,
    PEOPLE,
    Look,
    Strip,
    StripMark,
    draw_strips,
    is_crowd,
)
from leaderboard.board.charts.svg import Canvas
from leaderboard.board.charts.text_layout import quoted
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import leaders

SPREAD, BROKEN = "spread", "broken"
AT_MOST = 25  # so many systems are drawn of a chart that has a line for each
NOT_RANKED = {RowKind.BASELINE: "baseline", RowKind.REPORTED: "published"}
LOOKS = {RowKind.SYSTEM: DOT, RowKind.HUMAN: PEOPLE} | dict.fromkeys(NOT_RANKED, ASIDE)
HEADS = (
    *("Task", "Measure", "Best system", "Best", "Median", "Lowest", "Systems", "Human"),
    "Best of the others",
)


@dataclass(frozen=True, slots=True)
class _Task:
    """A column with its values: (row, value) of the rows that have one, and the systems with the best."""

    column: Column
    found: list[tuple[BoardRow, float]]
    best: list[BoardRow]

    @property
    def is_drawable(self) -> bool:
        """Whether it can share an axis with others."""
        return self.column.higher_is_better and all(-1 <= value <= 1 for _, value in self.found)

    def of(self, look: Look) -> list[float]:
        return [value for row, value in self.found if LOOKS.get(row.kind) == look]


def spread_chart(board: Board, columns: Sequence[Column]) -> Chart | None:
    """Each of these columns as a strip with every system's score and what it is to be seen beside.

    Columns that cannot share an axis, where lower is better or a value is beyond 1, are left out.

    Returns
    -------
    Chart or None
        None where fewer than two columns have a system's score.
    """
    best = zip(columns, leaders(board, columns), strict=True)
    tasks = [_Task(column, _found(board, column), rows) for column, rows in best if rows]
    shown = [task for task in tasks if task.is_drawable]
    if len(shown) < 2:
        return None
    title = who_leads([task.best for task in shown])
    strips = [_of_task(task) for task in shown]
    measures = {task.column.metric_title for task in shown}
    measure = measures.pop() if len(measures) == 1 else "Each task by its own measure"
    dots = "the thicker, the more systems" if is_crowd(strips) else "a dot is a system"
    said = "; ".join(f"{strip.title}: {strip.beside}" for strip in strips)
    about = f"{measure}; {dots}, the best is named"
    canvas = Canvas(SPREAD, title=title, about=about, description=f"{said}.")
    kinds = {row.kind for row in board.rows}
    others = " or ".join(word for kind, word in NOT_RANKED.items() if kind in kinds)
    svg = draw_strips(canvas, strips, {PEOPLE: "human estimate", ASIDE: others})
    left_out = ", ".join(task.column.title for task in tasks if not task.is_drawable)
    note = f"Not drawn, for their values are of another scale: {left_out}." if left_out else ""
    return Chart(SPREAD, title, svg, HEADS, tuple(map(_data, shown)), board.synthetic, note=note)


def _found(board: Board, column: Column) -> list[tuple[BoardRow, float]]:
    return [(row, value) for row in board.rows if (value := row.value(column.key)) is not None]


def _of_task(task: _Task) -> Strip:
    first = {id(row) for row in task.best}
    marks = [
        StripMark(value, row.system, LEAD if id(row) in first else look)
        for row, value in task.found
        if (look := LOOKS.get(row.kind))
    ]
    who = task.best[0].system if len(task.best) == 1 else f"{len(task.best)} systems"
    score = fmt.score(task.best[0].value(task.column.key))
    return Strip(task.column.name, tuple(marks), f"{quoted(who, 140, 13)} {score}")


def who_leads(best: Sequence[Sequence[BoardRow]]) -> str:
    """ "Goldcrest leads 9 of 11 tasks", or that several lead as many; `best` are the systems with each task's best."""
    rows = {id(row): row for of_task in best for row in of_task}
    counts = Counter(id(row) for of_task in best for row in of_task)
    most, of = max(counts.values()), len(best)
    first = [quoted(rows[key].system) for key, count in counts.items() if count == most]
    if len(first) > 2 and most == of:
        return f"{len(first)} systems are level in all {of} tasks"
    if len(first) > 2:
        return f"No system leads more than {most} of {of} tasks"
    if len(first) == 2:
        return f"{' and '.join(first)} lead {most} of {of} tasks each"
    return f"{first[0]} leads all {of} tasks" if most == of else f"{first[0]} leads {most} of {of} tasks"


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
    shown, title = rows[:AT_MOST], _who_breaks(rows, sets)
    strips = [_of_system(row, together, sets, looks) for row in shown]
    said = "; ".join(f"{strip.title}: {strip.beside or 'not known'}" for strip in strips)
    about = f"{together.metric_title}, by breaker; at the right all pairs together"
    canvas = Canvas(BROKEN, title=title, about=about, description=f"{said}.")
    svg = draw_strips(
        canvas, strips, {looks[column.key]: column.title for column in sets if column.key in looks}
    )
    heads = ("System", together.name, *(column.title for column in sets))
    data = tuple((row.system, *(row.value(column.key) for column in board.columns)) for row in shown)
    more = len(rows) - len(shown)
    note = f"{more} systems that are broken more often are not drawn." if more else ""
    return Chart(BROKEN, title, svg, heads, data, board.synthetic, note=note)


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
        return f"The pairs of {quoted(first[0])} break the most: {most:.0%} of them, on average over systems"
    of_each = ", of each breaker" if len(first) > 1 else ""
    return f"On average {most:.0%} of the pairs break a system{of_each}"
