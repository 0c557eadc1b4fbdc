"""The most that one gold label can change a score, whatever the predictions and the other labels are.

Each function takes the number of items, the number of declared labels, and the least share of the items that any label
has, or 0 where nothing is stated about it; it returns a number above 0, or None where there is no useful bound.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

LabelEffect = Callable[[int, int, float], float | None]


def safe_share(having: NDArray[np.integer[Any]], drawn: NDArray[np.integer[Any]]) -> float:
    """The largest share that may be stated of the rarest label, 0 or more, from how many items have it.

    Halves are drawn at random: four standard deviations are left, so that among the displayed items it holds as well.

    Parameters
    ----------
    having, drawn : integer array of shape (n_draws,)
        For each item, or each cluster of items that are drawn together, how many of its items have the label, and how
        many there are.

    Examples
    --------
    >>> items = np.ones(5_000, dtype=np.int64)
    >>> round(safe_share(items[:2_000], items), 3)
    0.345
    """
    at_least = int(having.sum()) - 4 * sqrt((having.astype(np.int64) ** 2).sum())
    return max(0.0, at_least / (int(drawn.sum()) + 4 * sqrt((drawn.astype(np.int64) ** 2).sum())))


def unbounded(item_count: int, label_count: int, rarest_share: float) -> float | None:
    """No useful bound: correlations, and metrics of answers whose items are not bounded."""
    return None


def one_item(item_count: int, label_count: int, rarest_share: float) -> float | None:
    """A mean of items that each add 0 to 1.

    >>> one_item(2000, 2, 0)
    0.0005
    """
    return 1 / item_count


def mean_of_f1(item_count: int, label_count: int, rarest_share: float) -> float | None:
    """A mean of the F1 of all labels, each of which has at least `rarest_share` of the items.

    F1 is 2 TP / S, and S counts gold items and predictions of a label, so that it is at least the number r of gold
    items of the rarest label. The F1 of the label that an item loses changes by at most 2/r, that of the label that it
    gets by at most 1/r, or the other way round: 3/r for both, over the number of labels.

    >>> mean_of_f1(2000, 2, 0.25)
    0.003
    """
    return 3 / (label_count * rarest_share * item_count) if rarest_share else None


def f1_of_one(item_count: int, label_count: int, rarest_share: float) -> float | None:
    """The F1 of one label, see `mean_of_f1`: at most 2/r."""
    return 2 / (rarest_share * item_count) if rarest_share else None


def mean_of_recall(item_count: int, label_count: int, rarest_share: float) -> float | None:
    """A mean of the recall of all labels, each of which has at least r = `rarest_share` of the items.

    The recall of the label that an item loses changes by at most 1/r, and so does that of the label that it gets.

    >>> mean_of_recall(2000, 2, 0.25)
    0.002
    """
    return 2 / (label_count * rarest_share * item_count) if rarest_share else None
