"""The information contrast model of shares of labels: what they tell that is right, less what is wrong."""

from collections.abc import Callable
from math import erf, fsum, inf, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import SoftLabels
from catalogue.answers.arrays import as_table
from catalogue.comparison import Comparison
from catalogue.metrics.labels.information import Places, above_each, normalised, not_in_a_tree
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import AlongWeights, DeterminedBy, Floats, Statistic, Weights

_NOTHING_TOLD = "nothing_told"
_REFERENCE = "doi:10.18653/v1/2022.acl-long.399; PyEvALL, {}"
# By the same steps as Python's `NormalDist.cdf`: far from the mean 1 less a number near 1 hangs on its last digit.
_each_erf: Callable[[Floats], NDArray[Any]] = np.frompyfunc(erf, 1, 1)
_FAR = 1 - 2e-6


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
    return _information(gold, table, above, np.ones(len(gold)))[0]


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
    return _norm(*_information(gold, table, above, np.ones(len(gold))))


def _erf(values: Floats) -> Floats:
    return _each_erf(values).astype(np.float64)


def _quick_erf(values: Floats) -> Floats:
    """The same to 15 digits, and all of them where no more than the last ones are left of 1 less the number."""
    from scipy.special import erf

    found: Floats = erf(values)
    is_far = found > _FAR
    found[is_far] = _erf(values[is_far])
    return found


def _information(
    gold: Floats, table: Floats, above: Places, weights: Floats, erf: Callable[[Floats], Floats] = _erf
) -> tuple[float, float]:
    """The score, and that of the gold shares, of items that count so often each: of shape (n_items,)."""
    spreads, most = _spreads(gold, weights), log2(weights.sum())
    scores, best = np.zeros(len(gold)), np.zeros(len(gold))
    for place, outer in enumerate(above.tolist()):
        of_gold, of_table = gold[:, place], table[:, place]
        for name, sign in ((place, 1), (outer, -1)):
            if name >= 0:
                of_both = [_bits(shares, *spreads[name], most, erf) for shares in (of_gold, of_table)]
                larger = np.where(of_gold >= of_table, *of_both)
                scores += sign * (2 * of_both[0] + 2 * of_both[1] - 3 * larger)
                best += sign * of_both[0]
    return _mean(scores, weights), _mean(best, weights)


def _mean(values: Floats, weights: Floats) -> float:
    """Without what counts for nothing, which may be no number."""
    is_held = weights > 0
    return fsum((weights[is_held] * values[is_held]).tolist()) / float(weights.sum())


def _spreads(gold: Floats, weights: Floats) -> list[tuple[float, float]]:
    """Of each name the mean of its gold shares, and their mean absolute deviation from it."""
    counted, count = gold[weights > 0], weights.sum()
    means = weights @ gold / count
    # Where all are the same their mean may be off by a rounding, and is none that anything is spread about.
    deviations = np.where(np.ptp(counted, axis=0) > 0, weights @ np.abs(gold - means) / count, 0)
    return list(zip(np.where(deviations > 0, means, counted[0]).tolist(), deviations.tolist(), strict=True))


def _bits(
    shares: Floats, mean: float, deviation: float, most: float, erf: Callable[[Floats], Floats]
) -> Floats:
    """The information of each share of a name of which gold shares are spread so."""
    if deviation:
        larger = 1 - 0.5 * (1 + erf((shares - mean) / (deviation * sqrt(2))))
    else:
        larger = (shares <= mean).astype(np.float64)
    found = np.where(larger > 0, -np.log2(larger, out=np.zeros_like(larger), where=larger > 0), most)
    return np.where(shares > 0, found, 0)


def _along(
    finish: Callable[[float, float], float | Undefined],
) -> Callable[[Floats, Floats, Places, Weights], Floats]:
    """The score of each resample: how the shares of a name are spread is told by the items that it holds."""

    def formula(gold: Floats, table: Floats, above: Places, by_item: Weights) -> Floats:
        drawn = by_item.T.astype(np.float64)
        scores = (finish(*_information(gold, table, above, weights, _quick_erf)) for weights in drawn)
        return np.array([np.nan if isinstance(score, Undefined) else score for score in scores])

    return formula


def _score(score: float, best: float) -> float:
    return score


def _norm(score: float, best: float) -> float | Undefined:
    return normalised(score, best) if best > 0 else Undefined(_NOTHING_TOLD)


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


METRICS = (
    Metric(
        name="icm_soft",
        title="ICM-Soft",
        kinds=(SoftLabels,),
        statistic=Statistic(_named, DeterminedBy.ITEMS),
        formula=icm_soft,
        resampled=AlongWeights(_along(_score)),
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
        resampled=AlongWeights(_along(_norm)),
        reference=_REFERENCE.format("ICMSoftNorm"),
        high=inf,
        undefined={_NOTHING_TOLD: "All items have the same gold shares, which tell nothing."},
        unfit=not_in_a_tree,
    ),
)
