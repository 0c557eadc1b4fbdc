"""Minimal pairs in every resample: the two items of a pair are drawn together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.model import PAIR_MEASURES
from catalogue.answers import AnswerKind
from scoring.core.uncertainty.replicates import Resamples


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
