"""Derived measures in every resample: what `scoring.core.measures` makes of single scores, made of their replicates.

Every argument that is not a plain weight is an array of shape (replicates,). Scores are not cut to their range here:
replicates stand about the score, and may lie a little beyond the end of it.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def weighted_mean(weights: Sequence[float], scores: Sequence[Floats]) -> Floats:
    """The mean of scores by weights that are at least 0, not all 0: resilience, and the share of pooled pairs.

    >>> weighted_mean([1.0, 0.5], [np.array([0.5, 0.2]), np.array([0.875, 0.2])]).round(3).tolist()
    [0.625, 0.2]
    """
    total = sum(weight * score for weight, score in zip(weights, scores, strict=True))
    return np.asarray(total / sum(weights))


def relative_resilience(correct_shares: Sequence[float], test: Floats, attacked: Sequence[Floats]) -> Floats:
    """1 minus the weighted mean drop from the test split, without its sign.

    >>> relative_resilience([1.0], np.array([0.75]), [np.array([0.5])]).tolist()
    [0.75]
    """
    return np.asarray(1 - np.abs(test - weighted_mean(correct_shares, attacked)))


def raw_potency(scores: Sequence[Floats]) -> Floats:
    """What an attack takes from a perfect score, mean over systems.

    >>> raw_potency([np.array([0.75]), np.array([0.5])]).tolist()
    [0.375]
    """
    return np.asarray(1 - np.mean(scores, axis=0))


def breaker_score(accuracies: Sequence[Floats], broken_shares: Sequence[Floats]) -> Floats:
    """Mean over systems of the accuracy on the development data times the share of pairs that break it.

    >>> breaker_score([np.array([0.5]), np.array([1.0])], [np.array([1.0]), np.array([0.5])]).tolist()
    [0.5]
    """
    gains = [accuracy * other for accuracy, other in zip(accuracies, broken_shares, strict=True)]
    return np.asarray(np.mean(gains, axis=0))
