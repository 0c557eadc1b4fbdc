"""Replicates that have been put right for labels of few items, and for errors too few to be resampled.

A resample of a test set in which everything is right has everything right, and one without errors in a rare label has
none there either. So every replicate is also moved by what a further item would change: one of those that are right
gone wrong, and one of those that are wrong put right. How much of it is used follows from the score: of a perfect one
a whole wrong item, of a score of 0 a whole right one.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, MeanOfItems, OfGroups, SumsOfGroups
from scoring.core.uncertainty.changed_counts import OfCounts, after_each_change, without_each
from scoring.core.uncertainty.intervals import NORMAL_REACH, moments

Floats = NDArray[np.float64]

FURTHER_ITEM = 1.0
"""How much of an item is added; perf/statistics/coverage.py says what that gains."""

_FEW_OF_LABEL = 20  # gold items: below that the bootstrap alone is too sure
_ROUNDING = 1e-12
_UPPER = 0.975  # of a distribution, with `NORMAL_REACH` the normal one's quantile
# One label's counts of right answers, answers and gold items changed: an item of it lost, another's taken for it, one
# found, one not taken, one added and found.
_CHANGES = ((-1, -1, 0), (0, 1, 0), (1, 1, 0), (0, -1, 0), (1, 1, 1))
_AT_ONCE = 2_000_000  # counts, so that no more is held than a processor likes


def calibrated(
    comparison: Comparison,
    metric: AnyMetric,
    value: float,
    replicates: Floats,
    further: Floats,
    unit_count: int | None = None,
) -> Floats:
    """The replicates about the score as a further item would move it, and spread as widely as the score is unsure.

    Resamples lack labels of few items, so that their mean lies below the score and their variance is too small, while
    that of the jackknife is too large (Efron and Stein 1981, doi:10.1214/aos/1176345462). Where a label has fewer
    than 20 gold items the variance is the mean of both. Where a metric compares few items with all others, such as
    positive ones in a ranking, it is that of so few. As every replicate is moved and stretched alike, and a further
    item is the same for all systems, the replicates of two systems stay paired.

    Parameters
    ----------
    comparison : Comparison
        What the replicates are of.
    metric : Metric
    value : float
        The metric's value for the comparison.
    replicates : float array of shape (replicates,)
    further : float array of shape (2, replicates)
        As `further_items` gives it, the same for all systems.
    unit_count : int, optional
        How many clusters the items were drawn in; None where each was drawn by itself.

    Returns
    -------
    float array of shape (replicates,)

    References
    ----------
    Agresti and Coull (1998), doi:10.1080/00031305.1998.10480550, add items to a share in the same way.
    """
    (ends,) = calibrated_together([comparison], metric, [value], replicates[None], further, unit_count)
    return np.asarray(ends)


def calibrated_together(
    comparisons: Sequence[Comparison],
    metric: AnyMetric,
    values: Sequence[float],
    replicates: Floats,
    further: Floats,
    unit_count: int | None = None,
) -> Floats:
    """`calibrated` of several systems with the same gold labels; their replicates in rows: (systems, replicates)."""
    means, errors, _counts = moments(replicates)
    about = replicates - means[:, None]
    form = _form_of_rare(comparisons[0], metric)  # of the gold labels, which are the same for all
    for row, comparison, error in zip(about, comparisons, errors.tolist(), strict=True):
        wide = _jackknife_error(comparison, metric, form) if form and error > _ROUNDING else None
        if wide is not None and wide > error:
            row *= ((error**2 + wide**2) / 2) ** 0.5 / error
    if metric.rests_on is not None:
        about *= np.array([_of_few(metric.rests_on(comparison)) for comparison in comparisons])[:, None]
    about += np.asarray(values)[:, None]
    is_unknown = np.isnan(errors)
    about[is_unknown] = replicates[is_unknown]
    effects = _effects(comparisons, metric, np.asarray(values), errors)
    if unit_count is not None:
        effects *= len(comparisons[0].y_true) / unit_count
    room = np.array([[metric.low], [metric.high]]) - np.asarray(values)
    effects = np.clip(effects, FURTHER_ITEM * room[0], FURTHER_ITEM * room[1])
    # System by system alike, so that each has the same bits alone.
    return np.asarray(about + effects[0][:, None] * further[0] + effects[1][:, None] * further[1])


@lru_cache(maxsize=1 << 12)
def _of_few(count: int) -> float:
    """By how much a deviation that rests on so few items, and is estimated from them, is too small.

    A variance of resamples lacks one item in `count`, and Student's t stands in for the normal distribution.
    """
    from scipy.special import stdtrit

    count = max(count, 2)
    return sqrt(count / (count - 1)) * float(stdtrit(count - 1, _UPPER)) / NORMAL_REACH


def further_items(raw: NDArray[np.uint64]) -> Floats:
    """How much of a further item each resample holds, of those put right and of those gone wrong: (2, replicates).

    Each row has the mean and the standard deviation 1 of waiting times, in an order that follows from `raw`, whole
    numbers of shape (2, replicates).
    """
    count = raw.shape[1]
    times = -np.log1p(-(np.arange(count) + 0.5) / count)
    about = (times - times.mean()) / max(times.std(ddof=1), _ROUNDING) if count > 1 else np.zeros(1)
    return np.asarray(1 + about[np.argsort(np.argsort(raw, axis=1, kind="stable"), axis=1)])


def is_share(metric: AnyMetric, label_count: int) -> bool:
    """Whether a metric is the share of items that are right, each of them or not."""
    statistic = metric.statistic
    return statistic.determined_by is DeterminedBy.TOTAL and statistic.parts_of_item(label_count) == 1


def _effects(comparisons: Sequence[Comparison], metric: AnyMetric, values: Floats, errors: Floats) -> Floats:
    """What a further right item and a further wrong one change, each with its sign: (2, systems)."""
    kind, item_count = comparisons[0].output, _item_count(comparisons[0], metric)
    if not (isfinite(metric.low) and isfinite(metric.high)):
        return np.zeros((2, len(values)))
    counts = metric.statistic.collect(comparisons[0])[0]
    better = 1 if metric.higher_is_better else -1
    merit = (values - metric.low) / (metric.high - metric.low)
    merit = merit if metric.higher_is_better else 1 - merit
    is_of_labels = isinstance(counts, LabelCounts) and bool(kind.labels)
    if is_of_labels and isinstance(form := metric.resampled, AlongCounts):
        up, down, missed = _of_labels(comparisons, metric, form, values)
        up_share = (1 - merit + missed) / 2
    else:
        up = down = np.full(len(values), (metric.high - metric.low) / item_count)
        up_share = 1 - merit
        is_mean = (
            isinstance(metric.resampled, MeanOfItems) or metric.statistic.determined_by is DeterminedBy.TOTAL
        )
        if not is_mean:  # a correlation has its own scale, and needs this only where no resample differs
            is_same = ~(errors > _ROUNDING)
            up, down = up * is_same, down * is_same
    effects = FURTHER_ITEM * np.stack([up_share * up, -merit * down])
    # A label that no gold item has says as little as a single item would.
    is_silent = ~effects.any(axis=0) & (errors <= _ROUNDING)
    effects += (metric.high - metric.low) / 2 * is_silent * np.stack([1 - merit, -merit])
    return np.asarray(better * effects)


def _item_count(comparison: Comparison, metric: AnyMetric) -> int:
    """How many items a further one would join: all, or of groups those of the smallest, where it tells most.

    Of a share of groups, how many groups there are.
    """
    match metric.resampled:
        case OfGroups(column=column):
            return min((len(part.y_true) for part in comparison.parts(column)), default=0)
        case SumsOfGroups(column=column):
            return len(np.unique(comparison.groups[column].codes))
        case _:
            return len(comparison.y_true)


def _of_labels(
    comparisons: Sequence[Comparison], metric: AnyMetric, form: OfCounts, values: Floats
) -> tuple[Floats, Floats, Floats]:
    """What an item put right and an item gone wrong change, and how much is missing of labels that are missed.

    Each of shape (systems,). The item that goes wrong is any of those that are right, with any other label in its
    place; the one that is put right is that of the label which gains most. Of a label that answers name and no gold
    item has, nothing is known but that it was taken wrongly: there an item of it is added, and found. All follows from
    the counts of labels.
    """
    size = len(comparisons[0].counts.gold)
    at_once = max(1, _AT_ONCE // (len(_CHANGES) * size * size))
    parts = [
        _of_some(comparisons[start : start + at_once], metric, form, values[start : start + at_once])
        for start in range(0, len(comparisons), at_once)
    ]
    up, down, missed = (np.concatenate(part) for part in zip(*parts, strict=True))
    return up, down, missed


def _of_some(
    comparisons: Sequence[Comparison], metric: AnyMetric, form: OfCounts, values: Floats
) -> tuple[Floats, Floats, Floats]:
    right, predicted, gold = (
        np.stack([comparison.counts[place] for comparison in comparisons], axis=1) for place in range(3)
    )
    better = 1 if metric.higher_is_better else -1
    _, *codes = metric.statistic.collect(comparisons[0])
    counts = LabelCounts(right, predicted, gold)
    changed = after_each_change(form, counts, codes, _CHANGES)
    effects = np.nan_to_num(better * (changed - values[:, None, None]))
    # From here on labels stand in the last axis: sums along it have the same bits for one system and for many.
    lost, taken, found, not_taken, added = (effects[:, kind] for kind in range(len(_CHANGES)))
    right, predicted, gold = (np.ascontiguousarray(counts.T) for counts in (right, predicted, gold))
    wrong, extra = np.maximum(gold - right, 0), np.maximum(predicted - right, 0)
    elsewhere = (_sums(taken) - taken) / max(1, len(counts.gold) - 1)
    down = -_means(lost + elsewhere, right)
    relieved, others = _sums(extra * not_taken) - extra * not_taken, _sums(extra) - extra
    gain = found + np.divide(relieved, others, out=np.zeros_like(relieved), where=others > 0)
    is_unseen = (gold == 0) & (predicted > 0) & _can_be_gold(comparisons[0])
    gain = np.where(is_unseen, added, np.where(wrong > 0, gain, 0.0))
    most = gain.argmax(axis=1)[:, None]
    up = np.take_along_axis(gain, most, axis=1)[:, 0]
    totals = predicted + gold
    f1 = np.divide(2 * right, totals, out=np.zeros(totals.shape), where=totals > 0)
    missed = np.take_along_axis(np.where((wrong > 0) | is_unseen, 1 - f1, 0.0), most, axis=1)[:, 0]
    return np.maximum(up, 0), np.maximum(down, 0), missed


def _can_be_gold(comparison: Comparison) -> NDArray[np.bool_]:
    """Of each label whether gold items may have it."""
    kind = comparison.output
    return np.array([name not in kind.never_right for name in kind.labels])


def _sums(of_labels: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(of_labels.sum(axis=1, keepdims=True))


def _means(of_labels: Floats, weights: NDArray[np.intp]) -> Floats:
    """The weighted mean over the labels; 0 without any weight."""
    return np.asarray((of_labels * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1))


def _form_of_rare(comparison: Comparison, metric: AnyMetric) -> OfCounts | None:
    """What makes a metric of counts of labels, one of which few gold items have; None for any other metric."""
    counts, *_codes = metric.statistic.collect(comparison)
    kind = comparison.output
    is_of_labels = isinstance(counts, LabelCounts) and bool(kind.labels) and not kind.is_subset
    if not is_of_labels or not isinstance(metric.resampled, AlongCounts):
        return None
    gold_counts = comparison.counts.gold
    is_rare = ((gold_counts > 0) & (gold_counts < _FEW_OF_LABEL)).any()
    return metric.resampled if is_rare else None


def _jackknife_error(comparison: Comparison, metric: AnyMetric, form: OfCounts) -> float | None:
    """The jackknife's standard error of a metric of label counts; None where there is nothing to leave out.

    Leaving out any item of one cell of the confusion matrix does the same, so that there are no more to leave out than
    cells that are not 0.
    """
    _counts, *codes = metric.statistic.collect(comparison)
    matrix = comparison.matrix
    gold, predicted = np.nonzero(matrix)
    weights = matrix[gold, predicted]
    left = without_each(form, comparison.counts, codes, gold, predicted)
    known = ~np.isnan(left)
    left, weights = left[known], weights[known]
    item_count = int(weights.sum())
    if item_count < 2:
        return None
    mean = float((weights * left).sum()) / item_count
    squares = float((weights * (left - mean) ** 2).sum())
    return sqrt((item_count - 1) / item_count * squares)
