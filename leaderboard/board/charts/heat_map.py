"""Systems against tasks as a heat map: the first of a board, each column shaded from its worst value to its best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.board.charts.line_chart import Chart
from leaderboard.board.charts.plot import (
    FAINT,
    INK,
    RULE,
    SIZE,
    SMALL,
    WIDTH,
    Canvas,
    group,
    named,
    path,
    text,
)
from leaderboard.board.charts.strip_charts import who_leads
from leaderboard.board.charts.text_layout import quoted, shortened, width
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import leaders

KEY = "heatmap"
AT_MOST = 25
TASKS, SYSTEMS = 3, 2
"""With fewer of either there is nothing to compare."""
SHADES = ("#ffffff", "#e7eff0", "#cedfe1", "#b6ced2", "#9dbec3")
"""On paper, as the style sheet's `heat-0` to `heat-4` in light. They differ in lightness, and all bear text."""
NAMES, ROW = 130.0, 22
CELL, SMALL_CELL = 24.0, 12.0
"""Pixels that a cell takes at least: with its number, and on a board of more than so many columns without."""
NUMBERED = 40
LONGEST_HEAD = 112


def heat_map(board: Board, columns: Sequence[Column]) -> Chart | None:
    """The first 25 systems against these columns; None where there are fewer than two, or three columns.

    Systems without a rank follow the ranked ones. A column's shades go from the worst value of the systems shown to the
    best.
    """
    systems = [row for row in board.systems if _scores_in(row, columns)]
    shown = sorted(systems, key=lambda row: row.rank is None)[:AT_MOST]
    columns = [one for one in columns if _values(shown, one)]
    if len(columns) < TASKS or len(shown) < SYSTEMS:
        return None
    title = _sentence(board, columns)
    least = CELL if len(columns) <= NUMBERED else SMALL_CELL
    is_turned = _fits(len(shown)) and not _fits(len(columns)) and len(columns) <= NUMBERED
    across = len(shown) if is_turned else len(columns)
    cell = max((WIDTH - NAMES) / across, least)
    wide = NAMES + cell * across
    about = "The stronger the shade, the closer to the best of its task"
    if _are_shares(shown, columns):
        about += "; in hundredths"
    canvas = Canvas(
        KEY,
        title=title,
        about=about,
        description=f"{len(shown)} systems against {len(columns)} tasks. {title}.",
        wide=wide,
    )  # fmt: skip
    svg = _draw(canvas, shown, columns, cell, is_turned=is_turned)
    heads = ("Rank", "System", *heads_of(columns))
    data = tuple((row.rank, row.system, *(row.cell(one.key).value for one in columns)) for row in shown)
    return Chart(KEY, title, svg, heads, data, board.synthetic, wide > WIDTH, _rest(systems, shown))


def _fits(count: int) -> bool:
    """Whether so many cells stand beside each other on a phone."""
    return CELL * count <= WIDTH - NAMES


def _scores_in(row: BoardRow, columns: Sequence[Column]) -> bool:
    return any(row.cell(one.key).value is not None for one in columns)


def _values(rows: Sequence[BoardRow], column: Column) -> list[float]:
    return [value for row in rows if (value := row.cell(column.key).value) is not None]


def _are_shares(rows: Sequence[BoardRow], columns: Sequence[Column]) -> bool:
    return all(-1 <= value <= 1 for column in columns for value in _values(rows, column))


# Marks on paper


@dataclass(frozen=True, slots=True)
class _Name:
    """A system or a task: how it is written, its whole name, and a system's rank or a dash."""

    short: str
    whole: str
    rank: str = ""


def _draw(
    canvas: Canvas, rows: Sequence[BoardRow], columns: Sequence[Column], cell: float, *, is_turned: bool
) -> bytes:
    """Systems below each other; where more tasks than fit a phone would stand beside each other, the tasks are."""
    systems = [_Name(row.system, row.system, str(row.rank or fmt.NONE)) for row in rows]
    tasks = [_Name(short, one.name) for short, one in zip(heads_of(columns), columns, strict=True)]
    down, across = (tasks, systems) if is_turned else (systems, tasks)
    top = _heads(canvas, across, cell)
    _sides(canvas, down, top)
    by_100 = _are_shares(rows, columns)
    cells = [group(canvas.root, f"heat heat-{shade}", colour) for shade, colour in enumerate(SHADES)]
    numbers = group(canvas.root, "heading", INK, font_size=f"{SMALL:g}", text_anchor="middle")
    for at, column in enumerate(columns):
        ends = _ends(rows, column)
        squares: dict[int, list[str]] = {}
        for index, row in enumerate(rows):
            x, y = (index, at) if is_turned else (at, index)
            left, upper, value = NAMES + cell * x, top + ROW * y, row.cell(column.key).value
            if value is not None:
                square = f"M{left:.1f} {upper:.1f}h{cell - 1:.1f}v{ROW - 1}h-{cell - 1:.1f}Z"
                squares.setdefault(_shade(value, *ends), []).append(square)
            if cell >= CELL:
                text(numbers, _number(value, by_100=by_100), left + cell / 2 - 0.5, upper + 15)
        for shade, found in squares.items():
            path(cells[shade], "".join(found))
    return _legend(canvas, top + ROW * len(down) + 8)


def _sides(canvas: Canvas, down: Sequence[_Name], top: float) -> None:
    """Names left of their cells, those of systems behind their ranks."""
    names = group(canvas.root, "heading", INK)
    for index, one in enumerate(down):
        y = top + ROW * index + 15.5
        left = 28 if one.rank else 2
        if one.rank:
            text(names, one.rank, 22, y, anchor="end", opacity="0.7")
        drawn = group(names, "heading", INK)
        named(drawn, one.whole)
        text(drawn, shortened(one.short, NAMES - 6 - left, SIZE), left, y)


def _heads(canvas: Canvas, across: Sequence[_Name], cell: float) -> float:
    """Names upright above their columns; returns where the cells begin."""
    short = [shortened(f"{one.rank} {one.short}".strip(), LONGEST_HEAD, SMALL) for one in across]
    bottom = canvas.top + max(width(one, SMALL) for one in short) + 4
    heads = group(canvas.root, "scales", FAINT, font_size=f"{SMALL:g}")
    for at, (one, line) in enumerate(zip(across, short, strict=True)):
        x = NAMES + cell * (at + 0.5) + 4
        drawn = group(heads, "scales", FAINT, transform=f"translate({x:.1f} {bottom:.1f}) rotate(-90)")
        named(drawn, one.whole)
        text(drawn, line, 0, 0)
    return bottom + 6


def heads_of(columns: Sequence[Column]) -> list[str]:
    """Short titles, those that several columns share after what their groups are called."""
    counts = Counter(one.title for one in columns)
    return [f"{one.group} {one.title}".strip() if counts[one.title] > 1 else one.title for one in columns]


def _legend(canvas: Canvas, top: float) -> bytes:
    words = group(canvas.root, "scales", FAINT, font_size=f"{SMALL:g}")
    left = NAMES + width("worst", SMALL) + 6
    text(words, "worst", NAMES, top + 11)
    for shade, colour in enumerate(SHADES):
        swatch = group(canvas.root, f"heat heat-{shade}", colour)
        path(swatch, f"M{left + 22 * shade:.1f} {top:.1f}h21v13h-21Z")
    end = left + 22 * len(SHADES)
    edge = group(canvas.root, "rules", RULE)
    path(edge, f"M{left:.1f} {top:.1f}H{end - 1:.1f}v13H{left:.1f}Z", fill="none", stroke="currentColor")
    text(words, "best of its task", end + 6, top + 11)
    return canvas.finish(top + 20)


def _ends(rows: Sequence[BoardRow], column: Column) -> tuple[float, float]:
    """The worst and the best value."""
    values = _values(rows, column)
    low, high = min(values), max(values)
    return (low, high) if column.higher_is_better else (high, low)


def _shade(value: float, worst: float, best: float) -> int:
    """0..4; where all values are equal they are all the best."""
    return 4 if worst == best else min(int((value - worst) / (best - worst) * 5), 4)


def _number(value: float | None, *, by_100: bool) -> str:
    if value is None:
        return fmt.NONE
    digits = f"{abs(100 * value if by_100 else value):.0f}"
    return fmt.MINUS + digits if value < 0 and digits != "0" else digits


# Words


def _sentence(board: Board, columns: Sequence[Column]) -> str:
    """Where the first of the board stands lowest, or who shares the first place; without an average who leads tasks."""
    first = [row for row in board.rows if row.rank == 1]
    # Ranked by one of the tasks, a board has nobody who is first in all of them together.
    if not first or board.rank_by in {one.key for one in columns}:
        return who_leads([rows for rows in leaders(board, columns) if rows])
    if len(first) > 1:
        return f"{len(first)} systems share the first place over {len(columns)} tasks"
    name = quoted(first[0].system)
    places = [(_place(first[0], board.systems, column), column) for column in columns]
    known = [(place, column) for place, column in places if place is not None]
    lowest, where = max(known, key=lambda one: one[0])
    if lowest == 1 and len(known) == len(columns):
        return f"{name}, first overall, is first in every task"
    if lowest == 1:
        return f"{name}, first overall, is first in the {len(known)} of {len(columns)} tasks that it has a score in"
    return f"{name}, first overall, is {ordinal(lowest)} in {quoted(where.name, 300)}"


def _place(row: BoardRow, systems: Sequence[BoardRow], column: Column) -> int | None:
    own = row.cell(column.key).value
    if own is None:
        return None
    complete = [one for one in systems if one.cell(column.key).is_complete]
    values = _values(complete, column)
    return 1 + sum(value > own if column.higher_is_better else value < own for value in values)


def ordinal(number: int) -> str:
    """ "1st", "2nd", "11th"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}th" if number % 100 in (11, 12, 13) else f"{number}{ending}"


def _rest(systems: Sequence[BoardRow], shown: Sequence[BoardRow]) -> str:
    """Which systems are not in the picture."""
    ranked = [sum(row.rank is not None for row in rows) for rows in (systems, shown)]
    unranked = len(systems) - ranked[0] - (len(shown) - ranked[1])
    counts = {"of lower rank": ranked[0] - ranked[1], "without a rank": unranked}
    said = [
        f"{count} {'system' if count == 1 else 'systems'} {why}" for why, count in counts.items() if count
    ]
    return f"Not shown: {' and '.join(said)}. The table of the board has them all." if said else ""
