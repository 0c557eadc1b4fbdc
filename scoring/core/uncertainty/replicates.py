"""Scores of one system, or of several together, in every resample of a split's items.

Where a metric follows from counts of labels or from the confusion matrix, these are counted for all resamples at
once, and the metric's formula is applied along them. Where it follows from sums over items or is a correlation,
weighted sums do, and where items are looked at together the metric has a form of its own along weights. Any other
metric is asked about each resample, item by item. Tests hold the fast ways to the slow one, which is the definition.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison, ConfusionMatrix, LabelCounts
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric, Undefined
from catalogue.metrics.statistics import (
    AlongCounts,
    AlongItems,
    AlongWeights,
    Correlation,
    DeterminedBy,
    MeanOfItems,
    OfGroups,
    OfMetrics,
    OfMoments,
    SumsOfItems,
    weighted_sums,
)
from scoring.core.uncertainty.smoothing import further_items
from scoring.core.uncertainty.weights import Weights

_OF_SEED = 50  # resamples: far more than a seed has bits
Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
_MOST_LABELS = 10
"""Of more labels so much is counted per system that counting for several at once gains nothing."""


class Resamples:
    """The weights of a split's items, in the forms that counting needs. Keep one per split and gold version.

    Parameters
    ----------
    weights : uint8 array of shape (replicates, n_items)
        As `item_weights` gives them.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.totals: NDArray[np.int64] = weights.sum(axis=1, dtype=np.int64)
        self._of_gold: tuple[NDArray[Any], NDArray[Any]] | None = None

    @cached_property
    def by_item(self) -> NDArray[Any]:
        """Shape (n_items, replicates), in the narrowest integers that sums over all items fit into."""
        is_short = int(self.totals.max()) <= np.iinfo(np.int16).max
        return np.ascontiguousarray(self.weights.T, dtype=np.int16 if is_short else np.int32)

    @cached_property
    def further(self) -> Floats:
        """How much of a further item each resample holds, the same for all systems: shape (2, replicates)."""
        # As secret as the weights are, and the same on every machine.
        stream = np.random.PCG64(int.from_bytes(sha256(self.weights[:_OF_SEED].tobytes()).digest()))
        return further_items(stream.random_raw(2 * len(self.weights)).reshape(2, -1))

    def counted(self, rows: NDArray[np.intp], items: NDArray[np.intp], row_count: int) -> NDArray[Any]:
        """Per row and resample, how many of the row's items it holds: shape (row_count, replicates).

        `rows` and `items` are pairs in the order of the items: the item belongs to the row. Taken item by item, a
        row's sums stay near the processor; that is faster than a product of matrices, and wakes no threads. The counts
        have 32 bits: formulas over them take as long as memory does.
        """
        from scipy.sparse import csc_array

        item_count = self.weights.shape[1]
        ends = np.concatenate([[0], np.cumsum(np.bincount(items, minlength=item_count))])
        members = csc_array(
            (np.ones(len(rows), self.by_item.dtype), rows, ends), shape=(row_count, item_count)
        )
        return np.asarray(members @ self.by_item, dtype=np.int32)

    def of_items(self, items: NDArray[np.intp]) -> "tuple[Resamples, NDArray[np.bool_]]":
        """The weights of some items, and which resamples hold none of them: there each of them counts once."""
        weights = self.weights[:, items]
        is_without = np.logical_not(weights.any(axis=1))
        weights[is_without] = 1
        return Resamples(weights), is_without

    def of_gold(self, y_true: NDArray[Any], size: int, counted: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """What is counted of these gold labels of so many; the same ones are not counted again."""
        held = self._of_gold
        if held is None or len(held[1]) != size or not np.array_equal(held[0], y_true):
            held = self._of_gold = y_true, counted()
        return held[1]


class ResampledCounts(Comparison):
    """A comparison whose counts end in an axis of resamples. Its arrays are those of the items as they are."""

    def __init__(self, comparison: Comparison, counts: LabelCounts | None = None) -> None:
        self.comparison = comparison
        self.output, self.y_true, self.y_pred = comparison.output, comparison.y_true, comparison.y_pred
        if counts is not None:
            self.counts = counts

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """Confusion matrices, of shape (label_count, label_count, replicates)."""
        raise TypeError("Only label counts are resampled here.")


class WeightedComparison(ResampledCounts):
    """A comparison counted in every resample of its items."""

    def __init__(self, comparison: Comparison, resamples: Resamples) -> None:
        super().__init__(comparison)
        self.resamples = resamples

    @cached_property
    def matrix(self) -> NDArray[np.int64]:
        """Confusion matrices, of shape (label_count, label_count, replicates)."""
        gold, predicted, size = codes_of(self.comparison)
        items = np.arange(len(gold))
        cells = self.resamples.counted(gold * size + predicted, items, size * size)
        return cells.reshape(size, size, -1)

    @cached_property
    def counts(self) -> LabelCounts:
        """Counts of labels, each of shape (label_count, replicates)."""
        y_true, y_pred = self.y_true, self.y_pred
        if not self.output.is_subset:
            return self._of_codes(*codes_of(self.comparison))
        right, predicted = self._of_masks(y_true & y_pred), self._of_masks(y_pred)
        size = len(self.output.labels)
        of_gold = self.resamples.of_gold(y_true, size, lambda: self._of_masks(y_true))
        return LabelCounts(right, predicted, of_gold)

    def _of_codes(self, gold: Codes, predicted: Codes, size: int) -> LabelCounts:
        """Right and wrong answers make up the gold labels, so that only the fewer of the two are counted."""
        counted, items = self.resamples.counted, np.arange(len(gold))
        of_gold = self.resamples.of_gold(self.comparison.y_true, size, lambda: counted(gold, items, size))
        is_right = gold == predicted
        is_mostly_right = 2 * np.count_nonzero(is_right) >= len(items)
        (fewer,) = np.nonzero(~is_right if is_mostly_right else is_right)
        hits = counted(gold[fewer], fewer, size)
        right = of_gold - hits if is_mostly_right else hits
        if size == 2:  # what is not the one label is the other
            return LabelCounts(right, right + (of_gold - right)[::-1], of_gold)
        if is_mostly_right:
            return LabelCounts(right, right + counted(predicted[fewer], fewer, size), of_gold)
        return LabelCounts(right, counted(predicted, items, size), of_gold)

    def _of_masks(self, masks: NDArray[np.uint64]) -> NDArray[Any]:
        label_count = len(self.output.labels)
        bits = (masks[None, :] >> np.arange(label_count, dtype=np.uint64)[:, None]) & np.uint64(1)
        items, rows = np.nonzero(bits.T)
        return self.resamples.counted(rows, items, label_count)


def counted_together(comparisons: Sequence[Comparison], resamples: Resamples) -> LabelCounts:
    """Counts of labels of several systems with the same gold labels, each answer one label.

    Each of shape (label_count, systems, replicates); of gold labels there is one system. Right and wrong answers make
    up the gold labels, so that only the fewer of the two are counted, system by system.
    """
    gold, _, size = codes_of(comparisons[0])
    predicted = np.stack([codes_of(comparison)[1] for comparison in comparisons], axis=1)

    def counted(is_chosen: NDArray[np.bool_], labels: NDArray[np.intp]) -> NDArray[Any]:
        """How many of the chosen answers each system and label has: (systems, label_count, replicates)."""
        at, count = np.flatnonzero(is_chosen), len(comparisons)
        items, systems = np.divmod(at, count)
        rows = systems * size + labels.ravel()[at]
        return resamples.counted(rows, items, count * size).reshape(count, size, -1)

    of_gold = resamples.of_gold(
        comparisons[0].y_true, size, lambda: resamples.counted(gold, np.arange(len(gold)), size)
    )
    is_right = predicted == gold[:, None]
    is_mostly_right = 2 * np.count_nonzero(is_right, axis=0) >= len(gold)
    right = counted(is_right ^ is_mostly_right, np.broadcast_to(gold[:, None], predicted.shape))
    for of_system in (right[system] for system in np.flatnonzero(is_mostly_right)):
        np.subtract(of_gold, of_system, out=of_system)
    # Of two labels, what is not the one is the other.
    taken_wrongly = (of_gold - right)[:, ::-1] if size == 2 else counted(~is_right, predicted)
    return LabelCounts(
        *(counts.transpose(1, 0, 2) for counts in (right, right + taken_wrongly, of_gold[None]))
    )


def replicate_scores(  # noqa: C901  # one flat case for each form of metric, each of its own type
    comparison: Comparison, metrics: Sequence[str], weights: Weights | Resamples
) -> dict[str, Floats]:
    """Every metric's score in every resample.

    Parameters
    ----------
    comparison : Comparison
        Gold labels and predictions of one split.
    metrics : sequence of str
        Names for `metric_for`.
    weights : uint8 array of shape (replicates, n_items), or Resamples of it
        Whoever scores several systems makes one `Resamples` and gives it every time.

    Returns
    -------
    dict of metric name to float64 array of shape (replicates,)
        NaN where the metric is undefined in a resample.
    """
    resamples = weights if isinstance(weights, Resamples) else Resamples(weights)
    weighted = WeightedComparison(comparison, resamples)
    scores = {}
    for name in metrics:
        metric = metric_for(comparison.output, name)
        match metric.resampled:
            case AlongCounts(formula):
                scores[name] = formula(*metric.statistic.collect(weighted))
            case MeanOfItems(of_items, finish):
                items = of_items(*metric.statistic.collect(comparison))
                means = weighted_sums(items[None], resamples.by_item)[0] / resamples.totals
                scores[name] = finish(means)
            case SumsOfItems(of_items, finish):
                items = np.asarray(of_items(*metric.statistic.collect(comparison)), dtype=np.float64)
                scores[name] = finish(weighted_sums(items, resamples.by_item))
            case AlongWeights(formula):
                scores[name] = formula(*metric.statistic.collect(comparison), resamples.by_item)
            case AlongItems(formula):
                gold, predicted = metric.statistic.collect(comparison)
                scores[name] = formula(gold, predicted, resamples.by_item)
            case Correlation(formula, chosen=chosen):
                gold, predicted = metric.statistic.collect(comparison)
                weights_of_chosen = resamples.by_item[chosen(comparison.y_true)]
                scores[name] = formula(gold, predicted, weights_of_chosen)
            case OfMoments(formula):
                moments = moments_of(*metric.statistic.collect(comparison))
                scores[name] = formula(
                    weighted_sums(moments, resamples.by_item), resamples.totals.astype(np.float64)
                )
            case OfMetrics(names):
                scores[name] = np.mean(list(replicate_scores(comparison, names, resamples).values()), axis=0)
            case OfGroups() as of_groups:
                (scores[name],) = _of_groups([comparison], of_groups, resamples)
            case None:
                scores[name] = one_by_one(metric, comparison, resamples.weights)
    return scores


def moments_of(gold: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    """Each item's x, y, x², y², xy, both sides moved and scaled alike so that squares lose little: (5, n_items)."""
    x, y = gold.astype(np.float64), predicted.astype(np.float64)
    middle = x.mean()
    size = max(np.abs(x - middle).max(), np.abs(y - middle).max()) or 1.0
    x, y = (x - middle) / size, (y - middle) / size
    return np.stack([x, y, x * x, y * y, x * y])


def one_by_one(metric: AnyMetric, comparison: Comparison, weights: Weights) -> Floats:
    """The definition: the metric of each resample, with an item as often as it was drawn."""
    values = np.full(len(weights), np.nan)
    for at, drawn in enumerate(weights):
        y_true, y_pred = np.repeat(comparison.y_true, drawn), np.repeat(comparison.y_pred, drawn)
        answer = metric.value(Comparison(comparison.output, y_true, y_pred))
        values[at] = np.nan if isinstance(answer, Undefined) else answer
    return values


def codes_of(comparison: Comparison) -> tuple[Codes, Codes, int]:
    """Gold labels and predictions counted from 0, and how many there can be."""
    kind = comparison.output
    gold = kind.gold.positions(comparison.y_true).astype(np.intp)
    return gold, kind.positions(comparison.y_pred).astype(np.intp), len(kind.classes)


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
    is_of_few_labels = not output.is_subset and 0 < len(output.labels) <= _MOST_LABELS
    of_counts = {
        name: (metric.resampled.formula, metric.statistic)
        for name, metric in ((name, metric_for(output, name)) for name in metrics)
        if is_of_few_labels
        and isinstance(metric.resampled, AlongCounts)
        and metric.statistic.determined_by in (DeterminedBy.TOTAL, DeterminedBy.RIGHT)
    }
    scores = {}
    if of_counts:
        together = ResampledCounts(comparisons[0], counted_together(comparisons, resamples))
        scores = {name: formula(*read.collect(together)) for name, (formula, read) in of_counts.items()}
    for name in metrics:
        if isinstance(of_groups := metric_for(output, name).resampled, OfGroups):
            scores[name] = _of_groups(comparisons, of_groups, resamples)
    rest = [name for name in metrics if name not in scores]
    if rest:
        each = [replicate_scores(comparison, rest, resamples) for comparison in comparisons]
        scores |= {name: np.stack([of_system[name] for of_system in each]) for name in rest}
    return scores


def _of_groups(comparisons: Sequence[Comparison], of_groups: OfGroups, resamples: Resamples) -> Floats:
    """One score of a metric's values in the groups of a column: shape (systems, replicates).

    A resample that lacks a group, or in which the metric has no value there, is one of the other groups.
    """
    column, each = of_groups.column, []
    for place, items in enumerate(comparisons[0].members(column)):
        drawn, is_without = resamples.of_items(items)
        parts = [comparison.parts(column)[place] for comparison in comparisons]
        found = replicate_scores_together(parts, [of_groups.name], drawn)[of_groups.name]
        found = np.stack([of_groups.settled(*of_one) for of_one in zip(parts, found, strict=True)])
        each.append(np.where(is_without, np.nan, found))
    nothing = np.full((len(comparisons), len(resamples.weights)), np.nan)
    return of_groups.finish(np.stack(each)) if each else nothing
