"""Replicates of several systems that answered the same items: what `replicates` gives for each, worked out at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import AlongCounts, DeterminedBy
from scoring.core.uncertainty.replicates import (
    Floats,
    ResampledCounts,
    Resamples,
    codes_of,
    replicate_scores,
)

_MOST_LABELS = 10
"""Of more labels so much is counted per system that counting for several at once gains nothing."""


class CountedTogether(ResampledCounts):
    """What metrics of label counts read, for all systems: every array ends in axes of systems and of replicates.

    The comparisons have the same gold labels.
    """

    def __init__(self, comparisons: Sequence[Comparison], resamples: Resamples) -> None:
        super().__init__(comparisons[0])
        self._comparisons = comparisons
        self._resamples = resamples

    @cached_property
    def counts(self) -> LabelCounts:
        """Counts of labels, each of shape (label_count, systems, replicates); of gold labels there is one system.

        As in `WeightedComparison`, of right and wrong answers only the fewer are counted, system by system.
        """
        gold, _, size = codes_of(self._comparisons[0])
        predicted = np.stack([codes_of(one)[1] for one in self._comparisons], axis=1)
        of_gold = self._resamples.of_gold(
            self._comparisons[0].y_true,
            lambda: self._resamples.counted(gold, np.arange(len(gold)), size),
        )
        is_right = predicted == gold[:, None]
        is_mostly_right = 2 * np.count_nonzero(is_right, axis=0) >= len(gold)
        items, systems = np.nonzero(is_right ^ is_mostly_right)
        right = self._counted(items, systems, gold[items], size)
        right[is_mostly_right] = of_gold - right[is_mostly_right]
        if size == 2:  # what is not the one label is the other
            taken_wrongly = (of_gold - right)[:, ::-1]
        else:
            items, systems = np.nonzero(~is_right)
            taken_wrongly = self._counted(items, systems, predicted[items, systems], size)
        by_label = (one.transpose(1, 0, 2) for one in (right, right + taken_wrongly, of_gold[None]))
        return LabelCounts(*by_label)

    def _counted(
        self, items: NDArray[np.intp], systems: NDArray[np.intp], labels: NDArray[np.intp], size: int
    ) -> NDArray[Any]:
        """How many of these items each system and label has in the resamples: (systems, label_count, replicates)."""
        count = len(self._comparisons)
        return self._resamples.counted(systems * size + labels, items, count * size).reshape(count, size, -1)


def replicate_scores_together(
    comparisons: Sequence[Comparison], metrics: Sequence[str], resamples: Resamples
) -> dict[str, Floats]:
    """Every metric's score of every system in every resample.

    Parameters
    ----------
    comparisons : sequence of Comparison
        At least one, all with the same gold labels.
    metrics : sequence of str
        Names for `metric_for`.
    resamples : Resamples

    Returns
    -------
    dict of metric name to float64 array of shape (systems, replicates)
        NaN where the metric is undefined in a resample. The same bits as `replicate_scores` gives.
    """
    output = comparisons[0].output
    together = CountedTogether(comparisons, resamples)
    found = {}
    for name in metrics:
        metric = metric_for(output, name)
        if isinstance(metric.resampled, AlongCounts) and _is_of_few_labels(metric, output):
            found[name] = metric.resampled.formula(*metric.statistic.collect(together))
    rest = [name for name in metrics if name not in found]
    if rest:
        each = [replicate_scores(one, rest, resamples) for one in comparisons]
        found |= {name: np.stack([one[name] for one in each]) for name in rest}
    return found


def _is_of_few_labels(metric: AnyMetric, output: AnswerKind) -> bool:
    is_of_counts = metric.statistic.determined_by in (DeterminedBy.TOTAL, DeterminedBy.RIGHT)
    return is_of_counts and not output.is_subset and 0 < len(output.labels) <= _MOST_LABELS
