"""What the boards of several releases show together: the best score over time, beside the human estimate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board import format as fmt
from leaderboard.board.charts import Chart, Series, line_chart
from leaderboard.board.model import Board

KEY = "history"


def history_chart(boards: Sequence[Board]) -> Chart | None:
    """The best score of each release in the column that decides the rank, with the human estimates as dashed lines.

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
    alike = [board for board in boards if board.rank_by == column.key]
    best = [(float(board.release), value) for board in alike if (value := _best(board)) is not None]
    if len(best) < 2:
        return None
    first, last = min(best), max(best)
    series = [Series("Best system", tuple(best), 0), *_human(newest, (first[0], last[0]))]
    return line_chart(
        series,
        title=_sentence(first, last, _humans(newest), higher_is_better=column.higher_is_better),
        x_title="Release",
        y_title=f"{column.name}, {column.metric_title}"
        if column.metric_title != column.name
        else column.name,
        name=KEY,
        is_synthetic=newest.synthetic,
    )


def _sentence(
    first: tuple[float, float],
    last: tuple[float, float],
    humans: Sequence[tuple[str, float]],
    *,
    higher_is_better: bool,
) -> str:
    """From where to where the best score went, and where people stand."""
    (since, then), (_, now) = first, last
    if fmt.score(then) == fmt.score(now):
        said = f"The best score is {fmt.score(now)}, as in release {since:g}"
    else:
        verb = "rose" if now > then else "fell"
        said = f"The best score {verb} from {fmt.score(then)} in release {since:g} to {fmt.score(now)}"
    if len(humans) != 1:
        return said
    human = humans[0][1]
    is_reached = now >= human if higher_is_better else now <= human
    return f"{said}, {'past' if is_reached else 'short of'} the human estimate of {fmt.score(human)}"


def history_json(boards: Sequence[Board]) -> bytes:
    """The data behind the chart as UTF-8 JSON: every release with its leaders and their score, the newest first.

    `boards` holds at least one; a score is null where nobody is ranked.
    """
    newest = max(boards, key=lambda board: board.release)
    column = newest.column(newest.rank_by)
    ordered = sorted(boards, key=lambda board: -board.release)
    document = {
        "benchmark": newest.benchmark,
        "release": newest.release,
        "synthetic": newest.synthetic,
        "column": column.key,
        "metric": column.metric,
        "releases": [_release(board) for board in ordered if board.rank_by == column.key],
        "human": [{"system": name, "score": value} for name, value in _humans(newest)],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _release(board: Board) -> dict[str, Any]:
    leaders = [{"system": row.system, "team": row.team} for row in board.rows if row.rank == 1]
    return {
        "release": board.release,
        "published_at": board.published_at.isoformat().replace("+00:00", "Z"),
        "systems": board.system_count,
        "score": _best(board),
        "leaders": leaders,
    }


def _best(board: Board) -> float | None:
    first = next((row for row in board.rows if row.rank == 1), None)
    return first.cell(board.rank_by).value if first else None


def _human(board: Board, span: tuple[float, float]) -> list[Series]:
    """A level line for each human estimate of the newest board."""
    return [
        Series(name, tuple((x, value) for x in span), is_system=False, is_human=True)
        for name, value in _humans(board)
    ]


def _humans(board: Board) -> list[tuple[str, float]]:
    return [
        (row.system, value)
        for row in board.rows
        if row.kind is RowKind.HUMAN and (value := row.cell(board.rank_by).value) is not None
    ]
