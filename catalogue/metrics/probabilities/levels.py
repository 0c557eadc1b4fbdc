"""Areas under curves in any number of resamples: of what is to be found, by levels of score.

Items are sorted once. What is below each level of score is then a sum over items, so that a resample costs a pass over
them and no further sorting.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.probabilities.reading import Codes, Flags
from catalogue.metrics.statistics import (
    Floats,
    Weights,
    quotient,
    running_sums,
    some_at_once,
    sums_of_groups,
    sums_of_products,
)

Items = NDArray[np.intp]
_SHORT = np.iinfo(np.int16).max


class Order:
    """Where the scores of some items stand among the levels of others, which are to be found."""

    def __init__(self, found: Floats, others: Mapping[int, Floats]) -> None:
        levels, self._level = np.unique(found, return_inverse=True)
        # Between two levels stands an even number, at a level an odd one.
        self._places = {
            code: np.searchsorted(levels, scores, "left") + np.searchsorted(levels, scores, "right")
            for code, scores in others.items()
        }
        self._size = 2 * len(levels) + 1

    def twice_won(self, found: Weights, others: Mapping[int, Weights]) -> dict[int, Weights]:
        """Of each lot of others twice the pairs in which the found item stands above, once those that are equal."""
        at_level = sums_of_groups(self._level, found)
        below = np.zeros((self._size, found.shape[1]), dtype=found.dtype)
        # Twice what is lower than a place, and once what stands there.
        running_sums(at_level, below[2::2])
        below[1::2] = below[2::2]
        below[2::2] *= 2
        below[1::2] += below[1::2] - at_level
        all_twice = below[-1]
        return {
            code: all_twice * drawn.sum(axis=0, dtype=drawn.dtype)
            - sums_of_products(below.take(self._places[code], axis=0), drawn)
            for code, drawn in others.items()
        }


class Areas:
    """Areas under the ROC curves of labels, given the gold labels and for each label the scores of all items."""

    def __init__(self, y_true: Codes, scores: Mapping[int, Floats]) -> None:
        self._lots = {code: np.flatnonzero(y_true == code) for code in np.unique(y_true).tolist()}
        self._orders = {
            code: Order(of_code[self._lots[code]], self._others(code, of_code))
            for code, of_code in scores.items()
            if code in self._lots
        }

    def _others(self, code: int, scores: Floats) -> dict[int, Floats]:
        return {other: scores[items] for other, items in self._lots.items() if other != code}

    def of_each_pair(self, by_item: Weights) -> list[Floats]:
        """Of every two labels that gold items have the area of the one against the other."""
        return [quotient(won, pairs) for lots in self._won(by_item) for won, pairs in lots]

    def of_each_label(self, by_item: Weights) -> list[Floats]:
        """Of every label that gold items have the area of it against all others."""
        return [
            quotient(sum((won for won, _ in lots), zero), sum((pairs for _, pairs in lots), zero))
            for zero in [np.zeros(by_item.shape[1], dtype=by_item.dtype)]
            for lots in self._won(by_item)
        ]

    def _won(self, by_item: Weights) -> Iterable[list[tuple[Weights, Weights]]]:
        """For each label and each other one twice the pairs that are won, and twice all."""
        drawn = {code: by_item[items] for code, items in self._lots.items()}
        count = {code: rows.sum(axis=0, dtype=rows.dtype) for code, rows in drawn.items()}
        for code, order in self._orders.items():
            others = {other: rows for other, rows in drawn.items() if other != code}
            won = order.twice_won(drawn[code], others)
            yield [(won[other], 2 * count[code] * count[other]) for other in others]


class Precision:
    """Average precision of what is to be found, an item with a score each time that it stands there."""

    def __init__(self, is_found: Flags, scores: Floats, items: Items, item_count: int) -> None:
        # From the highest level down; what is lower than all levels takes nothing away.
        levels, at = np.unique(-scores[is_found], return_inverse=True)
        self._found, self._size = (at, items[is_found]), len(levels)
        places = np.searchsorted(levels, -scores[~is_found], "left")
        is_above = places < len(levels)
        self._others = places[is_above], items[~is_found][is_above]
        self._most_of_level = int(np.bincount(self._others[0], minlength=1).max())
        self._item_count = item_count
        self._matrix: Any = None

    def along(self, by_item: Weights) -> Floats:
        if not self._size:
            return np.full(by_item.shape[1], np.nan)
        level, items = self._found
        found = sums_of_groups(level, by_item[items])
        running, taken = np.empty_like(found), self._others_above(by_item)
        running_sums(found, running)
        taken += running
        above = running.astype(np.float64)
        np.divide(above, taken, out=above, where=taken > 0)
        above *= found
        return quotient(above.sum(axis=0), running[-1])

    def _others_above(self, by_item: Weights) -> Weights:
        """How many others stand at each level or above it."""
        from scipy.sparse import csr_array

        level, items = self._others
        out = np.empty((self._size, by_item.shape[1]), dtype=by_item.dtype)
        if by_item.shape[1] == 1:  # not worth a matrix
            out[:, 0] = np.cumsum(np.bincount(level, by_item[items, 0], self._size))
            return out
        is_short = self._most_of_level * int(by_item.max(initial=0)) <= _SHORT
        dtype = np.int16 if is_short else by_item.dtype
        if self._matrix is None:
            shape = (self._size, self._item_count)
            self._matrix = csr_array((np.ones(len(level), dtype=np.int16), (level, items)), shape=shape)
        running_sums(self._matrix.astype(dtype) @ by_item.astype(dtype), out)
        return out


def mean_along(each: Callable[[Weights], list[Floats]], by_item: Weights) -> Floats:
    """The mean of what is defined of these values in each resample; NaN where nothing is."""
    return np.concatenate([_mean_of_known(each(some), some.shape[1]) for some in some_at_once(by_item)])


def _mean_of_known(values: list[Floats], replicates: int) -> Floats:
    of_each = np.stack([np.full(replicates, np.nan), *values])
    known = ~np.isnan(of_each)
    return quotient(np.where(known, of_each, 0).sum(axis=0), known.sum(axis=0, dtype=np.float64))


def precision_of(is_found: Flags, scores: Floats) -> Precision:
    """Of one list of items."""
    return Precision(is_found, scores, np.arange(len(scores)), len(scores))


def precision_of_all(y_true: Codes, table: Floats) -> Precision:
    """Of every label of every item: the gold labels are to be found."""
    return precision_of_each(np.arange(table.shape[1]) == y_true[:, None], table)


def precision_of_each(is_found: Flags, table: Floats) -> Precision:
    """Of every label of every item, both (n_items, n_labels)."""
    items = np.broadcast_to(np.arange(len(table))[:, None], table.shape)
    return Precision(is_found.ravel(), table.ravel(), items.ravel(), len(table))
