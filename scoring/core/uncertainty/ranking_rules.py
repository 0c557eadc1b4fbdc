"""Other ways to rank systems over several tasks, and how far they agree with the official one."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a rule gives each system, and the rank by it (1 the best, equal points share a rank).

    Both have shape (systems,). `higher_is_better` is the direction of the points.
    """

    points: Floats
    ranks: NDArray[np.intp]
    higher_is_better: bool


def mean_rank(scores: Floats) -> Ranking:
    """By the mean of a system's ranks on the tasks; the lower, the better.

    Parameters
    ----------
    scores : float array of shape (systems, tasks)
        The higher, the better: negate the columns of other metrics. NaN where a system has no score: it shares the
        last places of that task with all others that have none.

    References
    ----------
    Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", 2006 (JMLR 7).

    Examples
    --------
    >>> mean_rank(np.array([[0.9, 0.9], [0.8, 0.9], [0.7, np.nan]])).points.tolist()
    [1.25, 1.75, 3.0]
    """
    wins = _wins(scores)
    behind = wins.sum(axis=0)
    equal = len(scores) - behind - wins.sum(axis=1)
    points = np.asarray(behind + (equal + 1) / 2).mean(axis=1)
    return Ranking(points, _rank(-points), higher_is_better=False)


def borda(scores: Floats) -> Ranking:
    """By points: on every task one for each system beaten, and a half for each that is equal.

    A system without a score beats nobody, and shares with others that have none. Where every task is scored by all,
    the order is that of the mean rank.

    Parameters
    ----------
    scores : float array of shape (systems, tasks)
        As in `mean_rank`, but a pair of systems that both have no score for a task gives neither a point.

    References
    ----------
    Rofin et al., "Vote'n'Rank", 2023 (doi:10.18653/v1/2023.eacl-main.48).

    Examples
    --------
    >>> borda(np.array([[0.9, 0.9], [0.8, 0.9], [0.7, np.nan]])).points.tolist()
    [3.5, 2.5, 0.0]
    """
    ties = scores[:, None, :] == scores[None, :, :]
    ties[np.arange(len(scores)), np.arange(len(scores))] = False
    points = _wins(scores).sum(axis=(1, 2)) + 0.5 * ties.sum(axis=(1, 2))
    return Ranking(points, _rank(points), higher_is_better=True)


def copeland(scores: Floats) -> Ranking:
    """By duels: against how many systems a system is ahead on more tasks than it is behind, less those the other way.

    Only tasks count for which at least one of the two has a score; who has none is behind who has one.

    Parameters
    ----------
    scores : float array of shape (systems, tasks)
        As in `mean_rank`.

    References
    ----------
    Copeland 1951; Rofin et al., "Vote'n'Rank", 2023 (doi:10.18653/v1/2023.eacl-main.48).

    Examples
    --------
    >>> copeland(np.array([[0.9, 0.9], [0.8, 0.9], [0.7, np.nan]])).points.tolist()
    [2.0, 0.0, -2.0]
    """
    won = _wins(scores).sum(axis=2)
    points = np.sign(won - won.T).sum(axis=1).astype(np.float64)
    return Ranking(points, _rank(points), higher_is_better=True)


def kendall_tau_b(first: NDArray[np.integer], second: NDArray[np.integer]) -> float | None:
    """How far two rankings of the same systems agree: 1 the same order, 0 none, -1 the reverse.

    Parameters
    ----------
    first, second : integer array of shape (systems,)
        Ranks; equal ones are ties.

    Returns
    -------
    float or None
        None where all systems share one rank in either: there is no order to agree with.

    References
    ----------
    Kendall, "The Treatment of Ties in Ranking Problems", 1945 (doi:10.1093/biomet/33.3.239);
    `scipy.stats.kendalltau`.

    Examples
    --------
    >>> kendall_tau_b(np.array([1, 2, 3]), np.array([1, 3, 2]))  # doctest: +ELLIPSIS
    0.333...
    """
    signs = [np.sign(ranks[:, None] - ranks[None, :]) for ranks in (first, second)]
    different = [int(np.count_nonzero(row)) for row in signs]
    if 0 in different:
        return None
    return int((signs[0] * signs[1]).sum()) / sqrt(different[0] * different[1])


def _wins(scores: Floats) -> NDArray[np.bool_]:
    """Who is ahead of whom on which task, shape (systems, systems, tasks)."""
    filled = np.where(np.isnan(scores), -np.inf, scores)
    return np.asarray(filled[:, None, :] > filled[None, :, :])


def _rank(points: Floats) -> NDArray[np.intp]:
    """1 and how many have more points. What differs by rounding alone is equal."""
    rounded = np.round(points, 9)
    return np.asarray(1 + (rounded[None, :] > rounded[:, None]).sum(axis=1), dtype=np.intp)
