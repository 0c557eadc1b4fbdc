"""Several systems' scores together: the median team, and mean rank instead of mean score."""

from collections.abc import Sequence
from math import fsum

import numpy as np

from catalogue.metrics.correlation import mean_ranks
from catalogue.metrics.metric import Undefined


def median_team(scores: Sequence[float], *, higher_is_better: bool = True) -> int:
    """Position of the team in the middle of the ranking, whose whole row a board can show as *median team*.

    Of an even number of teams it is the worse of the two in the middle, as in Affect in Tweets, where the median
    of 44 teams is the 23rd. Baselines are to be left out. Of equal scores the first listed counts as better.

    >>> median_team([0.9, 0.1, 0.5, 0.7])
    2
    """
    if not scores:
        raise ValueError("`scores` must hold at least one team's score; it is empty.")
    ranking = sorted(range(len(scores)), key=lambda team: scores[team], reverse=higher_is_better)
    return ranking[len(scores) // 2]


def mean_ranks_of_systems(
    table: Sequence[Sequence[float | None]], higher_is_better: Sequence[bool]
) -> list[float | Undefined]:
    """Each system's mean rank over the tasks: an aggregate that no task's scale can dominate. The lower, the better.

    In a task, rank 1 is the best, equal scores share the mean of their ranks, and systems without a score have
    none. A system that lacks a task is undefined, with code `missing_task`.

    Parameters
    ----------
    table : sequence of shape (n_systems, n_tasks)
        Scores; None where a system has none.
    higher_is_better : sequence of bool of shape (n_tasks,)

    Returns
    -------
    list of float or Undefined, of length n_systems
        From 1 (best in every task) to the number of systems.

    Examples
    --------
    >>> mean_ranks_of_systems([[0.9, 0.2], [0.5, 0.1], [0.5, None]], [True, False])
    [1.5, 1.75, Undefined(code='missing_task')]
    """
    task_count = len(higher_is_better)
    if not task_count or any(len(row) != task_count for row in table):
        raise ValueError(f"Each row must have one score per task, {task_count} of them, at least one.")
    columns = [
        _ranks([row[task] for row in table], higher_is_better=better)
        for task, better in enumerate(higher_is_better)
    ]
    return [_mean_rank(ranks) for ranks in zip(*columns, strict=True)]


def _ranks(scores: Sequence[float | None], *, higher_is_better: bool) -> list[float | None]:
    """Ranks of the scores that are there, the best first."""
    present = [score for score in scores if score is not None]
    sign = -1.0 if higher_is_better else 1.0
    ranks = iter(mean_ranks(sign * np.array(present)).tolist() if present else ())
    return [None if score is None else next(ranks) for score in scores]


def _mean_rank(ranks: Sequence[float | None]) -> float | Undefined:
    present = [rank for rank in ranks if rank is not None]
    if len(present) < len(ranks):
        return Undefined("missing_task")
    return fsum(present) / len(present)
