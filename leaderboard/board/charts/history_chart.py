"""What the boards of several releases show together: the best score over time, beside the human estimate."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.line_chart import Series, line_chart
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.board.model.measures import differences_in_measure, in_words, spells
from leaderboard.board.model.serialization import json_bytes, rounded

KEY = "history"
BEST = "Best system"
Point = tuple[float, float]


def history_chart(boards: Sequence[Board]) -> Chart | None:
    """The best score of each release in the column that decides the rank, with the human estimates as dashed lines.

    The line breaks where the column was measured otherwise than before, and says why; better and worse is said of
    releases since then alone.

    Parameters
    ----------
    boards
        One board per release, in any order; those ranked by another column than the newest one are left out.

    Returns
    -------
    Chart or None
        None where fewer than two releases have a ranked system.
    """
    if not boards:
        return None
    newest = max(boards, key=lambda board: board.release)
    column = newest.column(newest.rank_by)
    parts = spells(board for board in boards if board.rank_by == column.key and _best(board) is not None)
    if sum(map(len, parts)) < 2:
        return None
    lines = [
        tuple((float(board.release), best) for board in part if (best := _best(board)) is not None)
        for part in parts
    ]
    first, last = lines[-1][0], lines[-1][-1]
    ends = dict.fromkeys((first[0], last[0]))
    series = [Series(BEST, line, 0) for line in reversed(lines)]  # the first, which is the newest, is named
    series += [
        Series(name, tuple((x, value) for x in ends), is_system=False, is_human=True)
        for name, value in _humans(newest)
    ]
    measure = column.metric_title
    chart = line_chart(
        series,
        title=_sentence(first, last, newest, is_alone=len(parts) > 1),
        x_title="Release",
        y_title=column.name if measure == column.name else f"{column.name}, {measure}",
        name=KEY,
        is_synthetic=newest.synthetic,
        breaks=[line[0][0] for line in lines[1:]],
        note=" ".join(filter(None, [_of_breaks(parts), _of_people(newest)])),
    )
    return replace(
        chart, rows=tuple(sorted(chart.rows, key=lambda row: (row[0] != BEST, float(row[1] or 0))))
    )


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


def _sentence(first: Point, last: Point, board: Board, *, is_alone: bool) -> str:
    """From where to where the best score went, and where people stand; `is_alone` where earlier ones do not count."""
    (since, then), (until, now) = first, last
    if since == until:
        said = f"The best score is {fmt.score(now)} in release {until:g}, the first by its measure"
    elif fmt.score(then) == fmt.score(now):
        said = f"The best score is {fmt.score(now)}, as in release {since:g}"
    else:
        verb = "rose" if now > then else "fell"
        said = f"The best score {verb} from {fmt.score(then)} in release {since:g} to {fmt.score(now)}"
        said += ", since when the measure is the same" if is_alone else ""
    humans = _humans(board)
    if len(humans) != 1:
        return said
    human = humans[0][1]
    is_reached = now >= human if board.column(board.rank_by).higher_is_better else now <= human
    return f"{said}, {'past' if is_reached else 'short of'} the human estimate of {fmt.score(human)}"


def history_json(boards: Sequence[Board]) -> bytes:
    """The data behind the chart as UTF-8 JSON: every release with its leaders and their score, the newest first.

    `boards` holds at least one; a score is null where nobody is ranked. Scores of two releases can be compared where
    their `measure`, counted from 1, is the same. No score has more decimals than the newest board, though earlier ones
    may have been published with all their digits.
    """
    newest = max(boards, key=lambda board: board.release)
    column = newest.column(newest.rank_by)
    parts = spells(board for board in boards if board.rank_by == column.key)
    lines = [_release(board, measure) for measure, part in enumerate(parts, start=1) for board in part]
    document = {
        "benchmark": newest.benchmark,
        "release": newest.release,
        "synthetic": newest.synthetic,
        "column": column.key,
        "metric": column.metric,
        "releases": lines[::-1],
        "human": [{"system": name, "score": value} for name, value in _humans(newest)],
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


def _humans(board: Board) -> list[tuple[str, float]]:
    values = [(row.system, row.value(board.rank_by)) for row in board.rows if row.kind is RowKind.HUMAN]
    return [(name, value) for name, value in values if value is not None]
