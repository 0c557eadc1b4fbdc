"""Intervals of one system by itself: ten thousand resamples of the cells of its confusion matrix where it has one.

How often the items of each cell are drawn is multinomial, so that as much is drawn whatever the number of items. These
replicates are not paired with another system's; `replicates` are.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from catalogue.comparison import Comparison, ConfusionMatrix, LabelCounts
from catalogue.metrics.choice import metric_for
from catalogue.metrics.statistics import AlongCounts
from scoring.core.uncertainty.intervals import Interval, interval, share_interval
from scoring.core.uncertainty.replicates import Floats, ResampledCounts, codes_of, replicate_scores
from scoring.core.uncertainty.smoothing import calibrated, further_items, is_share
from scoring.core.uncertainty.weights import item_weights

REPLICATES = 10_000
_MANY_CELLS = 120  # from here on it is faster to draw wrong answers one by one
_AT_ONCE = 500  # resamples, so that single draws stay near the processor


class CellResamples(ResampledCounts):
    """What metrics of counts read of a comparison, in resamples of its cells."""

    def __init__(self, comparison: Comparison, random: Generator, replicates: int) -> None:
        super().__init__(comparison)
        self._random = random
        self._replicates = replicates

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """Confusion matrices, of shape (label_count, label_count, replicates)."""
        matrix = self.comparison.matrix
        filled = np.nonzero(matrix)
        drawn = np.zeros((*matrix.shape, self._replicates), dtype=np.int64)
        drawn[filled] = self._multinomial(matrix[filled]).T
        return drawn

    @cached_property
    def counts(self) -> LabelCounts:
        """Counts of labels, each of shape (label_count, replicates)."""
        matrix = self.comparison.matrix
        if np.count_nonzero(matrix) < _MANY_CELLS:
            drawn = self.matrix
            return LabelCounts(np.einsum("kkb->kb", drawn), drawn.sum(axis=0), drawn.sum(axis=1))
        right = np.diagonal(matrix)
        *of_right, wrong = self._multinomial(np.append(right, matrix.sum() - right.sum())).T
        parts = [np.concatenate(part) for part in zip(*self._wrong_by_label(wrong), strict=True)]
        missed, taken = (part.T for part in parts)
        return LabelCounts(np.array(of_right), np.array(of_right) + taken, np.array(of_right) + missed)

    def _multinomial(self, counts: NDArray[Any]) -> NDArray[np.int64]:
        return self._random.multinomial(int(counts.sum()), counts / counts.sum(), size=self._replicates)

    def _wrong_by_label(self, wrong: NDArray[np.int64]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """For some resamples at a time, how many wrong answers have each gold label, and each predicted one."""
        gold, predicted, size = codes_of(self.comparison)
        (items,) = np.nonzero(gold != predicted)
        gold, predicted = gold[items].astype(np.int32), predicted[items].astype(np.int32)
        for start in range(0, len(wrong), _AT_ONCE):
            some = wrong[start : start + _AT_ONCE]
            drawn = self._random.integers(max(len(items), 1), size=int(some.sum()), dtype=np.int32)
            first = np.repeat(np.arange(len(some), dtype=np.int32) * size, some)
            missed, taken = (
                np.bincount(first + labels[drawn], minlength=len(some) * size).reshape(len(some), size)
                for labels in (gold, predicted)
            )
            yield missed, taken


def cell_scores(
    comparison: Comparison, metrics: Sequence[str], seed: bytes, replicates: int = REPLICATES
) -> dict[str, Floats]:
    """Every metric that follows from the confusion matrix, in every resample of its cells.

    Parameters
    ----------
    comparison : Comparison
        Of labels or ordered classes.
    metrics : sequence of str
        Names for `metric_for`; those that do not follow from the matrix are left out.
    seed : bytes
        With the same version of numpy, the same seed gives the same numbers.
    replicates : int
        At least 1.

    Returns
    -------
    dict of metric name to float64 array of shape (replicates,)
        NaN where the metric is undefined in a resample.
    """
    random = np.random.default_rng(int.from_bytes(sha256(seed).digest()))
    resamples = CellResamples(comparison, random, replicates)
    by_metric = {}
    for name in metrics:
        metric = metric_for(comparison.output, name)
        if isinstance(metric.resampled, AlongCounts):
            by_metric[name] = metric.resampled.formula(*metric.statistic.collect(resamples))
    return by_metric


def intervals_of(
    comparison: Comparison,
    values: Mapping[str, float],
    seed: bytes,
    clusters: NDArray[np.integer] | None = None,
) -> dict[str, Interval]:
    """The 95 % interval of each score that has one.

    Parameters
    ----------
    comparison : Comparison
        What was scored.
    values : mapping of metric name to float
        The scores.
    seed : bytes
        Of the resamples: 10,000 where a metric follows from a confusion matrix, 1,000 elsewhere.
    clusters : integer array of shape (n_items,), optional
        Items with the same number are drawn together.

    Returns
    -------
    dict of metric name to Interval
    """
    replicates = {}
    if clusters is None and comparison.output.classes:
        replicates = cell_scores(comparison, list(values), seed)
    others = [name for name in values if name not in replicates]
    if others:
        weights = item_weights(seed, len(comparison.y_true), clusters=clusters)
        replicates |= replicate_scores(comparison, others, weights)
    by_metric = {}
    item_count = len(comparison.y_true)
    units = None if clusters is None else len(np.unique(clusters))
    for name, value in values.items():
        metric = metric_for(comparison.output, name)
        if units is None and is_share(metric, len(comparison.output.labels)):
            by_metric[name] = share_interval(round(value * item_count), item_count)
            continue
        further = _further(seed, len(replicates[name]))
        spread = calibrated(comparison, metric, value, replicates[name], further, units)
        if (ends := interval(value, spread, metric.low, metric.high)) is not None:
            by_metric[name] = ends
    return by_metric


def _further(seed: bytes, replicates: int) -> Floats:
    stream = np.random.PCG64(int.from_bytes(sha256(b"further" + seed).digest()))
    return further_items(stream.random_raw(2 * replicates).reshape(2, -1))
