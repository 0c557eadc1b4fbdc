"""The metrics' formulas along an axis of resamples: each answers for all of them what its metric answers for one.

Arrays of counts end in an axis of resamples; where a metric is undefined there stands NaN. Every function here is
tested against the metric that it is listed under, resample by resample.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.core.comparison import LabelCounts
from scoring.core.metrics import (
    correlation,
    label_subsets,
    one_label,
    ordered,
    per_label,
    spans,
    stance,
)
from scoring.core.registry import MetricFunction

Floats: TypeAlias = NDArray[np.float64]
Vectorised: TypeAlias = Callable[..., Floats]


def _share(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """`part / whole` of counts, and 0 where there is no whole and so no part."""
    return np.asarray(part / np.maximum(whole, 1))


def _share_or_nan(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """`part / whole` of counts, and NaN where there is no whole."""
    return np.where(whole > 0, _share(part, whole), np.nan)


def _f1(counts: LabelCounts) -> Floats:
    return _share(2 * counts.right, counts.predicted + counts.gold)


def _seen_count(counts: LabelCounts) -> NDArray[np.intp]:
    return np.asarray(np.count_nonzero(counts.predicted + counts.gold, axis=0))


def _f1_macro(counts: LabelCounts) -> Floats:
    return _share(_f1(counts).sum(axis=0), _seen_count(counts))


def _f1_macro_declared(counts: LabelCounts, never_right: Collection[int] = ()) -> Floats:
    return np.asarray(np.delete(_f1(counts), list(never_right), axis=0).mean(axis=0))


def _f1_micro(counts: LabelCounts) -> Floats:
    total = counts.predicted.sum(axis=0) + counts.gold.sum(axis=0)
    return _share_or_nan(2 * counts.right.sum(axis=0), total)


def _f1_weighted(counts: LabelCounts) -> Floats:
    return np.asarray((_f1(counts) * counts.gold).sum(axis=0) / counts.gold.sum(axis=0))


def _precision_macro(counts: LabelCounts) -> Floats:
    return _share(_share(counts.right, counts.predicted).sum(axis=0), _seen_count(counts))


def _recall_macro(counts: LabelCounts) -> Floats:
    return _share(_share(counts.right, counts.gold).sum(axis=0), _seen_count(counts))


def _f1_macro_of(counts: LabelCounts, codes: Sequence[int]) -> Floats:
    return np.asarray(_f1(counts)[list(codes)].mean(axis=0))


def _of_label(
    part: Callable[[LabelCounts], NDArray[Any]], whole: Callable[[LabelCounts], NDArray[Any]]
) -> Vectorised:
    def value(counts: LabelCounts, code: int) -> Floats:
        seen = counts.predicted[code] + counts.gold[code] > 0
        return np.where(seen, _share(part(counts)[code], whole(counts)[code]), np.nan)

    return value


BY_COUNTS: Mapping[MetricFunction, Vectorised] = {
    one_label.f1_macro: _f1_macro,
    one_label.f1_macro_declared: _f1_macro_declared,
    one_label.f1_micro: _f1_micro,
    one_label.f1_weighted: _f1_weighted,
    one_label.precision_macro: _precision_macro,
    one_label.recall_macro: _recall_macro,
    per_label.f1_macro_of: _f1_macro_of,
    per_label.f1_of_label: _of_label(lambda counts: 2 * counts.right, lambda c: c.predicted + c.gold),
    per_label.precision_of_label: _of_label(lambda counts: counts.right, lambda counts: counts.predicted),
    per_label.recall_of_label: _of_label(lambda counts: counts.right, lambda counts: counts.gold),
}
"""Metrics of the counts of labels, which are the first of what such a metric reads."""


def _fnc1(matrix: NDArray[Any], unrelated: int) -> Floats:
    right = np.trace(matrix)
    right_related = right - matrix[unrelated, unrelated]
    gold_or_predicted = (
        matrix[unrelated].sum(axis=0) + matrix[:, unrelated].sum(axis=0) - matrix[unrelated, unrelated]
    )
    return np.asarray(
        0.25 * right + 0.5 * right_related + 0.25 * (matrix.sum(axis=(0, 1)) - gold_or_predicted)
    )


def _fnc1_relative(matrix: NDArray[Any], unrelated: int) -> Floats:
    gold = matrix.sum(axis=1)
    perfect = gold.sum(axis=0) - 0.75 * gold[unrelated]
    return np.asarray(100 * _fnc1(matrix, unrelated) / perfect)


def _kappa_quadratic(matrix: NDArray[Any], seen: NDArray[np.bool_]) -> Floats:
    """Steps are counted between the classes seen in a resample, which may lack some of the split's."""
    compared = matrix * (seen[:, None] & seen[None, :])
    step = np.cumsum(seen, axis=0)
    weights = (step[:, None] - step[None, :]) ** 2
    observed = (weights * compared).sum(axis=(0, 1)) * compared.sum(axis=(0, 1))
    chance = compared.sum(axis=1)[:, None] * compared.sum(axis=0)[None, :]
    kappa = 1 - _share_or_nan(observed, (weights * chance).sum(axis=(0, 1)))
    # Nothing left to compare: 0 for a constant prediction, undefined otherwise, as of one matrix.
    is_constant = np.count_nonzero(matrix.any(axis=0), axis=0) == 1
    return np.where(compared.any(axis=(0, 1)) | ~is_constant, kappa, 0.0)


ALONG_RESAMPLES: Mapping[MetricFunction, Vectorised] = {
    **BY_COUNTS,
    stance.fnc1: _fnc1,
    stance.fnc1_relative: _fnc1_relative,
    ordered.kappa_quadratic: _kappa_quadratic,
}
"""Metrics of the counts of labels or of the confusion matrix."""

BY_ITEMS: Mapping[MetricFunction, tuple[Callable[..., Floats], Callable[[Floats], Floats]]] = {
    label_subsets.jaccard: (label_subsets.shares_of_items, np.asarray),
    spans.exact_match: (spans.matches_of_items, np.asarray),
    spans.token_f1: (spans.f1_of_items, np.asarray),
    stance.rmse: (stance.squared_errors, np.sqrt),
}
"""Metrics of a mean over items: a number per item, and what becomes of the mean."""


def _pearson(y_true: NDArray[Any], y_pred: NDArray[Any], by_item: NDArray[np.integer]) -> Floats:
    """By weighted moments about the means of the whole split, so that little is lost by taking squares apart."""
    gold, predicted = _centred(y_true), _centred(y_pred)
    columns = np.stack([gold, predicted, gold * gold, predicted * predicted, gold * predicted])
    return _correlation(weighted_sums(columns, by_item), by_item.sum(axis=0, dtype=np.float64))


def _spearman(y_true: NDArray[Any], y_pred: NDArray[Any], by_item: NDArray[np.integer]) -> Floats:
    """By the mean ranks that equal values share in each resample."""
    total = by_item.sum(axis=0, dtype=np.float64)
    gold, predicted = (_ranks(values, by_item) - (total + 1) / 2 for values in (y_true, y_pred))
    products = [gold, predicted, gold * gold, predicted * predicted, gold * predicted]
    sums = np.stack([(product * by_item).sum(axis=0) for product in products])
    return _correlation(sums, total)


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


def weighted_sums(columns: Floats, by_item: NDArray[np.integer]) -> Floats:
    """Weighted sums of each column: (n_columns, replicates); `Resamples.counted` says why not a plain product."""
    from scipy.sparse import csc_array

    return np.asarray(csc_array(columns) @ by_item.astype(np.float64))


def _ranks(values: NDArray[Any], by_item: NDArray[np.integer]) -> Floats:
    """Mean rank of each item in each resample, (n_items, replicates); of items not drawn it means nothing."""
    found, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(found)))
    drawn = np.add.reduceat(by_item[order], starts, axis=0, dtype=np.float64)
    ranks: Floats = (np.cumsum(drawn, axis=0) - (drawn - 1) / 2)[place]
    return ranks


CORRELATIONS: Mapping[MetricFunction, Vectorised] = {
    correlation.pearson: _pearson,
    correlation.spearman: _spearman,
}
"""Metrics of the two arrays, given the items' weights of shape (n_items, replicates) as well."""
