"""Intervals of scores from their replicates, and replicates that have been put right for labels of few items.

An interval says where the score would lie, 95 times in 100, were as many other items drawn in the same way. It is
symmetric on a scale without ends (logit for a range from 0 to 1, Fisher's z for one from -1 to 1), so that it never
leaves the metric's range, and it takes the standard deviation of the replicates. Their percentiles are not used:
a label of few items is absent from many resamples, which pulls an F1 over 77 labels down in all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, isfinite, isnan, sqrt, tanh
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import AlongCounts

Floats: TypeAlias = NDArray[np.float64]

METHOD = "bootstrap-sd"
"""The name of what `interval` does, for provenance."""

FEW_ITEMS = 50
"""With fewer items, or clusters of items, than this the bootstrap is too sure; boards and pages say so."""

SHOWN_DECIMALS = 3
"""Of both ends; see `scoring.core.ledger`."""

_QUANTILE = 1.959963984540054  # of the normal distribution, for 95 %
_FEW_OF_LABEL = 20  # gold items: below that the bootstrap alone is too sure
_MOST_UNDEFINED = 0.5
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends, within the range of the metric; `low <= high`."""

    low: float
    high: float


def interval(value: float, replicates: Floats, low: float = 0.0, high: float = 1.0) -> Interval | None:
    """The 95 % interval of a score.

    Parameters
    ----------
    value : float
        The score, within the range.
    replicates : float array of shape (replicates,)
        NaN where undefined; as `calibrated` gives them, or sums and means of such.
    low, high : float
        The range of the metric; either may be infinite.

    Returns
    -------
    Interval or None
        None where more than half of the replicates are undefined, or where they do not differ: all items right
        says nothing about how many of others would be.

    References
    ----------
    Efron and Tibshirani (1993), doi:10.1201/9780429246593, chapters 13 and 14: the standard interval on a scale
    that makes it symmetric.

    Examples
    --------
    >>> interval(0.5, np.array([0.4, 0.6, 0.45, 0.55]))
    Interval(low=0.328, high=0.672)
    """
    return intervals([value], replicates[None], low, high)[0]


def intervals(
    values: Sequence[float], replicates: Floats, low: float = 0.0, high: float = 1.0
) -> list[Interval | None]:
    """`interval` of the scores of several systems, with their replicates in rows: shape (systems, replicates)."""
    _, errors, counts = _moments(replicates)
    least = (1 - _MOST_UNDEFINED) * replicates.shape[1]
    return [
        _interval(value, error, low, high) if defined >= least else None
        for value, error, defined in zip(values, errors.tolist(), counts, strict=True)
    ]


def _interval(value: float, error: float, low: float, high: float) -> Interval | None:
    """The ends with as many decimals as boards print: more say nothing, but add to what can be known of gold labels.

    A zero carries no sign, because some databases forget it and a release must be made again byte by byte.
    """
    if isnan(error) or error <= _ROUNDING * max(1.0, abs(value)):
        return None
    reach = _QUANTILE * error
    if not (isfinite(low) and isfinite(high)) or not low < value < high:
        ends = max(low, value - reach), min(high, value + reach)
    else:
        # Taken to the logit of the range, or to Fisher's z, and back. The reach is stretched as the scale is there.
        half = (high - low) / 2
        centred = (
            value - low - half
        ) / half  # from -1 to 1; the logit of a share is twice Fisher's z of this
        middle, wide = atanh(centred), reach / half / (1 - centred**2)
        ends = low + half + half * tanh(middle - wide), low + half + half * tanh(middle + wide)
    first, last = (round(end, SHOWN_DECIMALS) for end in ends)
    return Interval(min(first, value) + 0.0, max(last, value) + 0.0)


def calibrated(comparison: Comparison, metric: AnyMetric, value: float, replicates: Floats) -> Floats:
    """The replicates about the score itself, and spread as widely as the score is unsure.

    Resamples lack labels of few items, so that their mean lies below the score and their variance is too small, while
    that of the jackknife is too large (Efron and Stein 1981, doi:10.1214/aos/1176345462). Where a label has fewer
    than 20 gold items the variance is the mean of both; simulations in perf/coverage.py show what that gains. As every
    replicate is moved and stretched alike, the replicates of two systems stay paired.

    Parameters
    ----------
    comparison : Comparison
        What the replicates are of.
    metric : Metric
    value : float
        The metric's value for the comparison.
    replicates : float array of shape (replicates,)

    Returns
    -------
    float array of shape (replicates,)
    """
    (ends,) = calibrated_together([comparison], metric, [value], replicates[None])
    return np.asarray(ends)


def calibrated_together(
    comparisons: Sequence[Comparison], metric: AnyMetric, values: Sequence[float], replicates: Floats
) -> Floats:
    """`calibrated` of several systems, with their replicates in rows: shape (systems, replicates)."""
    means, errors, _ = _moments(replicates)
    about = replicates - means[:, None]
    for row, comparison, error in zip(about, comparisons, errors.tolist(), strict=True):
        wide = _jackknife_error(comparison, metric) if error > _ROUNDING else None
        if wide is not None and wide > error:
            row *= ((error**2 + wide**2) / 2) ** 0.5 / error
    about += np.asarray(values)[:, None]
    is_unknown = np.isnan(errors)
    about[is_unknown] = replicates[is_unknown]
    return about


def _moments(rows: Floats) -> tuple[Floats, Floats, list[int]]:
    """Mean, deviation and number of each system's defined replicates; both NaN where fewer than two are defined."""
    counts = [rows.shape[1]] * len(rows)
    if rows.shape[1] < 2:
        return np.full(len(rows), np.nan), np.full(len(rows), np.nan), counts
    means, errors = rows.mean(axis=1), rows.std(axis=1, ddof=1)
    for at in np.flatnonzero(np.isnan(means)):
        defined = rows[at][~np.isnan(rows[at])]
        counts[at] = len(defined)
        if len(defined) > 1:
            means[at], errors[at] = defined.mean(), defined.std(ddof=1)
    return means, errors, counts


def _jackknife_error(comparison: Comparison, metric: AnyMetric) -> float | None:
    """The jackknife's standard error of a metric of label counts where a label is rare; None elsewhere.

    Leaving out any item of one cell of the confusion matrix does the same, so that there are no more to leave out than
    cells that are not 0.
    """
    counts, *codes = metric.statistic.collect(comparison)
    kind = comparison.output
    is_of_labels = isinstance(counts, LabelCounts) and bool(kind.labels) and not kind.is_subset
    if not is_of_labels or not isinstance(metric.resampled, AlongCounts):
        return None
    gold_counts = comparison.counts.gold
    if gold_counts[gold_counts > 0].min() >= _FEW_OF_LABEL:
        return None
    matrix = comparison.matrix
    gold, predicted = np.nonzero(matrix)
    weights = matrix[gold, predicted]
    left = np.asarray(metric.resampled.formula(_left_out(comparison.counts, gold, predicted), *codes))
    known = ~np.isnan(left)
    left, weights = left[known], weights[known]
    item_count = int(weights.sum())
    if item_count < 2:
        return None
    mean = float((weights * left).sum()) / item_count
    squares = float((weights * (left - mean) ** 2).sum())
    return sqrt((item_count - 1) / item_count * squares)


def _left_out(counts: LabelCounts, gold: NDArray[np.intp], predicted: NDArray[np.intp]) -> LabelCounts:
    """The counts without one item of each cell: arrays of shape (label_count, cell_count)."""
    cells = np.arange(len(gold))
    of_right, of_predicted, of_gold = (np.repeat(counted[:, None], len(cells), axis=1) for counted in counts)
    of_gold[gold, cells] -= 1
    of_predicted[predicted, cells] -= 1
    is_right = gold == predicted
    of_right[gold[is_right], cells[is_right]] -= 1
    return LabelCounts(of_right, of_predicted, of_gold)
