"""How far annotators agree with each other.

Answers come as counts: an integer array of shape (n_items, n_categories) that says how many annotators put the
item into the category.
"""

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.metric import Undefined

Counts = NDArray[np.intp]


def fleiss_kappa(counts: Counts) -> float | Undefined:
    """Agreement of several annotators beyond chance, each item answered by the same number of them.

    Up to 1 (all agree on every item); 0 is chance, and below 0 is worse. Undefined, with code `one_category`,
    where all answers are the same category.

    Parameters
    ----------
    counts : integer array of shape (n_items, n_categories)
        Each row sums to the same number of annotators, at least 2.

    Returns
    -------
    float or Undefined

    References
    ----------
    Fleiss (1971), doi:10.1037/h0031619.

    Examples
    --------
    >>> fleiss_kappa(np.array([[2, 0], [0, 2], [1, 1]]))
    0.33333333333333326
    """
    raters = _raters(counts)
    if raters.min() != raters.max():
        raise ValueError(
            f"Fleiss' kappa needs the same number of annotators for every item; "
            f"found {raters.min()} to {raters.max()}."
        )
    shares = counts.sum(axis=0) / counts.sum()
    expected = float((shares**2).sum())
    if np.count_nonzero(shares) == 1:
        return Undefined("one_category")
    return (agreeing_pairs(counts) - expected) / (1 - expected)


def agreeing_pairs(counts: Counts) -> float:
    """Share of pairs of annotators of the same item that agree; from 0 to 1.

    Items may have different numbers of annotators, at least 2 each; every pair counts the same.

    >>> agreeing_pairs(np.array([[4, 0], [1, 1]]))
    0.8571428571428571
    """
    raters = _raters(counts)
    return int((counts * (counts - 1)).sum()) / int((raters * (raters - 1)).sum())


def cohen_kappa(first: Counts, second: Counts) -> float | Undefined:
    """Agreement of two annotators beyond chance, where each has habits of their own.

    Up to 1 (they agree on every item); 0 is chance, and below 0 is worse. Undefined, with code `one_category`,
    where both answer one and the same category throughout.

    Parameters
    ----------
    first, second : integer array of shape (n_items,)
        The category that each annotator gave the item, from 0; at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104; scikit-learn, `cohen_kappa_score`.

    Examples
    --------
    >>> cohen_kappa(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    0.5
    """
    if len(first) != len(second) or not len(first):
        raise ValueError(
            f"Both annotators must answer the same items, at least one; found {len(first)} and {len(second)}."
        )
    categories = int(max(first.max(), second.max())) + 1
    own = [np.bincount(answers, minlength=categories) for answers in (first, second)]
    agreed, by_chance = int(np.count_nonzero(first == second)), int(own[0] @ own[1])
    item_count = len(first)
    if by_chance == item_count**2:
        return Undefined("one_category")
    return (agreed * item_count - by_chance) / (item_count**2 - by_chance)


def _raters(counts: Counts) -> Counts:
    """The number of annotators per item."""
    raters: Counts = counts.sum(axis=1)
    if not len(raters) or raters.min() < 2:
        raise ValueError("Agreement needs at least one item, and at least two annotators for each.")
    return raters
