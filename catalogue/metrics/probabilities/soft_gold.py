"""Metrics of shares of labels beside gold labels that are shares as well: how far apart the two are."""

from collections.abc import Callable
from math import fsum, inf, log, sqrt

import numpy as np

from catalogue.answers import SoftLabels
from catalogue.metrics.metric import Metric, nothing_lacking
from catalogue.metrics.probabilities.reading import SHARES, without_sums
from catalogue.metrics.statistics import Floats, MeanOfItems

_LEAST = 1e-12
_ADDED = 1e-9
_FURTHEST = log(2)  # of the Jensen-Shannon divergence, in nats
_LEWIDI_2023 = "doi:10.18653/v1/2023.semeval-1.314"
_LEWIDI_2025 = "LeWiDi 2025, Evaluation_LeWiDi_2025_Metrics.ipynb"


def cross_entropy(gold: Floats, table: Floats) -> float:
    """Mean over items of the gold shares times -ln of the answered shares, added up over the labels.

    From 0 without an upper end; the lower, the better. The best that can be reached is the entropy of the gold labels,
    0 where people agree on every item. Never undefined: a share is brought to 1e-12 at least, then 1e-9 is added, up
    to 1, so that an item costs 20.72 at most.

    Parameters
    ----------
    gold : float array of shape (n_items, n_labels)
        Shares from 0 to 1.
    table : float array of shape (n_items, n_labels)
        The same of the answers. Both are taken as they are written.

    Returns
    -------
    float

    References
    ----------
    Leonardelli et al. (2023), SemEval-2023 Task 11, doi:10.18653/v1/2023.semeval-1.314, with the 1e-12 and 1e-9 of the
    code that its participants published. That code lets a share grow to 1 + 1e-9, which is less than 1e-9 apart.

    Examples
    --------
    >>> round(cross_entropy(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5]])), 6)
    0.693147
    """
    return _mean(cross_entropies(gold, table))


def cross_entropies(gold: Floats, table: Floats) -> Floats:
    """The cross-entropy of each item: shape (n_items,)."""
    near = np.minimum(np.maximum(table, _LEAST) + _ADDED, 1)
    return np.asarray(-(gold * np.log(near)).sum(axis=1))


def kl_divergence(gold: Floats, table: Floats) -> float:
    """Mean over items of the Kullback-Leibler divergence of the answered shares from the gold shares, in nats.

    From 0 (the same shares everywhere) without an upper end; the lower, the better. Never undefined: an answered share
    is brought to 1e-12 at least, where scipy says infinity, so that an item costs 27.64 at most.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1; those of an item are divided by their sum.

    Returns
    -------
    float

    References
    ----------
    scipy, `stats.entropy(gold, answer)` of each item; Kullback and Leibler (1951), doi:10.1214/aoms/1177729694.

    Examples
    --------
    >>> round(kl_divergence(np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])), 6)
    0.693147
    """
    return _mean(kl_divergences(gold, table))


def kl_divergences(gold: Floats, table: Floats) -> Floats:
    """The divergence of each item: shape (n_items,)."""
    return _relative_entropy(_of_one(gold), np.maximum(_of_one(table), _LEAST))


def js_divergence(gold: Floats, table: Floats) -> float:
    """Mean over items of the Jensen-Shannon divergence between the answered and the gold shares, in nats.

    From 0 (the same shares everywhere) to ln 2 (no label in common anywhere); the lower, the better. Never undefined.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1; those of an item are divided by their sum.

    Returns
    -------
    float

    References
    ----------
    Lin (1991), doi:10.1109/18.61115; scipy, the square of `spatial.distance.jensenshannon` of each item.

    Examples
    --------
    >>> round(js_divergence(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])), 6)
    0.693147
    """
    return min(_mean(js_divergences(gold, table)), _FURTHEST)


def js_divergences(gold: Floats, table: Floats) -> Floats:
    """The divergence of each item: shape (n_items,)."""
    one, other = _of_one(gold), _of_one(table)
    middle = (one + other) / 2
    both = _relative_entropy(one, middle) + _relative_entropy(other, middle)
    return np.asarray(np.minimum(both / 2, _FURTHEST))


def js_distance(gold: Floats, table: Floats) -> float:
    """Mean over items of the square root of the Jensen-Shannon divergence, with natural logarithms.

    From 0 (the same shares everywhere) to the square root of ln 2, .8326 (no label in common anywhere); the lower, the
    better. Never undefined.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1; those of an item are divided by their sum.

    Returns
    -------
    float

    References
    ----------
    scipy, `spatial.distance.jensenshannon` of each item; Endres and Schindelin (2003), doi:10.1109/TIT.2003.813506.

    Examples
    --------
    >>> round(js_distance(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])), 6)
    0.832555
    """
    return min(_mean(js_distances(gold, table)), sqrt(_FURTHEST))


def js_distances(gold: Floats, table: Floats) -> Floats:
    """The distance of each item: shape (n_items,)."""
    return np.sqrt(js_divergences(gold, table))


def manhattan_distance(gold: Floats, table: Floats) -> float:
    """Mean over items of the differences between the answered and the gold shares, added up over the labels.

    From 0 (the same shares everywhere) to 2 (no label in common anywhere; more by what sums may be off); the lower, the
    better. Never undefined. Divided by the number of labels it is the mean absolute error of a share.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1, taken as they are written.

    Returns
    -------
    float

    References
    ----------
    `average_MD` in LeWiDi 2025, Evaluation_LeWiDi_2025_Metrics.ipynb, which rounds each item and the mean to five
    decimals; Rizzi et al. (2024), "Soft metrics for evaluation with disagreements".

    Examples
    --------
    >>> manhattan_distance(np.array([[1.0, 0.0]]), np.array([[0.75, 0.25]]))
    0.5
    """
    return _mean(manhattan_distances(gold, table))


def manhattan_distances(gold: Floats, table: Floats) -> Floats:
    """The distance of each item: shape (n_items,)."""
    return np.asarray(np.abs(table - gold).sum(axis=1))


def earth_movers_distance(gold: Floats, table: Floats) -> float:
    """Mean over items of how far shares have to be moved along the labels until the answer is the gold label.

    Labels stand in the order in which they are declared, from low to high, one step from each to the next. From 0 (the
    same shares everywhere) to the number of labels less one; the lower, the better. Never undefined.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1; those of an item are divided by their sum.

    Returns
    -------
    float

    References
    ----------
    `average_WS` in LeWiDi 2025, Evaluation_LeWiDi_2025_Metrics.ipynb; scipy, `stats.wasserstein_distance` of places.

    Examples
    --------
    >>> earth_movers_distance(np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 0.5, 0.5]]))
    1.5
    """
    return _mean(earth_movers_distances(gold, table))


def earth_movers_distances(gold: Floats, table: Floats) -> Floats:
    """The distance of each item: shape (n_items,)."""
    moved = np.cumsum(_of_one(table) - _of_one(gold), axis=1)[:, :-1]
    return np.asarray(np.abs(moved).sum(axis=1))


def _of_one(table: Floats) -> Floats:
    """The shares of each item divided by their sum."""
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def _relative_entropy(one: Floats, other: Floats) -> Floats:
    """Of each item, in nats; `other` is above 0 wherever `one` is. Never below 0, where rounding could bring it."""
    ratio = np.divide(one, other, out=np.ones_like(one), where=one > 0)
    return np.asarray(np.maximum((one * np.log(ratio)).sum(axis=1), 0))


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


def _distance(
    formula: Callable[[Floats, Floats], float],
    of_items: Callable[[Floats, Floats], Floats],
    title: str,
    high: float,
    reference: str,
) -> Metric[Floats, Floats]:
    return Metric(
        name=formula.__name__,
        title=title,
        kinds=(SoftLabels,),
        statistic=SHARES,
        formula=formula,
        resampled=MeanOfItems(of_items),
        higher_is_better=False,
        high=high,
        reference=reference,
        unfit=nothing_lacking if formula is manhattan_distance else without_sums,
    )


METRICS = (
    _distance(cross_entropy, cross_entropies, "Cross-entropy", inf, _LEWIDI_2023),
    _distance(kl_divergence, kl_divergences, "KL divergence", inf, "scipy, stats.entropy"),
    _distance(js_divergence, js_divergences, "JS divergence", _FURTHEST, "doi:10.1109/18.61115"),
    _distance(
        js_distance, js_distances, "JS distance", sqrt(_FURTHEST), "scipy, spatial.distance.jensenshannon"
    ),
    _distance(manhattan_distance, manhattan_distances, "Manhattan distance", inf, _LEWIDI_2025),
    _distance(earth_movers_distance, earth_movers_distances, "Earth mover's distance", inf, _LEWIDI_2025),
)
