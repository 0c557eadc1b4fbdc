"""Correlation of numbers or ordered classes with the gold ones, over all items or a stratum of the gold labels."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import ORDERED, Number, OrderedClass
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import (
    Correlation,
    DeterminedBy,
    Floats,
    Statistic,
    Weights,
    running_sums,
    some_at_once,
    sums_of_groups,
    weighted_sums,
)

Numbers = NDArray[np.float64] | NDArray[np.int16]
_Chosen = Callable[[NDArray[Any]], NDArray[np.bool_]]

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


def mean_ranks(values: NDArray[Any]) -> Floats:
    """Ranks from 1 for the smallest; equal values share the mean of the ranks that they fill.

    Examples
    --------
    >>> mean_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def _deviations(values: Numbers) -> Floats | None:
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


def _sum_of_products(one: Floats, other: Floats) -> float:
    """Not `one @ other`: that wakes the threads of the linear algebra library, which on busy cores wait for long."""
    return float((one * other).sum())


def _pearson_along(y_true: NDArray[Any], y_pred: NDArray[Any], by_item: Weights) -> Floats:
    """By weighted moments about the means of the whole split, so that little is lost by taking squares apart."""
    gold, predicted = _centred(y_true), _centred(y_pred)
    return _correlation(
        weighted_sums(
            np.stack([gold, predicted, gold * gold, predicted * predicted, gold * predicted]), by_item
        ),
        by_item.sum(axis=0, dtype=np.float64),
    )


def _spearman_along(y_true: NDArray[Any], y_pred: NDArray[Any], by_item: Weights) -> Floats:
    """By the mean ranks that equal values share in each resample."""
    if not len(y_true):
        return np.full(by_item.shape[1], np.nan)
    of_gold, of_predicted = (np.unique(values, return_inverse=True)[1] for values in (y_true, y_pred))
    return np.concatenate([_spearman_of_some(of_gold, of_predicted, some) for some in some_at_once(by_item)])


def _spearman_of_some(of_gold: NDArray[np.intp], of_predicted: NDArray[np.intp], by_item: Weights) -> Floats:
    """From twice each rank, a whole number: what is summed here are whole numbers, without any rounding.

    Squares need no sum over items: three times the squares of twice each deviation from the mean rank are the third
    power of the number of items, less the third powers of the numbers of equal ones.
    """
    total = by_item.sum(axis=0, dtype=np.float64)
    (gold, of_x), (predicted, of_y) = (_ranks(places, by_item) for places in (of_gold, of_predicted))
    drawn_ranks = by_item * gold[of_gold]
    both = 3 * (_sum_of(drawn_ranks, predicted[of_predicted]) - total**3)
    varies = (of_x > 0) & (of_y > 0)
    r = np.divide(both, np.sqrt(of_x * of_y), where=varies, out=np.where(of_x > 0, 0.0, np.nan))
    return np.asarray(np.clip(r, -1.0, 1.0))


def _ranks(places: NDArray[np.intp], by_item: Weights) -> tuple[Weights, Floats]:
    """Of each different value twice its mean rank less one, (n_values, replicates), and how much these vary."""
    drawn = sums_of_groups(places, by_item)
    ranks = np.empty_like(drawn)
    running_sums(drawn, ranks)
    total = ranks[-1].astype(np.float64)
    ranks += ranks
    ranks -= drawn
    return ranks, total**3 - _sum_of(drawn * drawn, drawn)


def _sum_of(one: Weights, other: Weights) -> Floats:
    """The sums of products that are too large for the numbers that they are made of."""
    return np.asarray(np.einsum("ij,ij->j", one, other, dtype=np.float64))


def _correlation(sums: Floats, total: Floats) -> Floats:
    """Pearson's correlation from total weight and sums of x, y, x², y², xy: 0 where only y is constant."""
    x, y, xx, yy, xy = sums
    of_x, of_y, both = total * xx - x * x, total * yy - y * y, total * xy - x * y
    # What rounding leaves of a constant is some billionth of what its squares were made of.
    gold_varies, prediction_varies = of_x > 1e-12 * total * xx, of_y > 1e-12 * total * yy
    varies = gold_varies & prediction_varies
    r = np.divide(both, np.sqrt(of_x * of_y, where=varies, out=np.ones_like(both)), where=varies,
                  out=np.where(gold_varies, 0.0, np.nan))  # fmt: skip
    return np.asarray(np.clip(r, -1.0, 1.0))


def _centred(values: NDArray[Any]) -> Floats:
    moved = values.astype(np.float64)
    moved -= moved.mean() if len(moved) else 0.0
    size = np.abs(moved).max(initial=0.0)
    return moved / size if size else moved


def _items(chosen: _Chosen) -> Statistic[NDArray[Any], NDArray[Any]]:
    def collect(comparison: Comparison) -> tuple[NDArray[Any], NDArray[Any]]:
        is_chosen = chosen(comparison.y_true)
        return comparison.y_true[is_chosen], comparison.y_pred[is_chosen]

    return Statistic(collect, DeterminedBy.CELLS)


_STRATA: tuple[tuple[str, str, _Chosen], ...] = (
    ("", "", lambda gold: np.ones(len(gold), dtype=np.bool_)),
    ("_gold_ge_0.5", ", gold at least 0.5", lambda gold: gold >= 0.5),
    ("_some", ", gold not 0", lambda gold: gold != 0),
)
METRICS = tuple(
    Metric(
        name=name + suffix,
        title=title + part,
        kinds=(Number, OrderedClass) if suffix else (Number, *ORDERED),
        statistic=_items(chosen),
        formula=formula,
        resampled=Correlation(along, name == "spearman", chosen),
        low=-1.0,
        reference=reference,
        undefined=_UNDEFINED,
        needs_one_gold=True,
    )
    for name, title, formula, along, reference in (
        ("pearson", "Pearson r", pearson, _pearson_along, _AFFECT_IN_TWEETS),
        ("spearman", "Spearman rho", spearman, _spearman_along, "scipy, scipy.stats.spearmanr"),
    )
    for suffix, part, chosen in _STRATA
)
