"""Derived measures in every resample: what `scoring.core.measures` makes of single scores, made of their replicates.

Scores are not cut to their range here: replicates stand about the score, and may lie a little beyond the end of it. Of
minimal pairs the items are drawn together.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.model import PAIR_MEASURES
from catalogue.answers import AnswerKind
from scoring.core.uncertainty.replicates import Resamples

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


def pair_clusters(ids: Sequence[str], separator: str) -> NDArray[np.intp]:
    """Per item the number of its pair: items that agree before the last `separator` are one.

    >>> pair_clusters(["1_a", "2_a", "1_b"], "_").tolist()
    [0, 1, 0]
    """
    numbers: dict[str, int] = {}
    stems = [item.rpartition(separator)[0] for item in ids]
    return np.array([numbers.setdefault(stem, len(numbers)) for stem in stems], dtype=np.intp)


def pair_replicates(
    output: AnswerKind,
    clusters: NDArray[np.intp],
    y_true: NDArray[Any],
    y_pred: NDArray[Any],
    resamples: Resamples,
) -> dict[str, NDArray[np.float64]]:
    """PAIR_MEASURES in every resample; none where an item has no partner, or more than one.

    Parameters
    ----------
    output : AnswerKind
        What an answer is.
    clusters : integer array of shape (n_items,)
        As `pair_clusters` gives them.
    y_true, y_pred : array of shape (n_items,)
        Canonical arrays of that output.
    resamples : Resamples
        Of weights that were drawn with these clusters.

    Returns
    -------
    dict of measure to float array of shape (replicates,)
    """
    if (np.bincount(clusters) != 2).any():  # a pair
        return {}
    right = np.bincount(clusters, weights=output.right(y_true, y_pred)).astype(np.intp)
    _, first = np.unique(clusters, return_index=True)
    none, broken, both = resamples.counted(right, first, 3).astype(np.float64)
    return dict(zip(PAIR_MEASURES, (both, broken, none, broken / (both + broken + none)), strict=True))
