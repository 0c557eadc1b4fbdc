"""How many items each gold cluster shares with each predicted one, in every resample; and one name for both systems."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.statistics import Floats, Weights, some_at_once, sums_of_groups

Ids = NDArray[Any]


class ClusterTable:
    """The cells of a contingency table that any item is in, and its margins; each of shape (n, replicates).

    Parameters
    ----------
    gold_of_cell, predicted_of_cell : integer array of shape (n_cells,)
        The gold cluster and the predicted cluster of each cell, counted from 0.
    cells : array of shape (n_cells, replicates)
        How many items are in each.
    """

    def __init__(
        self, gold_of_cell: NDArray[np.intp], predicted_of_cell: NDArray[np.intp], cells: Weights
    ) -> None:
        self._gold_of_cell, self._predicted_of_cell, self._counts = gold_of_cell, predicted_of_cell, cells
        self.cells = cells.astype(np.float64)
        self.items: Floats = self.cells.sum(axis=0)

    @cached_property
    def gold(self) -> Floats:
        """How many items each gold cluster has."""
        return sums_of_groups(self._gold_of_cell, self._counts).astype(np.float64)

    @cached_property
    def predicted(self) -> Floats:
        """How many items each predicted cluster has."""
        return sums_of_groups(self._predicted_of_cell, self._counts).astype(np.float64)

    @property
    def gold_of_each_cell(self) -> Floats:
        """How many items the gold cluster of each cell has."""
        return np.asarray(self.gold[self._gold_of_cell])

    @property
    def predicted_of_each_cell(self) -> Floats:
        """How many items the predicted cluster of each cell has."""
        return np.asarray(self.predicted[self._predicted_of_cell])

    def largest_shared(self) -> Floats:
        """How many items of each predicted cluster are in the gold cluster that has most of them."""
        order = np.argsort(self._predicted_of_cell, kind="stable")
        starts = np.flatnonzero(np.diff(self._predicted_of_cell[order], prepend=-1))
        return np.asarray(np.maximum.reduceat(self.cells[order], starts, axis=0))


def along_tables(
    formula: Callable[[ClusterTable], Floats],
) -> Callable[[Ids, Ids, Weights], Floats]:
    """The formula for ids of clusters and the weights of their items: an array of shape (replicates,)."""

    def along(y_true: Ids, y_pred: Ids, by_item: Weights) -> Floats:
        gold, predicted = (np.unique(ids, return_inverse=True)[1] for ids in (y_true, y_pred))
        (gold_of_cell, predicted_of_cell), cell_of_item = np.unique(
            np.stack([gold, predicted]), axis=1, return_inverse=True
        )
        cell_of_item = cell_of_item.reshape(-1)
        return np.concatenate(
            [
                formula(ClusterTable(gold_of_cell, predicted_of_cell, sums_of_groups(cell_of_item, some)))
                for some in some_at_once(by_item)
            ]
        )

    return along


def named_alike(own: Ids, other: Ids) -> tuple[Ids, Ids]:
    """Two systems' ids of the same items with one name for clusters that are most alike.

    Clusters that share most items are paired first, of equally many those that share the earliest item; a cluster that
    finds none has a name of its own. So what both systems put together stays together where their answers are
    exchanged, whatever each called it.

    >>> one, other = named_alike(np.array(["a", "a", "b"]), np.array(["2", "2", "1"]))
    >>> bool((one == other).all())
    True
    """
    first, second = (np.unique(ids, return_inverse=True)[1] for ids in (own, other))
    cells, earliest, sizes = np.unique(
        np.stack([first, second]), axis=1, return_index=True, return_counts=True
    )
    free = int(first.max()) + 1
    names = np.arange(free, free + int(second.max()) + 1)  # none that the first system has
    taken = np.zeros(free, dtype=np.bool_)
    for one, another in cells[:, np.lexsort((earliest, -sizes))].T.tolist():
        if not taken[one] and names[another] >= free:
            taken[one], names[another] = True, one
    return _as_ids(first), _as_ids(names[second])


def _as_ids(numbers: NDArray[np.intp]) -> Ids:
    return numbers.astype(np.dtypes.StringDType())
