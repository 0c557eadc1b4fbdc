"""The ranked systems of a board by other rules than the official average: does the order hang on the rule?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import AverageSpec
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from scoring.core.uncertainty.ranking_rules import borda, copeland, kendall_tau_b, mean_rank

SHOWN = 10
FEWEST_SYSTEMS = 3  # of two systems every rule can only say which of them is first


@dataclass(frozen=True, slots=True)
class OtherRanksView:
    """The first few systems, each with its rank and its points under every rule.

    `taus` says per rule how far its order agrees with the official one. The rules are the mean rank, Borda and
    Copeland, in this order. `system_count` is how many systems are ranked; `has_missing` says that some have no score
    for a task.
    """

    rows: tuple[tuple[BoardRow, tuple[tuple[int, str], ...]], ...]
    taus: tuple[str, ...]
    task_count: int
    system_count: int
    has_missing: bool


def other_ranks(board: Board, averages: Sequence[AverageSpec]) -> OtherRanksView | None:
    """How the ranked systems stand by other rules, over the tasks that the board's ranking is the average of.

    None where the ranking is no average of tasks that all have a column, or fewer than three systems are ranked.
    """
    tasks = _tasks(board.rank_by, {average.id: average for average in averages})
    columns = [column for column in board.columns if column.key in tasks]
    ranked = board.ranked
    if len(tasks) < 2 or len(columns) < len(tasks) or len(ranked) < FEWEST_SYSTEMS:
        return None
    scores = np.array([[row.value(column.key) for column in columns] for row in ranked], dtype=np.float64)
    scores *= [1.0 if column.higher_is_better else -1.0 for column in columns]
    rankings = [rule(scores) for rule in (mean_rank, borda, copeland)]
    official = np.array([row.rank for row in ranked])
    taus = [kendall_tau_b(official, ranking.ranks) for ranking in rankings]
    by_rule = [
        list(zip(map(int, one.ranks[:SHOWN]), _points(one.points[:SHOWN]), strict=True)) for one in rankings
    ]
    return OtherRanksView(
        rows=tuple(zip(ranked[:SHOWN], zip(*by_rule, strict=True), strict=True)),
        taus=tuple(fmt.NONE if tau is None else fmt.score(tau, decimals=2) for tau in taus),
        task_count=len(tasks),
        system_count=len(ranked),
        has_missing=bool(np.isnan(scores).any()),
    )


def _tasks(key: str, averages: dict[str, AverageSpec]) -> set[str]:
    if key not in averages:
        return set()
    return {task for part in averages[key].of for task in (_tasks(part, averages) or {part})}


def _points(points: NDArray[np.float64]) -> list[str]:
    """All with two decimals, or with none where all are whole numbers."""
    decimals = 0 if (points == points.round()).all() else 2
    return [f"{one:.{decimals}f}".replace("-", fmt.MINUS) for one in points]
