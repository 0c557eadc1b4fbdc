"""Correlation of numbers or ordered classes with the gold ones, over all items or a stratum of the gold labels."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.core.comparison import Comparison
from scoring.core.kinds import LabelKind
from scoring.core.registry import Metric, MetricFunction, Reader, register
from scoring.core.report import Undefined

Numbers = NDArray[np.float64] | NDArray[np.int16]

_AFFECT_IN_TWEETS = "SemEval-2018 Task 1, official scorer (doi:10.18653/v1/S18-1001)"
_UNDEFINED = {
    "too_few_items": "Fewer than two items are compared, so nothing can vary together.",
    "constant_gold": "All gold labels compared are equal, so nothing can vary with them.",
}


def pearson(y_true: Numbers, y_pred: Numbers) -> float | Undefined:
    """Pearson's correlation: how nearly the predictions are a straight line in the gold labels.

    From -1 (falling line) over 0 (no linear relation) to 1 (rising line). A constant prediction scores 0: it
    says nothing about the items. Undefined where there are fewer than two items (`too_few_items`) or the gold
    labels are all equal (`constant_gold`).

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float or Undefined

    Notes
    -----
    Constant is decided exactly, by equality of all values. Judged by a standard deviation, as official scorers
    do, rounding turns the same constant prediction into 0, a tiny number or nothing at all.

    References
    ----------
    scipy, `scipy.stats.pearsonr`; doi:10.18653/v1/S18-1001 for the constant prediction.

    Examples
    --------
    >>> pearson(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.6, 0.7]))
    1.0
    >>> pearson(np.array([0.0, 1.0, 2.0]), np.array([0.1, 0.1, 0.1]))
    0.0
    """
    if len(y_true) < 2:
        return Undefined("too_few_items")
    gold, predicted = _deviations(y_true), _deviations(y_pred)
    if gold is None:
        return Undefined("constant_gold")
    if predicted is None:
        return 0.0
    r = _sum_of_products(gold, predicted) / sqrt(
        _sum_of_products(gold, gold) * _sum_of_products(predicted, predicted)
    )
    return max(-1.0, min(1.0, r))


def spearman(y_true: Numbers, y_pred: Numbers) -> float | Undefined:
    """Spearman's correlation: Pearson's correlation of the ranks, equal values sharing their mean rank.

    From -1 (order reversed) over 0 (no monotone relation) to 1 (same order). A constant prediction scores 0.
    Undefined where there are fewer than two items (`too_few_items`) or the gold labels are all equal
    (`constant_gold`).

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float or Undefined

    References
    ----------
    scipy, `scipy.stats.spearmanr`; the constant prediction as for Pearson.

    Examples
    --------
    >>> spearman(np.array([0.0, 1.0, 2.0]), np.array([0.1, 0.2, 0.9]))
    1.0
    """
    return pearson(mean_ranks(y_true), mean_ranks(y_pred))


def mean_ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Ranks from 1 for the smallest; equal values share the mean of the ranks that they fill.

    Examples
    --------
    >>> mean_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(count) - (count - 1) / 2)[place]
    return ranks


def _deviations(values: Numbers) -> NDArray[np.float64] | None:
    """Deviations from the mean, brought to the size of 1; None where all values are equal.

    Taking the first value away first makes equal values exactly 0, and scaling keeps the squares of very
    large and very small numbers within the range of floats; a correlation does not depend on either.
    """
    moved = values.astype(np.float64)
    moved -= moved[0]
    size = max(float(moved.max()), -float(moved.min()))
    if not size:
        return None
    moved /= size
    moved -= moved.mean()
    return moved


def _sum_of_products(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Not `one @ other`: that wakes the threads of the linear algebra library, which on busy cores wait for long."""
    return float((one * other).sum())


def _reads(stratum: Callable[[NDArray[Any]], NDArray[np.bool_]] | None) -> Reader:
    """The two arrays, or those items of them whose gold label is in the stratum."""

    def read(comparison: Comparison) -> tuple[NDArray[Any], NDArray[Any]]:
        if stratum is None:
            return comparison.y_true, comparison.y_pred
        chosen = stratum(comparison.y_true)
        return comparison.y_true[chosen], comparison.y_pred[chosen]

    return read


_NUMBERS = frozenset({LabelKind.NUMBER, LabelKind.ORDERED})
_STRATA: tuple[tuple[str, str, Callable[[NDArray[Any]], NDArray[np.bool_]] | None], ...] = (
    ("", "", None),
    ("_gold_ge_0.5", ", gold at least 0.5", lambda gold: gold >= 0.5),
    ("_some", ", gold not 0", lambda gold: gold != 0),
)
_FUNCTIONS: tuple[tuple[str, str, MetricFunction, str], ...] = (
    ("pearson", "Pearson r", pearson, _AFFECT_IN_TWEETS),
    ("spearman", "Spearman rho", spearman, "scipy, scipy.stats.spearmanr"),
)
for _name, _title, _function, _reference in _FUNCTIONS:
    for _suffix, _part, _stratum in _STRATA:
        register(
            Metric(
                name=_name + _suffix,
                title=_title + _part,
                version=1,
                higher_is_better=True,
                low=-1.0,
                high=1.0,
                kinds=_NUMBERS,
                reference=_reference,
                function=_function,
                reads=_reads(_stratum),
                undefined=_UNDEFINED,
            )
        )
