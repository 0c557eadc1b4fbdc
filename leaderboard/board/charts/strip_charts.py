"""How far apart systems are: task by task, and under each breaker's minimal pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.spec import RowKind
from leaderboard.board.charts.dot_strips import (
    ASIDE,
    DOT,
    LEAD,
    NUMBERED,
    PEOPLE,
    Mark,
    Strip,
    draw_strips,
    is_crowd,
)
from leaderboard.board.charts.line_chart import Chart, Datum
from leaderboard.board.charts.plot import Canvas
from leaderboard.board.charts.text_layout import quoted
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import leaders

KEY = "spread"
BROKEN = "broken"
AT_MOST = 25
"""So many systems are drawn of a chart that has a line for each."""
NOT_RANKED = {RowKind.BASELINE: "baseline", RowKind.REPORTED: "published"}
LOOKS = {RowKind.SYSTEM: DOT, RowKind.HUMAN: PEOPLE} | dict.fromkeys(NOT_RANKED, ASIDE)
HEADS = (
    "Task",
    "Measure",
    "Best system",
    "Best",
    "Median",
    "Lowest",
    "Systems",
    "Human",
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

    def of(self, *looks: str) -> list[float]:
        return [value for row, value in self.found if LOOKS.get(row.kind) in looks]


def spread_chart(board: Board, columns: Sequence[Column]) -> Chart | None:
    """Each of these columns as a strip with every system's score and what it is to be seen beside.

    Columns that cannot share an axis, where lower is better or a value is beyond 1, are left out.

    Returns
    -------
    Chart or None
        None where fewer than two columns have a system's score.
    """
    tasks = [task for task in _tasks(board, columns) if task.best]
    shown = [task for task in tasks if task.is_drawable]
    if len(shown) < 2:
        return None
    title = who_leads([task.best for task in shown])
    strips = [_strip(task) for task in shown]
    dots = "the thicker, the more systems" if is_crowd(strips) else "a dot is a system"
    canvas = Canvas(
        KEY,
        title=title,
        about=f"{_measures(shown)}; {dots}, the best is named",
        description="; ".join(f"{strip.title}: {strip.beside}" for strip in strips) + ".",
    )
    kinds = {row.kind for row in board.rows}
    others = " or ".join(word for kind, word in NOT_RANKED.items() if kind in kinds)
    svg = draw_strips(canvas, strips, {PEOPLE: "human estimate", ASIDE: others})
    left_out = [task.column.title for task in tasks if not task.is_drawable]
    note = f"Not drawn, for their values are of another scale: {', '.join(left_out)}." if left_out else ""
    return Chart(KEY, title, svg, HEADS, tuple(_row(task) for task in shown), board.synthetic, note=note)


def _tasks(board: Board, columns: Sequence[Column]) -> Iterator[_Task]:
    for column, best in zip(columns, leaders(board, columns), strict=True):
        cells = ((row, row.cells.get(column.key)) for row in board.rows)
        found = [(row, cell.value) for row, cell in cells if cell and cell.value is not None]
        yield _Task(column, found, best)


def _strip(task: _Task) -> Strip:
    best = task.best
    first = {id(row) for row in best}
    marks = [
        Mark(value, row.system, LEAD if id(row) in first else look)
        for row, value in task.found
        if (look := LOOKS.get(row.kind))
    ]
    who = best[0].system if len(best) == 1 else f"{len(best)} systems"
    score = fmt.score(best[0].cell(task.column.key).value)
    return Strip(task.column.name, tuple(marks), f"{quoted(who, 140, 13)} {score}")


def _measures(tasks: Sequence[_Task]) -> str:
    """What the axis measures, where it is one thing."""
    titles = {task.column.metric_title for task in tasks}
    return titles.pop() if len(titles) == 1 else "Each task by its own measure"


def who_leads(best: Sequence[Sequence[BoardRow]]) -> str:
    """ "Goldcrest leads 9 of 11 tasks", or that several lead as many; `best` are the systems with each task's best."""
    rows = {id(row): row for one in best for row in one}
    counts = Counter(id(row) for one in best for row in one)
    most, of = max(counts.values()), len(best)
    first = [quoted(rows[key].system) for key, count in counts.items() if count == most]
    if len(first) > 2 and most == of:
        return f"{len(first)} systems are level in all {of} tasks"
    if len(first) > 2:
        return f"No system leads more than {most} of {of} tasks"
    if len(first) == 2:
        return f"{' and '.join(first)} lead {most} of {of} tasks each"
    return f"{first[0]} leads all {of} tasks" if most == of else f"{first[0]} leads {most} of {of} tasks"


def _row(task: _Task) -> tuple[Datum, ...]:
    systems = task.of(DOT)
    names = ", ".join(row.system for row in task.best[:5])
    return (
        task.column.name,
        task.column.metric_title,
        f"{names} …" if len(task.best) > 5 else names,
        task.best[0].cell(task.column.key).value,
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
    rows = [row for row in board.rows if any(row.cell(one.key).value is not None for one in sets)]
    if not sets or not rows:
        return None
    looks = dict(zip((one.key for one in sets), NUMBERED, strict=False))
    shown = rows[:AT_MOST]
    strips = [_system(row, together, sets, looks) for row in shown]
    canvas = Canvas(
        BROKEN,
        title=_who_breaks(rows, sets),
        about=f"{together.metric_title}, by breaker; at the right all pairs together",
        description="; ".join(f"{strip.title}: {strip.beside or 'not known'}" for strip in strips) + ".",
    )
    words = {looks[one.key]: one.title for one in sets if one.key in looks}
    heads = ("System", together.name, *(one.title for one in sets))
    data = tuple((row.system, *(row.cell(one.key).value for one in board.columns)) for row in shown)
    more = len(rows) - len(shown)
    note = f"{more} systems that are broken more often are not drawn." if more else ""
    svg = draw_strips(canvas, strips, words)
    return Chart(BROKEN, _who_breaks(rows, sets), svg, heads, data, board.synthetic, note=note)


def _system(row: BoardRow, together: Column, sets: Sequence[Column], looks: dict[str, str]) -> Strip:
    marks = [
        Mark(value, one.title, looks.get(one.key, DOT))
        for one in sets
        if (value := row.cell(one.key).value) is not None
    ]
    all_pairs = row.cell(together.key).value
    return Strip(row.system, tuple(marks), "" if all_pairs is None else fmt.score(all_pairs))


def _who_breaks(rows: Sequence[BoardRow], sets: Sequence[Column]) -> str:
    """Whose pairs break systems most often, on average over those that answered them."""
    shares = {
        one.key: [value for row in rows if (value := row.cell(one.key).value) is not None] for one in sets
    }
    means = {one.title: sum(found) / len(found) for one in sets if (found := shares[one.key])}
    most = max(means.values())
    first = [title for title, mean in means.items() if mean == most]
    if len(first) > 1 or len(means) == 1:
        return f"On average {most:.0%} of the pairs break a system" + (
            ", of each breaker" if len(first) > 1 else ""
        )
    return f"The pairs of {quoted(first[0])} break the most: {most:.0%} of them, on average over systems"
