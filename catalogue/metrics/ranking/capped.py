"""Means over queries that trec_eval does not have: with exponential gains, and relative to what a cut list can hold."""

from collections.abc import Iterable
from functools import partial

from catalogue.answers import RankedList
from catalogue.metrics.metric import Undefined
from catalogue.metrics.ranking.means import ALL, MeanOfQueries
from catalogue.metrics.ranking.of_query import (
    capped_precision_of_query,
    capped_recall_of_query,
    exponential_ndcg_of_query,
)


def exponential_ndcg(
    y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL
) -> float | Undefined:
    """nDCG with gains of 2 to the power of the grade, less 1: high grades count for much more than in trec_eval's.

    From 0 (nothing relevant) to 1 (the best order). With grades 0 and 1 alone it is the same number. Undefined as
    `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    Burges et al. (2005), doi:10.1145/1102351.1102363; LightGBM's and XGBoost's `ndcg`.

    Examples
    --------
    >>> round(exponential_ndcg(["a:2 b:1"], ["b a"]), 4)
    0.7967
    """
    return MeanOfQueries(exponential_ndcg_of_query).value(y_true, y_pred, rules)


def capped_precision(
    y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL
) -> float | Undefined:
    """MAP of the first k documents, divided by the smaller of k and the number of relevant documents.

    From 0 to 1, which every query can reach, while `map_cut` divides by all relevant ones. k is 1 here, and stands in
    the names of metrics. A query without a relevant document counts 0. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    MAP@k of Kaggle's competitions; `apk` of Hamner's ml_metrics.

    Examples
    --------
    >>> capped_precision(["a:1 b:1"], ["a c b"])
    1.0
    """
    return MeanOfQueries(partial(capped_precision_of_query, cut=1)).value(y_true, y_pred, rules)


def capped_recall(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Recall of the first k documents, divided by the smaller of k and the number of relevant documents.

    From 0 to 1, which every query can reach. k is 1 here, and stands in the names of metrics. A query without a
    relevant document counts 0. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    Thakur et al. (2021), BEIR, arXiv:2104.08663: capped recall.

    Examples
    --------
    >>> capped_recall(["a:1 b:1"], ["a c b"])
    1.0
    """
    return MeanOfQueries(partial(capped_recall_of_query, cut=1)).value(y_true, y_pred, rules)
