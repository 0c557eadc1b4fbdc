"""Agreement beyond chance, of the items as they are and of the same items drawn again.

Every function takes weights: a row of how often each item counts. A row of ones gives the figure itself, rows of
`scoring.core.uncertainty.weights.item_weights` its replicates; NaN stands where a figure is not defined.
"""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.metric import Undefined

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]

_ROWS_AT_ONCE = 100


class AnswerScale(StrEnum):
    """What can be said of two values: that they differ, how many lie between them, or how far apart they are."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def krippendorff_alpha(
    items: Sequence[str], values: Sequence[float], scale: AnswerScale
) -> float | Undefined:
    """Krippendorff's alpha; items may have any number of answers, and those with fewer than two are not counted.

    1 where all agree, 0 where they agree as chance has it, below 0 where they agree less.

    Parameters
    ----------
    items, values : sequences of the same length
        Of each answer the item that it is about, and what it says: the number of a class, or a number.
    scale : AnswerScale

    Returns
    -------
    float or Undefined
        Undefined, with code `one_category`, where all answers that count are the same or there are none.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability.

    Examples
    --------
    >>> krippendorff_alpha(["i", "i", "j", "j"], [1, 1, 2, 2], AnswerScale.INTERVAL)
    1.0
    """
    _, codes = np.unique(np.array(items), return_inverse=True)
    codes, numbers, count = paired(codes.astype(np.intp), np.asarray(values, dtype=np.float64))
    found = float(alphas(codes, numbers, scale, np.ones((1, count)))[0]) if count else np.nan
    return Undefined("one_category") if np.isnan(found) else found


def paired(items: Codes, values: Floats) -> tuple[Codes, Floats, int]:
    """Only the answers about items that have at least two; items are numbered anew, and how many there are."""
    counts = np.bincount(items)
    kept = counts[items] > 1
    distinct, codes = np.unique(items[kept], return_inverse=True)
    return codes.astype(np.intp), values[kept], len(distinct)


def counted(items: Codes, values: Floats) -> Floats:
    """How many answers of an item name each value, shape (n_items, n_values); values grow from left to right."""
    distinct, codes = np.unique(values, return_inverse=True)
    shape = (int(items.max()) + 1, len(distinct))
    flat = np.bincount(items * shape[1] + codes, minlength=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.float64)


def pair_shares(counts: Floats, weights: Floats) -> Floats:
    """The share of agreeing pairs among all pairs of answers about the same item."""
    totals = counts.sum(axis=1)
    return _over(weights @ (counts * (counts - 1)).sum(axis=1), weights @ (totals * (totals - 1)))


def fleiss_kappas(counts: Floats, weights: Floats) -> Floats:
    """Fleiss' kappa; every item has the same number of answers."""
    shares = _over(weights @ counts, (weights @ counts.sum(axis=1))[:, None])
    expected = (shares**2).sum(axis=1)
    several = (weights @ counts > 0).sum(axis=1) > 1
    return _over(pair_shares(counts, weights) - expected, np.where(several, 1 - expected, 0.0))


def alphas(items: Codes, values: Floats, scale: AnswerScale, weights: Floats) -> Floats:
    """Krippendorff's alpha; every item has at least two answers."""
    if scale is AnswerScale.INTERVAL:
        return _interval_alphas(items, values, weights)
    counts = counted(items, values)
    if scale is AnswerScale.ORDINAL:
        rows = (weights[at : at + _ROWS_AT_ONCE] for at in range(0, len(weights), _ROWS_AT_ONCE))
        return np.concatenate([_ordinal_alphas(counts, some) for some in rows])
    totals, each = counts.sum(axis=1), weights @ counts
    within = weights @ ((totals**2 - (counts**2).sum(axis=1)) / (totals - 1))
    answers = weights @ totals
    between = answers**2 - (each**2).sum(axis=1)
    return 1 - _over(within * (answers - 1), between)


def _interval_alphas(items: Codes, values: Floats, weights: Floats) -> Floats:
    """From sums alone, for there may be as many numbers as answers; their mean is taken off for the sake of digits."""
    totals = np.bincount(items).astype(np.float64)
    centred = values - values.mean()
    sums, squares = np.bincount(items, centred), np.bincount(items, centred**2)
    within = weights @ ((totals * squares - sums**2) / (totals - 1))
    answers, all_squares = weights @ totals, weights @ squares
    between = answers * all_squares - (weights @ sums) ** 2
    nothing = between <= 1e-12 * answers * all_squares
    return 1 - _over(within * (answers - 1), np.where(nothing, 0.0, between))


def _ordinal_alphas(counts: Floats, weights: Floats) -> Floats:
    """The same of numbers that are the middle rank of each class among the answers of a row."""
    each, totals = weights @ counts, counts.sum(axis=1)
    ranks = each.cumsum(axis=1) - each / 2
    sums, squares = counts @ ranks.T, counts @ (ranks**2).T
    of_items = (totals[:, None] * squares - sums**2) / (totals[:, None] - 1)
    within = (weights * of_items.T).sum(axis=1)
    answers = weights @ totals
    between = answers * (each * ranks**2).sum(axis=1) - (each * ranks).sum(axis=1) ** 2
    several = (each > 0).sum(axis=1) > 1
    return 1 - _over(within * (answers - 1), np.where(several, between, 0.0))


def _over(above: Floats, below: Floats) -> Floats:
    """Quotients; NaN where there is nothing to divide by."""
    above, below = np.broadcast_arrays(above, below)
    quotients: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return quotients
