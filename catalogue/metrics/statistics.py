"""What metrics are computed from: how it is collected for one or many resamples, and what it tells of gold labels."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any, Generic, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison, Counts, LabelCounts

Read = TypeVarTuple("Read")
Floats = NDArray[np.float64]
# How often each item is in each resample: shape (n_items, replicates).
Weights = NDArray[np.integer[Any]]


class DeterminedBy(StrEnum):
    """What a metric follows from, given the predictions; the ledger counts how many values that can have."""

    TOTAL = "a total to which each item adds 0, 1 or one of a few parts of 1"
    RIGHT = "how often each predicted label is right, and how often each label is in the gold labels"
    CELLS = "how often each gold answer meets each prediction"
    ITEMS = "each item's answer"


@dataclass(frozen=True, slots=True)
class Statistic(Generic[*Read]):
    """What a formula is given of a comparison.

    `collect` gives it as a tuple, one entry per parameter of the formula. `parts_of_item` says for a number of declared
    labels into how many equal parts what one item adds to a total may be cut. `is_beyond_labels` says that two answers
    with the same labels may differ in it: it reads what stands beside these, such as the second likeliest label.
    """

    collect: Callable[[Comparison], tuple[*Read]]
    determined_by: DeterminedBy
    parts_of_item: Callable[[int], int] = lambda label_count: 1
    is_beyond_labels: bool = False


@dataclass(frozen=True, slots=True)
class AlongCounts(Generic[*Read]):
    """A formula of counts for arrays that end in an axis of resamples; NaN where the metric is undefined."""

    formula: Callable[[*Read], Floats]


@dataclass(frozen=True, slots=True)
class MeanOfSeen(AlongCounts[LabelCounts]):
    """`AlongCounts` of a mean over the labels seen: `of_labels` has a number of each that follows from its own counts.

    So where the counts of one label change, the numbers of all others stay.
    """

    of_labels: Callable[[LabelCounts], Floats]


@dataclass(frozen=True, slots=True)
class MeanOfItems(Generic[*Read]):
    """A formula that is a mean over items: a number for each, shape (n_items,), and what becomes of the mean."""

    of_items: Callable[[*Read], Floats]
    finish: Callable[[Floats], Floats] = np.asarray


@dataclass(frozen=True, slots=True)
class SumsOfItems(Generic[*Read]):
    """A formula of sums over items: `of_items` has a row of numbers per sum, shape (n_sums, n_items).

    `finish` makes scores of the sums, shape (n_sums, ...), along whatever axes follow; NaN where the metric is
    undefined. Counts in `of_items` should be whole numbers: their sums are exact.
    """

    of_items: Callable[[*Read], Floats]
    finish: Callable[[Floats], Floats]

    def of_all(self, *read: *Read) -> float:
        """The score of all items, each taken once; NaN where the metric is undefined."""
        sums = [fsum(row) for row in np.asarray(self.of_items(*read), dtype=np.float64).tolist()]
        return float(self.finish(np.array(sums)))


@dataclass(frozen=True, slots=True)
class SumsOfGroups(SumsOfItems[*Read]):
    """`SumsOfItems` whose rows say something of the groups of a column, each at its first item, and 0 elsewhere."""

    column: str


@dataclass(frozen=True, slots=True)
class SumsOfWeighted(SumsOfItems[*Read]):
    """`SumsOfItems` of numbers that follow from others which stand beside the gold labels, such as weights."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation of gold numbers and predictions, of their ranks if `ranks`, given the items' weights as well.

    `chosen` says of all gold labels which items are collected.
    """

    formula: Callable[[NDArray[Any], NDArray[Any], Weights], Floats]
    ranks: bool
    chosen: Callable[[NDArray[Any]], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class OfMoments:
    """A formula of the sums of x, y, x², y², xy, shape (5, replicates), and of their number; x is the gold number.

    Both sides are moved and scaled alike before, which must not matter to the formula.
    """

    formula: Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True)
class AlongItems:
    """A formula of gold numbers and predictions, given how often each item is in each resample.

    `scaled` brings predictions of different systems to one scale that leaves the metric as it is, such as ranks.
    """

    formula: Callable[[NDArray[Any], NDArray[Any], Weights], Floats]
    scaled: Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class OfMetrics:
    """The mean of other metrics of the same answers, by their names."""

    names: tuple[str, ...]


def as_found(_: "Comparison", found: Floats) -> Floats:
    return found


@dataclass(frozen=True, slots=True)
class OfGroups:
    """Another metric of the same answers, by its name, in each group of items that a column tells apart.

    `finish` makes one score of the groups' scores, which stand in the first axis; NaN where a group has none.
    `settled` is given a group's items and its scores, with NaN where the metric has none, and says what counts.
    """

    name: str
    column: str
    finish: Callable[[Floats], Floats]
    settled: Callable[["Comparison", Floats], Floats] = as_found


def as_they_are(own: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return own, other


@dataclass(frozen=True, slots=True)
class AlongWeights(Generic[*Read]):
    """A formula that has to look at items together, in an order that predictions make or label by label.

    `formula` is given what the metric reads and the items' weights; NaN where the metric is undefined. `on_one_scale`
    makes answers of two systems alike before they are exchanged, where a score follows from their order alone, or from
    which of them are the same.
    """

    formula: Callable[[*Read, Weights], Floats]
    on_one_scale: Callable[[NDArray[Any], NDArray[Any]], tuple[NDArray[Any], NDArray[Any]]] = as_they_are


def weighted_sums(columns: Floats, by_item: Weights) -> Floats:
    """Weighted sums of each column: (n_columns, replicates); `Resamples.counted` says why not a plain product."""
    from scipy.sparse import csc_array

    return np.asarray(csc_array(columns) @ by_item.astype(np.float64))


_NUMBERS_AT_ONCE = 12_000_000  # of a table of items and resamples, so that little memory is held
# Resamples: fewer cost calls, more no longer stay near the processor.
_LEAST_AT_ONCE, _MOST_AT_ONCE = 32, 1024


def some_at_once(by_item: Weights) -> Iterator[Weights]:
    """The weights of some resamples after others, in integers into which the number of pairs of items fits."""
    item_count, replicates = by_item.shape
    at_once = min(max(_LEAST_AT_ONCE, _NUMBERS_AT_ONCE // max(1, item_count)), _MOST_AT_ONCE)
    for start in range(0, replicates, at_once):
        some = by_item[:, start : start + at_once]
        most = int(some.sum(axis=0, dtype=np.int64).max(initial=0))
        is_short = most**2 <= np.iinfo(np.int32).max
        yield np.ascontiguousarray(some, dtype=np.int32 if is_short else np.int64)


def running_sums(rows: NDArray[Any], out: NDArray[Any]) -> None:
    """Write into each row of `out` the sum of the rows so far.

    Row after row, each as long as there are resamples: numpy's `cumsum` along the first axis takes five times as long.
    """
    if rows.shape[1] == 1:
        np.cumsum(rows, axis=0, out=out)
        return
    so_far: NDArray[Any] = np.zeros(out.shape[1], dtype=out.dtype)
    for row, place in zip(rows, out, strict=True):
        so_far = np.add(so_far, row, out=place)


def quotient(part: NDArray[Any], whole: NDArray[Any], at_zero: float = np.nan) -> Floats:
    """Part by whole, of the shape of both together; `at_zero` where the whole is 0, which is never below it."""
    out = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), at_zero)
    return np.asarray(np.divide(part, whole, out=out, where=np.asarray(whole > 0)))


def sums_of_groups(places: NDArray[np.intp], by_item: Weights) -> Weights:
    """How often the items of each group are drawn; the groups are counted from 0 and none is empty."""
    count = int(places.max(initial=-1)) + 1
    if count == len(places):
        return by_item[np.argsort(places)]
    if by_item.shape[1] == 1:
        return np.bincount(places, by_item[:, 0], count)[:, None].astype(by_item.dtype)
    sums = np.zeros((count, by_item.shape[1]), dtype=by_item.dtype)
    rows = list(sums)
    for place, row in zip(places.tolist(), by_item, strict=True):
        np.add(rows[place], row, out=rows[place])
    return sums


def sums_of_products(one: Weights, other: Weights) -> Weights:
    """Of each resample; they must fit into the integers that are given."""
    return np.asarray(np.einsum("ij,ij->j", one, other))


def _right_items(comparison: Comparison) -> tuple[Counts, Counts]:
    right = comparison.counts.right
    if comparison.never_right:
        right = np.delete(right, comparison.never_right, axis=0)
    return right.sum(axis=0), comparison.counts.gold.sum(axis=0)


def _declared_counts(comparison: Comparison) -> tuple[LabelCounts, Collection[int]]:
    return comparison.counts, comparison.never_right


# How many items are right, and how many there are.
RIGHT_ITEMS = Statistic(_right_items, DeterminedBy.TOTAL)
# How often each declared label is right, predicted and in the gold labels.
COUNTS = Statistic(lambda comparison: (comparison.counts,), DeterminedBy.RIGHT)
# `COUNTS`, and the codes of the labels that are never right.
DECLARED_COUNTS = Statistic(_declared_counts, DeterminedBy.RIGHT)
# `COUNTS` of one label per item, of which the formula takes sums over all labels only.
TOTAL_COUNTS = Statistic(COUNTS.collect, DeterminedBy.TOTAL)
# The confusion matrix.
MATRIX = Statistic(lambda comparison: (comparison.matrix,), DeterminedBy.CELLS)
# Both arrays.
ARRAYS = Statistic(lambda comparison: (comparison.y_true, comparison.y_pred), DeterminedBy.ITEMS)
