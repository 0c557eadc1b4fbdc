"""Ranks that scores of different kinds are brought to, so that their mean says something."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def shared_rank(own: Floats | float, others: Floats, *, falls: bool) -> Floats:
    """The rank of a score among others, 1 the best; equal ones share the mean of their ranks.

    Parameters
    ----------
    own : float, or float array of shape (replicates,)
        NaN for a missing score: those that lack one share the last ranks.
    others : float array of shape (others,) or (others, replicates)
    falls : bool
        Whether lower scores are better.

    References
    ----------
    Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", 2006 (JMLR 7).

    Examples
    --------
    >>> float(shared_rank(0.8, np.array([0.9, 0.8, 0.1, np.nan]), falls=False))
    2.5
    """
    merit, merits = (_merit(scores, falls=falls) for scores in (own, others))
    return np.asarray(1 + (merits > merit).sum(axis=0) + (merits == merit).sum(axis=0) / 2)


def _merit(scores: Any, *, falls: bool) -> Floats:
    merit = np.negative(scores) if falls else np.asarray(scores)
    return np.where(np.isnan(merit), -np.inf, merit)
