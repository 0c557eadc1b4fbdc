"""V-measure, adjusted Rand index, B-cubed, pairs and purity of clusters."""

from collections.abc import Callable
from math import isnan

import numpy as np

from catalogue.answers import ClusterId
from catalogue.metrics.clusterings.tables import ClusterTable, Ids, along_tables, named_alike
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import ARRAYS, AlongWeights, Floats, quotient

_ROSENBERG = "Rosenberg and Hirschberg (2007), https://aclanthology.org/D07-1043; scikit-learn, {}"
_AMIGO = (
    "Bagga and Baldwin (1998), doi:10.3115/980845.980859; Amigó et al. (2009), doi:10.1007/s10791-008-9066-8"
)
_NO_PAIR = "no_pair"
_GOLD, _FOUND = np.array(["a", "a", "b", "b"]), np.array(["1", "1", "1", "2"])


def v_measure(y_true: Ids, y_pred: Ids) -> float:
    """Harmonic mean of homogeneity and completeness; it is the normalised mutual information with arithmetic mean.

    From 0 (nothing in common) to 1 (the same clusters). Never undefined.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `v_measure_score` and `normalized_mutual_info_score`; SemEval-2010 Task 14.

    Examples
    --------
    >>> round(v_measure(_GOLD, _FOUND), 4)
    0.3437
    """
    return _of_all(_v_measure, y_true, y_pred)


def homogeneity(y_true: Ids, y_pred: Ids) -> float:
    """By how much predicted clusters hold items of one gold cluster alone, in terms of entropy.

    From 0 to 1 (each holds items of one). Never undefined: where there is one gold cluster, it is 1.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `homogeneity_score`.

    Examples
    --------
    >>> round(homogeneity(_GOLD, _FOUND), 4)
    0.3113
    """
    return _of_all(_homogeneity, y_true, y_pred)


def completeness(y_true: Ids, y_pred: Ids) -> float:
    """By how much all items of a gold cluster are in one predicted cluster, in terms of entropy.

    From 0 to 1 (all are). Never undefined: where there is one predicted cluster, it is 1.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `completeness_score`.

    Examples
    --------
    >>> round(completeness(_GOLD, _FOUND), 4)
    0.3837
    """
    return _of_all(_completeness, y_true, y_pred)


def adjusted_rand(y_true: Ids, y_pred: Ids) -> float:
    """Share of pairs of items that both sides put together or apart, beyond chance.

    Up to 1 (the same clusters), around 0 at random, -0.5 at least. Never undefined.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    Hubert and Arabie (1985), doi:10.1007/BF01908075; scikit-learn, `adjusted_rand_score`.

    Examples
    --------
    >>> adjusted_rand(_GOLD, _FOUND)
    0.0
    """
    return _of_all(_adjusted_rand, y_true, y_pred)


def b_cubed_precision(y_true: Ids, y_pred: Ids) -> float:
    """Mean over items of the share of an item's predicted cluster that is in its gold cluster.

    From above 0 to 1. Never undefined: an item is in its own clusters.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    Bagga and Baldwin (1998), doi:10.3115/980845.980859.

    Examples
    --------
    >>> round(b_cubed_precision(_GOLD, _FOUND), 4)
    0.6667
    """
    return _of_all(_b_cubed_precision, y_true, y_pred)


def b_cubed_recall(y_true: Ids, y_pred: Ids) -> float:
    """Mean over items of the share of an item's gold cluster that is in its predicted cluster.

    From above 0 to 1. Never undefined: an item is in its own clusters.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    Bagga and Baldwin (1998), doi:10.3115/980845.980859.

    Examples
    --------
    >>> b_cubed_recall(_GOLD, _FOUND)
    0.75
    """
    return _of_all(_b_cubed_recall, y_true, y_pred)


def b_cubed_f1(y_true: Ids, y_pred: Ids) -> float:
    """Harmonic mean of the precision and the recall of B-cubed.

    From above 0 to 1 (the same clusters). Never undefined.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    Amigó et al. (2009), doi:10.1007/s10791-008-9066-8.

    Examples
    --------
    >>> round(b_cubed_f1(_GOLD, _FOUND), 4)
    0.7059
    """
    return _of_all(_b_cubed_f1, y_true, y_pred)


def pair_f1(y_true: Ids, y_pred: Ids) -> float | Undefined:
    """F1 of the pairs of different items that are put together.

    From 0 (none is right) to 1 (the same clusters). Undefined, with code `no_pair`, where neither side has a cluster
    of two items.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    The paired F-score of SemEval-2010 Task 14, https://aclanthology.org/S10-1011.

    Examples
    --------
    One of three predicted and of two gold pairs is right.

    >>> pair_f1(_GOLD, _FOUND)
    0.4
    """
    found = _of_all(_pair_f1, y_true, y_pred)
    return Undefined(_NO_PAIR) if isnan(found) else found


def purity(y_true: Ids, y_pred: Ids) -> float:
    """Share of items that are in the gold cluster which has most items of their predicted cluster.

    From above 0 to 1; it is 1 where every item has a cluster of its own. Never undefined.

    Parameters
    ----------
    y_true, y_pred : str array of shape (n_items,)
        Ids of clusters, at least one item.

    Returns
    -------
    float

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, 16.3.

    Examples
    --------
    >>> purity(_GOLD, _FOUND)
    0.75
    """
    return _of_all(_purity, y_true, y_pred)


def _of_all(formula: Callable[[ClusterTable], Floats], y_true: Ids, y_pred: Ids) -> float:
    return float(along_tables(formula)(y_true, y_pred, np.ones((len(y_true), 1), dtype=np.int32))[0])


def _entropy_terms(counts: Floats) -> Floats:
    """The sum of n ln n of the counts of each resample."""
    return np.asarray((counts * np.log(np.maximum(counts, 1.0))).sum(axis=0))


def _information(table: ClusterTable) -> Floats:
    """What the two clusterings tell of each other, in nats, times the number of items."""
    told = _entropy_terms(table.cells) - _entropy_terms(table.gold) - _entropy_terms(table.predicted)
    return np.maximum(told + table.items * np.log(table.items), 0.0)


def _told(table: ClusterTable, of_margin: Floats) -> Floats:
    """The information by the entropy of one clustering; 1 where that has a single cluster."""
    entropy = table.items * np.log(table.items) - _entropy_terms(of_margin)
    is_single = np.count_nonzero(of_margin, axis=0) == 1
    share = np.divide(_information(table), entropy, out=np.ones_like(entropy), where=~is_single)
    return np.minimum(share, 1.0)


def _homogeneity(table: ClusterTable) -> Floats:
    return _told(table, table.gold)


def _completeness(table: ClusterTable) -> Floats:
    return _told(table, table.predicted)


def _v_measure(table: ClusterTable) -> Floats:
    return _harmonic(_homogeneity(table), _completeness(table))


def _harmonic(one: Floats, other: Floats) -> Floats:
    return quotient(2 * one * other, one + other, 0.0)


def _pairs(table: ClusterTable) -> tuple[Floats, Floats, Floats]:
    """Ordered pairs of items that both sides put together, that the gold labels do, and that the predictions do."""
    together, gold, predicted = (
        np.square(counts).sum(axis=0) - table.items for counts in (table.cells, table.gold, table.predicted)
    )
    return together, gold, predicted


def _adjusted_rand(table: ClusterTable) -> Floats:
    together, gold, predicted = _pairs(table)
    missed, extra = gold - together, predicted - together
    apart = table.items * (table.items - 1) - together - missed - extra
    beyond = 2 * (together * apart - missed * extra)
    whole = (together + missed) * (missed + apart) + (together + extra) * (extra + apart)
    return np.asarray(np.divide(beyond, whole, out=np.ones_like(beyond), where=missed + extra > 0))


def _pair_f1(table: ClusterTable) -> Floats:
    together, gold, predicted = _pairs(table)
    return quotient(2 * together, gold + predicted)


def _b_cubed_precision(table: ClusterTable) -> Floats:
    return _mean_share(table, table.predicted_of_each_cell)


def _b_cubed_recall(table: ClusterTable) -> Floats:
    return _mean_share(table, table.gold_of_each_cell)


def _mean_share(table: ClusterTable, clusters: Floats) -> Floats:
    return np.asarray((np.square(table.cells) / np.maximum(clusters, 1)).sum(axis=0) / table.items)


def _b_cubed_f1(table: ClusterTable) -> Floats:
    return _harmonic(_b_cubed_precision(table), _b_cubed_recall(table))


def _purity(table: ClusterTable) -> Floats:
    return np.asarray(table.largest_shared().sum(axis=0) / table.items)


_UNDEFINED = {_NO_PAIR: "Neither the gold labels nor the predictions have a cluster of two items."}

METRICS = tuple(
    Metric(
        name=formula.__name__,
        title=title,
        kinds=(ClusterId,),
        statistic=ARRAYS,
        formula=formula,
        low=low,
        resampled=AlongWeights(along_tables(of_table), named_alike),
        reference=reference,
        undefined=_UNDEFINED if formula is pair_f1 else {},
    )
    for formula, of_table, title, low, reference in (
        (v_measure, _v_measure, "V-measure", 0.0, _ROSENBERG.format("v_measure_score")),
        (homogeneity, _homogeneity, "Homogeneity", 0.0, _ROSENBERG.format("homogeneity_score")),
        (completeness, _completeness, "Completeness", 0.0, _ROSENBERG.format("completeness_score")),
        (adjusted_rand, _adjusted_rand, "Adjusted Rand index", -0.5, "scikit-learn, adjusted_rand_score"),
        (b_cubed_f1, _b_cubed_f1, "B-cubed F1", 0.0, _AMIGO),
        (b_cubed_precision, _b_cubed_precision, "B-cubed precision", 0.0, _AMIGO),
        (b_cubed_recall, _b_cubed_recall, "B-cubed recall", 0.0, _AMIGO),
        (pair_f1, _pair_f1, "F1 of pairs", 0.0, "SemEval-2010 Task 14, https://aclanthology.org/S10-1011"),
        (purity, _purity, "Purity", 0.0, "Manning et al. (2008), 16.3"),
    )
)
