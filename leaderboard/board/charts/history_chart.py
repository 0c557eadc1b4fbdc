"""What the boards of several releases show together: the best score over time, beside the human estimate."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import Chart, Datum
from leaderboard.board.charts.line_chart import Series, line_chart
from leaderboard.board.charts.reported_steps import day_in_words, reported_steps, steps_in_words, steps_line
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, Column
from leaderboard.board.model.measures import differences_in_measure, in_words, spells
from leaderboard.board.model.serialization import json_bytes, rounded

KEY = "history"
BEST = "Best system"
MOST_LEADERS, MOST_SHARING = 4, 2  # so many are named below the chart, and of a shared first rank


def history_charts(boards: Sequence[Board]) -> list[Chart]:
    """The history of the newest board; where each of its columns is a ranking of its own, that of each column.

    `boards` are one per release, in any order; before the first release the one that carries the number 0.
    """
    newest = max(boards, key=lambda board: board.release, default=None)
    if newest is None:
        return []
    if not newest.by_column:
        chart = history_chart(boards)
        return [chart] if chart else []
    alone = (_drawn(newest, column, [], f"{KEY}-{at}") for at, column in enumerate(newest.columns, start=1))
    return [chart for chart in alone if chart]


def history_chart(boards: Sequence[Board]) -> Chart | None:
    """The best score of each release in the column that decides the rank, with the human estimates as dashed lines.

    The line breaks where the column was measured otherwise than before, and says why; better and worse is said of
    releases since then alone. Where rows of an earlier leaderboard have dates, the best of these is a line of its own
    and both go by days.

    Parameters
    ----------
    boards
        One board per release, in any order; those ranked by another column than the newest one are left out.

    Returns
    -------
    Chart or None
        None where fewer than two releases have a ranked system, and fewer than two days a best reported score.
    """
    if not boards:
        return None
    newest = max(boards, key=lambda board: board.release)
    column = newest.column(newest.rank_by)
    parts = spells(board for board in boards if board.rank_by == column.key and _best(board) is not None)
    return _drawn(newest, column, parts, KEY)


def _drawn(newest: Board, column: Column, parts: Sequence[Sequence[Board]], key: str) -> Chart | None:
    """The chart of one column; `parts` are the releases in which its scores can be compared."""
    steps = reported_steps(newest, column)
    if sum(map(len, parts)) < 2 and len(steps) < 2:
        return None
    # By releases as long as there is nothing that has but a date.
    at = {board.release: _place(board, by_day=bool(steps)) for part in parts for board in part}
    lines = [tuple((at[board.release], _best(board) or 0.0) for board in part) for part in parts]
    series = [Series(BEST, line, 0) for line in reversed(lines)]  # the first, which is the newest, is named
    series += steps_line(steps)
    ends = dict.fromkeys(
        x for line in (lines[-1:] or [steps_line(steps)[0].points]) for x, _ in (line[0], line[-1])
    )
    series += [
        Series(name, tuple((x, value) for x in ends), is_system=False, is_human=True)
        for name, value in _humans(newest, column)
    ]
    measure = column.metric_title
    said = [
        _of_breaks(parts),
        _of_leaders(parts),
        _of_people(newest),
        f"{steps_in_words(steps)}; it was not scored here." if steps else "",
    ]
    chart = line_chart(
        series,
        title=_sentence(parts, newest) if lines else steps_in_words(steps),
        x_title="Day" if steps else "Release",
        y_title=column.name if measure == column.name else f"{column.name}, {measure}",
        name=key,
        is_synthetic=newest.synthetic,
        breaks=[line[0][0] for line in lines[1:]],
        note=" ".join(filter(None, said if lines else said[:-1])),
        x_words=day_in_words if steps else "{:g}".format,
    )
    return replace(chart, rows=tuple(sorted(chart.rows, key=_by_place)))


def _place(board: Board, *, by_day: bool) -> float:
    return float(board.published_at.date().toordinal() if by_day else board.release)


def _by_place(row: tuple[Datum, ...]) -> tuple[bool, float, str]:
    """The best system first; then releases by their numbers, days by their dates."""
    place = str(row[1])
    return row[0] != BEST, float(place) if place.isdecimal() else 0.0, place


def _of_leaders(parts: Sequence[Sequence[Board]]) -> str:
    """Who held the first rank since when, the last few of them; the data beside the chart have all."""
    boards = [board for part in parts for board in part]
    held = [(names, next(runs).release) for names, runs in groupby(boards, key=_leaders_in_words)]
    told = [f"{names} since release {number}" for names, number in held[-MOST_LEADERS:]]
    return f"First: {', '.join(told)}." if told else ""


def _leaders_in_words(board: Board) -> str:
    names = [row.system for row in board.leaders]
    return " and ".join(names) if len(names) <= MOST_SHARING else f"{len(names)} systems together"


def _of_breaks(parts: Sequence[Sequence[Board]]) -> str:
    """Why the line breaks where it does; empty where it does not."""
    said = ", since ".join(
        f"release {now[0].release} ({in_words(differences_in_measure(then[-1], now[0]))})"
        for then, now in pairwise(parts)
    )
    cannot = "scores on two sides of a dashed line cannot be compared."
    return f"Another measure since {said}: {cannot}" if said else ""


def _of_people(board: Board) -> str:
    """Where the human estimate comes from, if nothing else says how sure it is; empty where something does."""
    cells = [(row.source, row.cell(board.rank_by)) for row in board.rows if row.kind is RowKind.HUMAN]
    known = [(source, cell) for source, cell in cells if cell.value is not None]
    if len(known) != 1 or known[0][1].ci_low is not None or not known[0][0]:
        return ""
    return f"The human estimate has no interval; it is from {known[0][0]}."


def _sentence(parts: Sequence[Sequence[Board]], board: Board) -> str:
    """From where to where the best score went since it is measured as now, and where people stand."""
    since, until = parts[-1][0].release, parts[-1][-1].release
    then, now = _best(parts[-1][0]) or 0.0, _best(parts[-1][-1]) or 0.0
    if since == until:
        only = ", the first by its measure" if len(parts) > 1 else ""
        said = f"The best score is {fmt.score(now)} in release {until}{only}"
    elif fmt.score(then) == fmt.score(now):
        said = f"The best score is {fmt.score(now)}, as in release {since}"
    else:
        verb = "rose" if now > then else "fell"
        said = f"The best score {verb} from {fmt.score(then)} in release {since} to {fmt.score(now)}"
        said += ", since when the measure is the same" if len(parts) > 1 else ""
    humans = _humans(board, board.column(board.rank_by))
    if len(humans) != 1:
        return said
    human = humans[0][1]
    is_reached = now >= human if board.column(board.rank_by).higher_is_better else now <= human
    return f"{said}, {'past' if is_reached else 'short of'} the human estimate of {fmt.score(human)}"


def history_json(boards: Sequence[Board]) -> bytes:
    """The data behind the chart as UTF-8 JSON: every release with its leaders and their score, the newest first.

    Where there are rows of an earlier leaderboard, `reported` has those that were better than all before, by day.

    `boards` holds at least one; a score is null where nobody is ranked. Scores of two releases can be compared where
    their `measure`, counted from 1, is the same. No score has more decimals than the newest board, though earlier ones
    may have been published with all their digits.
    """
    newest = max(boards, key=lambda board: board.release)
    column = newest.column(newest.rank_by)
    parts = spells(board for board in boards if board.rank_by == column.key)
    lines = [
        _release(board, measure)
        for measure, part in enumerate(parts, start=1)
        for board in part
        if board.release
    ]
    reported = [
        {"date": str(step.day), "score": step.score, "system": step.system, "team": step.team}
        for step in reported_steps(newest, column)
    ]
    document = {
        "benchmark": newest.benchmark,
        "release": newest.release,
        "synthetic": newest.synthetic,
        "column": column.key,
        "metric": column.metric,
        "releases": lines[::-1],
        "human": [{"system": name, "score": value} for name, value in _humans(newest, column)],
        **({"reported": reported[::-1]} if reported else {}),
    }
    return json_bytes(rounded(document) if newest.decimals else document)


def _release(board: Board, measure: int) -> dict[str, Any]:
    return {
        "release": board.release,
        "published_at": board.published_at.isoformat().replace("+00:00", "Z"),
        "systems": board.system_count,
        "score": _best(board),
        "measure": measure,
        "leaders": [{"system": row.system, "team": row.team} for row in board.leaders],
    }


def _best(board: Board) -> float | None:
    return next((row.value(board.rank_by) for row in board.leaders), None)


def _humans(board: Board, column: Column) -> list[tuple[str, float]]:
    values = [(row.system, row.value(column.key)) for row in board.rows if row.kind is RowKind.HUMAN]
    return [(name, value) for name, value in values if value is not None]
