"""Kendall's tau-b: of pairs of items, how many stand in the same order in predictions and gold labels."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import ORDERED, PREFERENCES, Number
from catalogue.comparison import Comparison, ConfusionMatrix
from catalogue.metrics.correlation import mean_ranks
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import (
    ARRAYS,
    MATRIX,
    AlongCounts,
    AlongItems,
    DeterminedBy,
    Floats,
    Statistic,
    Weights,
    some_at_once,
    sums_of_groups,
    sums_of_products,
)

_REFERENCE = "scipy, scipy.stats.kendalltau (variant b)"
_UNDEFINED = {
    "too_few_items": "Fewer than two items are compared, so that there is no pair.",
    "constant_gold": "All gold labels compared are equal, so that no pair has an order.",
    "constant_prediction": "All predictions are equal, so that they order no pair.",
}


def kendall_tau_b(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float | Undefined:
    """Pairs in the same order less those in the opposite one, over the pairs that could have one; ties count for none.

    From -1 (order reversed) over 0 (no relation) to 1 (same order, same ties). Undefined where there are fewer than
    two items (`too_few_items`), the gold labels are all equal (`constant_gold`) or the predictions are
    (`constant_prediction`).

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float or Undefined

    References
    ----------
    Kendall (1945), doi:10.2307/2332303; scipy, `scipy.stats.kendalltau(variant="b")`.

    Examples
    --------
    >>> kendall_tau_b(np.array([0.0, 1.0, 2.0]), np.array([0.1, 0.9, 0.2]))
    0.3333333333333333
    """
    if (fault := _fault(len(y_true), np.ptp(y_true), np.ptp(y_pred))) is not None:
        return fault
    gold, predicted = (np.unique(values, return_inverse=True)[1] for values in (y_true, y_pred))
    both = gold * (int(predicted.max()) + 1) + predicted
    of_gold, of_predicted, of_both = (_pairs_apart(values) for values in (gold, predicted, both))
    # Pairs that differ on both sides; those in the opposite order are twice too many among them.
    comparable = of_gold + of_predicted - of_both
    ordered = comparable - 2 * _inversions(predicted[np.lexsort((predicted, gold))])
    return max(-1.0, min(1.0, ordered / sqrt(of_gold * of_predicted)))


def kendall_of_classes(matrix: ConfusionMatrix) -> float | Undefined:
    """Kendall's tau-b of ordered classes, from how often each gold class meets each prediction.

    From -1 (order reversed) over 0 (no relation) to 1 (same order, same ties). Undefined where there are fewer than
    two items (`too_few_items`), the gold classes are all equal (`constant_gold`) or the predictions are
    (`constant_prediction`).

    Parameters
    ----------
    matrix : integer array of shape (class_count, class_count)
        Rows gold classes, columns predictions, from the lowest class to the highest.

    Returns
    -------
    float or Undefined

    References
    ----------
    Kendall (1945), doi:10.2307/2332303; scipy, `scipy.stats.kendalltau(variant="b")`.

    Examples
    --------
    >>> kendall_of_classes(np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]))
    0.3333333333333333
    """
    gold, predicted = matrix.sum(axis=1), matrix.sum(axis=0)
    more_classes = np.count_nonzero(gold) - 1, np.count_nonzero(predicted) - 1
    if (fault := _fault(int(gold.sum()), *map(float, more_classes))) is not None:
        return fault
    pairs = [int(gold.sum()) ** 2 - int((side * side).sum()) for side in (gold, predicted)]
    ordered = 2 * int((matrix * _ahead(matrix)).sum())
    return max(-1.0, min(1.0, ordered / sqrt(pairs[0] * pairs[1])))


def _pairs_apart(values: NDArray[np.intp]) -> int:
    """How many pairs of items differ."""
    counts = np.unique(values, return_counts=True)[1]
    return (len(values) ** 2 - int((counts * counts).sum())) // 2


def _inversions(values: NDArray[np.intp]) -> int:
    """How many pairs stand in falling order; blocks of twice the size are merged from sorted halves, all at once.

    >>> _inversions(np.array([2, 0, 1, 1]))
    3
    """
    places, most = np.arange(len(values)), int(values.max()) + 1
    count, size = 0, 1
    while size < len(values):
        starts = places // (2 * size) * most  # a block's values come after those of the blocks before
        is_left = places // size % 2 == 0
        left, right = (starts + values)[is_left], (starts + values)[~is_left]
        ends = np.searchsorted(left, starts[~is_left] + most)
        count += int((ends - np.searchsorted(left, right, side="right")).sum())
        values, size = np.sort(starts + values) - starts, 2 * size
    return count


def _fault(item_count: int, gold_spread: float, predicted_spread: float) -> Undefined | None:
    if item_count < 2:
        return Undefined("too_few_items")
    if not gold_spread:
        return Undefined("constant_gold")
    return None if predicted_spread else Undefined("constant_prediction")


def _ahead(matrix: NDArray[Any]) -> NDArray[Any]:
    """Of each cell, the items in lower gold classes that are predicted lower, less those predicted higher."""
    below = np.cumsum(matrix, axis=0) - matrix
    lower = np.cumsum(below, axis=1)
    return np.asarray(2 * lower - below - lower[:, -1:])


def _along_classes(matrix: ConfusionMatrix) -> Floats:
    cells = matrix.astype(np.float64)
    gold, predicted = cells.sum(axis=1), cells.sum(axis=0)
    total = gold.sum(axis=0)
    return _tau(
        (cells * _ahead(cells)).sum(axis=(0, 1)),
        (total**2 - (gold**2).sum(axis=0)) / 2,
        (total**2 - (predicted**2).sum(axis=0)) / 2,
    )


def _along_items(y_true: NDArray[Any], y_pred: NDArray[Any], by_item: Weights) -> Floats:
    gold, predicted = (np.unique(values, return_inverse=True)[1] for values in (y_true, y_pred))
    merges = list(_merges(gold, predicted))
    return np.concatenate([_of_some(gold, predicted, merges, some) for some in some_at_once(by_item)])


class _Merge(NamedTuple):
    """Blocks of items in the order of the gold labels, whose lower halves are compared with their higher ones.

    `lower` are items by block and prediction, `NO_ITEM` before each block. Of each of the `higher` items, `below` and
    `not_above` are places in `lower`: up to there stand those of its block with lower predictions, and with equal ones.
    """

    lower: list[int]
    higher: NDArray[np.intp]
    below: NDArray[np.intp]
    not_above: NDArray[np.intp]


_NO_ITEM = -1


def _merges(gold: NDArray[np.intp], predicted: NDArray[np.intp]) -> Iterator[_Merge]:
    """So many that every two items with different gold labels meet in one; blocks are twice as large in each."""
    most, size = int(predicted.max(initial=0)) + 1, 1
    while size <= int(gold.max(initial=0)):
        block = gold // (2 * size)
        keys = block * most + predicted
        is_lower = gold // size % 2 == 0
        lower, higher = np.flatnonzero(is_lower), np.flatnonzero(~is_lower)
        lower, higher = (items[np.argsort(keys[items], kind="stable")] for items in (lower, higher))
        starts = np.searchsorted(block[lower], np.arange(int(block.max()) + 1))
        places = (
            np.searchsorted(keys[lower], keys[higher], side) + block[higher] for side in ("left", "right")
        )
        yield _Merge(np.insert(lower, starts, _NO_ITEM).tolist(), higher, *places)
        size *= 2


def _of_some(
    gold: NDArray[np.intp], predicted: NDArray[np.intp], merges: Sequence[_Merge], by_item: Weights
) -> Floats:
    """Of items in different halves of a block each pair in the same order counts twice, and each tie once.

    Less once every pair, that is what stands in the same order less what stands in the opposite one.
    """
    of_gold, of_predicted = (_pairs_apart_along(places, by_item) for places in (gold, predicted))
    has_ties = int(predicted.max(initial=0)) + 1 < len(predicted)
    rooms = [np.empty((2 * len(gold), by_item.shape[1]), dtype=by_item.dtype) for _ in range(3)]
    ordered = -of_gold
    for merge in merges:
        sums = _sums_in_blocks(merge.lower, by_item, rooms[0])
        drawn = _rows(by_item, merge.higher, rooms[1])
        below = sums_of_products(drawn, _rows(sums, merge.below, rooms[2]))
        ordered += below
        ordered += sums_of_products(drawn, _rows(sums, merge.not_above, rooms[2])) if has_ties else below
    return _tau(ordered, of_gold, of_predicted)


def _sums_in_blocks(items: Sequence[int], by_item: Weights, room: Weights) -> Weights:
    """How often the items up to each one of its block are drawn. Row after row, as in `running_sums`."""
    rows, so_far = list(by_item), room[0]
    for item, place in zip(items, room, strict=False):
        if item == _NO_ITEM:
            place.fill(0)
            so_far = place
        else:
            so_far = np.add(so_far, rows[item], place)
    return room[: len(items)]


def _rows(table: Weights, places: NDArray[np.intp], room: Weights) -> Weights:
    """The table's rows at these places, in a room that is used again: fresh memory takes longer than the copy."""
    return table.take(places, axis=0, out=room[: len(places)], mode="clip")


def _pairs_apart_along(places: NDArray[np.intp], by_item: Weights) -> Floats:
    """How many pairs of drawn items are no tie."""
    total = by_item.sum(axis=0, dtype=np.float64)
    drawn = sums_of_groups(places, by_item)
    return np.asarray((total**2 - sums_of_products(drawn, drawn)) / 2)


def _tau(ordered: Floats, of_gold: Floats, of_predicted: Floats) -> Floats:
    """NaN where either side is constant."""
    room = np.sqrt(of_gold) * np.sqrt(of_predicted)
    return np.where(room > 0, np.clip(ordered / np.where(room > 0, room, 1.0), -1.0, 1.0), np.nan)


def _from_first_to_second(comparison: Comparison) -> tuple[ConfusionMatrix]:
    """Of preferences: a tie lies between the two candidates."""
    order = [0, 2, 1] if len(comparison.matrix) > 2 else [0, 1]
    return (comparison.matrix[np.ix_(order, order)],)


METRICS = (
    Metric(
        name="kendall_tau_b",
        title="Kendall tau-b",
        needs_one_gold=True,
        kinds=(Number,),
        statistic=Statistic(ARRAYS.collect, DeterminedBy.CELLS),
        formula=kendall_tau_b,
        resampled=AlongItems(_along_items, mean_ranks),
        low=-1.0,
        reference=_REFERENCE,
        undefined=_UNDEFINED,
    ),
    Metric(
        name="kendall_tau_b",
        title="Kendall tau-b",
        needs_one_gold=True,
        kinds=ORDERED,
        statistic=MATRIX,
        formula=kendall_of_classes,
        resampled=AlongCounts(_along_classes),
        low=-1.0,
        reference=_REFERENCE,
        undefined=_UNDEFINED,
    ),
    Metric(
        name="kendall_tau_b",
        title="Kendall tau-b",
        needs_one_gold=True,
        kinds=PREFERENCES,
        statistic=Statistic(_from_first_to_second, DeterminedBy.CELLS),
        formula=kendall_of_classes,
        resampled=AlongCounts(_along_classes),
        low=-1.0,
        reference=_REFERENCE,
        undefined=_UNDEFINED,
    ),
)
