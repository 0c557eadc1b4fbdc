"""The information contrast model of shares of labels: what they tell that is right, less what is wrong."""

from collections.abc import Callable
from math import erf, fsum, inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import SoftLabels
from catalogue.answers.arrays import as_table
from catalogue.comparison import Comparison
from catalogue.metrics.labels.information import Places, above_each, normalised, not_in_a_tree
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

_NOTHING_TOLD = "nothing_told"
_REFERENCE = "doi:10.18653/v1/2022.acl-long.399; PyEvALL, {}"
# By the same steps as Python's `NormalDist.cdf`: far from the mean 1 less a number near 1 hangs on its last digit.
_erf: Callable[[Floats], NDArray[Any]] = np.frompyfunc(erf, 1, 1)


def icm_soft(gold: Floats, table: Floats, above: Places) -> float:
    """Mean over items of the information that gold and answered shares have in common, less what one alone tells.

    A name, a label or what labels are kinds of, has the largest share of those that are a kind of it. The information
    of a share is -log2 of the probability that a share of this name is larger, by the normal distribution with the mean
    of its gold shares and their mean absolute deviation; 0 of a share of 0, and -log2 of 1 by the number of items where
    the probability is 0. From minus infinity to infinity; the more, the better. Never undefined: where all gold shares
    of a name are the same, a larger one has the probability 0 and any other tells nothing.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_names)
        Shares from 0 to 1, taken as they are written.
    above : int array of shape (n_names,)
        For each name the place of what it is a kind of, -1 for none.

    Returns
    -------
    float
        In bits.

    References
    ----------
    Amigó and Delgado (2022), doi:10.18653/v1/2022.acl-long.399, with alpha 2, 2 and beta 3; `ICMSoft` of PyEvALL, which
    stops where all gold shares of a name are the same.

    Examples
    --------
    >>> gold = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> round(icm_soft(gold, gold, np.array([-1, -1])), 4)
    2.656
    """
    return _mean(_of_items(gold, table, above))


def icm_soft_norm(gold: Floats, table: Floats, above: Places) -> float | Undefined:
    """`icm_soft` on a scale on which the gold shares have 1, and all of their information missed and as much wrong 0.

    From 0, also for what is lower, mostly to 1. Undefined, with code `nothing_told`, where the gold shares tell
    nothing.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_names)
        Shares from 0 to 1, taken as they are written.
    above : int array of shape (n_names,)
        For each name the place of what it is a kind of, -1 for none.

    Returns
    -------
    float or Undefined

    References
    ----------
    `ICMSoftNorm` of PyEvALL: (ICM + G) / 2 G, where G is the ICM of the gold shares.

    Examples
    --------
    >>> gold = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> icm_soft_norm(gold, gold, np.array([-1, -1]))
    1.0
    """
    best = _mean(_of_items(gold, gold, above))
    return normalised(icm_soft(gold, table, above), best) if best > 0 else Undefined(_NOTHING_TOLD)


def _of_items(gold: Floats, table: Floats, above: Places) -> Floats:
    """The score of each item: shape (n_items,)."""
    mean = gold.mean(axis=0)
    # Where all are the same their mean may be off by a rounding, and is none that anything is spread about.
    deviation = np.where(np.ptp(gold, axis=0) > 0, np.abs(gold - mean).mean(axis=0), 0)
    mean = np.where(deviation > 0, mean, gold[0])
    places, total = np.arange(len(above)), np.zeros(len(gold))
    for one, weight in ((table, 2.0), (gold, 2.0), (np.maximum(gold, table), -3.0)):
        for place in places.tolist():
            shares = one[:, place]
            total += weight * _bits(shares, mean[place], deviation[place])
            if above[place] >= 0:
                total -= weight * _bits(shares, mean[above[place]], deviation[above[place]])
    return total


def _normalised_items(gold: Floats, table: Floats, above: Places) -> Floats:
    """The score of each item on the scale of the gold shares of all items; NaN where these tell nothing."""
    best = _mean(_of_items(gold, gold, above))
    found = _of_items(gold, table, above)
    return (found + best) / (2 * best) if best > 0 else np.full(len(found), np.nan)


def _bits(shares: Floats, mean: float, deviation: float) -> Floats:
    """The information of each share of a name of which gold shares are spread so."""
    most = np.log2(len(shares))
    if deviation:
        larger = 1 - 0.5 * (1 + _erf((shares - mean) / (deviation * sqrt(2))).astype(np.float64))
    else:
        larger = (shares <= mean).astype(np.float64)
    found = np.where(larger > 0, -np.log2(larger, out=np.zeros_like(larger), where=larger > 0), most)
    return np.where(shares > 0, found, 0)


def _named(comparison: Comparison) -> tuple[Floats, Floats, Places]:
    """Gold and answered shares of all names; what is no label has the largest share of what is a kind of it."""
    names, above = above_each(comparison.output)

    def of_all(table: Floats) -> Floats:
        found = np.zeros((len(table), len(names)))
        found[:, : table.shape[1]] = table
        for _ in names:  # as often as the longest way up may be
            for place, outer in enumerate(above.tolist()):
                if outer >= 0:
                    found[:, outer] = np.maximum(found[:, outer], found[:, place])
        return found

    return of_all(as_table(comparison.y_true)), of_all(as_table(comparison.y_pred)), above


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


METRICS = (
    Metric(
        name="icm_soft",
        title="ICM-Soft",
        kinds=(SoftLabels,),
        statistic=Statistic(_named, DeterminedBy.ITEMS),
        formula=icm_soft,
        resampled=MeanOfItems(_of_items),
        reference=_REFERENCE.format("ICMSoft"),
        low=-inf,
        high=inf,
        unfit=not_in_a_tree,
    ),
    Metric(
        name="icm_soft_norm",
        title="ICM-Soft, normalised",
        kinds=(SoftLabels,),
        statistic=Statistic(_named, DeterminedBy.ITEMS),
        formula=icm_soft_norm,
        resampled=MeanOfItems(_normalised_items, lambda mean: np.maximum(mean, 0)),
        reference=_REFERENCE.format("ICMSoftNorm"),
        high=inf,
        undefined={_NOTHING_TOLD: "All items have the same gold shares, which tell nothing."},
        unfit=not_in_a_tree,
    ),
)
