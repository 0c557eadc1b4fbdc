"""Areas under curves in any number of resamples: of what is to be found, by levels of score.

Items are sorted once. What is below each level of score is then a sum over items, so that a resample costs a pass over
them and no further sorting: a sparse matrix adds up the weights between levels, and sums along levels do the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.probabilities.reading import Codes, Flags
from catalogue.metrics.statistics import Floats, Weights

_AT_ONCE = 500_000  # numbers: fewer cost calls, more no longer stay near the processor
Scored = tuple[NDArray[np.intp], Floats]


class ScoreLevels:
    """What is to be found and what is not, by the different scores of what is to be found."""

    def __init__(self, found: Scored, others: Scored, item_count: int) -> None:
        items, scores = found
        self._levels, at = np.unique(scores, return_inverse=True)
        self._item_count, self.size = item_count, max(1, len(self._levels))
        self._found, self._others = (at, items), others

    def prepared_for_area(self) -> Callable[[Weights], Floats]:
        """What gives for weights, (n_items, resamples), the area under the ROC curve."""
        items, scores = self._others
        low, high = (np.searchsorted(self._levels, scores, side) for side in ("left", "right"))
        found_at = self._added(*self._found)
        # What is equal to a level counts half there and whole from the next one on; all is counted twice.
        twice_at = self._added(np.concatenate([low, high]), np.tile(items, 2))
        all_others = self._added(np.zeros(len(items), dtype=np.intp), items, size=1)

        def area(by_item: Weights) -> Floats:
            found, below = found_at(by_item), np.cumsum(twice_at(by_item), axis=0, dtype=np.float64)
            pairs = found.sum(axis=0, dtype=np.float64) * all_others(by_item)[0]
            below *= found
            return _ratio(below.sum(axis=0), 2 * pairs)

        return area

    def prepared_for_precision(self) -> Callable[[Weights], Floats]:
        """What gives for weights, (n_items, resamples), the average precision."""
        items, scores = self._others
        at, items_found = self._found
        # From the highest level down.
        found_at = self._added(self.size - 1 - at, items_found)
        others_at = self._added(self.size - np.searchsorted(self._levels, scores, "right"), items)

        def precision(by_item: Weights) -> Floats:
            found = found_at(by_item)
            above = np.cumsum(found, axis=0, dtype=np.float64)
            taken = np.cumsum(others_at(by_item), axis=0, dtype=np.float64)
            taken += above
            np.divide(above, taken, out=above, where=taken > 0)
            above *= found
            return _ratio(above.sum(axis=0), found.sum(axis=0, dtype=np.float64))

        return precision

    def _added(
        self, levels: NDArray[np.intp], items: NDArray[np.intp], size: int | None = None
    ) -> Callable[[Weights], NDArray[np.int32]]:
        """What adds up at each level the weights of the items that stand there, once for each time.

        A level beyond the last is none.
        """
        from scipy.sparse import csr_array

        size = size or self.size
        is_in = levels < size
        at, shape = (levels[is_in], items[is_in]), (size, self._item_count)
        matrix: Any = None

        def added(by_item: Weights) -> NDArray[np.int32]:
            nonlocal matrix
            if by_item.shape[1] == 1:  # not worth a matrix
                return np.bincount(at[0], by_item[at[1], 0], size)[:, None].astype(np.int32)
            if matrix is None:
                matrix = csr_array((np.ones(len(at[0]), dtype=np.int32), at), shape=shape)
            return np.asarray(matrix @ by_item)

        return added


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0))


def mean_along(
    curves: Sequence[ScoreLevels],
    prepare: Callable[[ScoreLevels], Callable[[Weights], Floats]],
    by_item: Weights,
) -> Floats:
    """The mean of what is defined of these curves in each resample; NaN where nothing is."""
    prepared = [prepare(curve) for curve in curves]
    at_once = max(1, _AT_ONCE // max(len(by_item), *(curve.size for curve in curves)))
    values = np.full(by_item.shape[1], np.nan)
    for start in range(0, by_item.shape[1], at_once):
        some = np.ascontiguousarray(by_item[:, start : start + at_once], dtype=np.int32)
        of_each = np.stack([value(some) for value in prepared])
        known = ~np.isnan(of_each)
        total = np.where(known, of_each, 0).sum(axis=0)
        values[start : start + at_once] = _ratio(total, known.sum(axis=0, dtype=np.float64))
    return values


def one_curve(is_found: Flags, scores: Floats) -> ScoreLevels:
    """What is to be found against all else."""
    found, others = np.flatnonzero(is_found), np.flatnonzero(~is_found)
    return ScoreLevels((found, scores[found]), (others, scores[others]), len(scores))


def each_label(y_true: Codes, table: Floats) -> list[ScoreLevels]:
    """Of each label, the items that have it against all others."""
    return [one_curve(y_true == code, table[:, code]) for code in range(table.shape[1])]


def each_pair(y_true: Codes, table: Floats) -> Iterator[ScoreLevels]:
    """Of every two labels that gold items have, the one against the other."""
    items = {code: np.flatnonzero(y_true == code) for code in np.unique(y_true).tolist()}
    for code, other in permutations(items, 2):
        scores = table[:, code]
        yield ScoreLevels(
            (items[code], scores[items[code]]), (items[other], scores[items[other]]), len(y_true)
        )


def all_at_once(y_true: Codes, table: Floats) -> ScoreLevels:
    """Of every label of every item: the gold labels against all others."""
    items = np.broadcast_to(np.arange(len(table))[:, None], table.shape)
    is_found = np.arange(table.shape[1]) == y_true[:, None]
    return ScoreLevels((items[is_found], table[is_found]), (items[~is_found], table[~is_found]), len(y_true))
