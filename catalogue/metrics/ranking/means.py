"""Means over queries of what a ranked list is worth, as trec_eval has them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from catalogue.answers import RankedList
from catalogue.answers.open_ended.ranked_list import BETWEEN, Missing, grades_in
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Undefined
from catalogue.metrics.ranking.of_query import (
    OfQuery,
    average_precision_of_query,
    biased_precision_of_query,
    f1_of_query,
    ndcg_of_query,
    precision_of_query,
    r_precision_of_query,
    recall_of_query,
    reciprocal_rank_of_query,
    success_of_query,
)
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfItems, quotient

ALL = RankedList()
NOTHING_ANSWERED = "nothing_answered"


@dataclass(frozen=True, slots=True)
class MeanOfQueries:
    """The mean of a number per query. `as_zero`, a query that is not answered counts 0 whatever the task declares."""

    of_query: OfQuery
    as_zero: bool = False

    def sums(self, y_true: Sequence[str], y_pred: Sequence[str], rules: RankedList) -> Floats:
        """Per query its number, and 1 if it counts: shape (2, n_queries)."""
        values = np.array(
            [
                self.of_query(*_read(judged, ranked), rules.level) if ranked else 0.0
                for judged, ranked in zip(y_true, y_pred, strict=True)
            ]
        )
        counts = np.ones(len(values))
        if rules.missing == Missing.LEFT_OUT and not self.as_zero:
            counts = np.array([float(bool(ranked)) for ranked in y_pred])
        return np.stack([values, counts])

    def value(self, y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList) -> float | Undefined:
        found = self.summed.of_all(list(y_true), list(y_pred), rules)
        return Undefined(NOTHING_ANSWERED) if np.isnan(found) else found

    @property
    def summed(self) -> SumsOfItems[Sequence[str], Sequence[str], RankedList]:
        return SumsOfItems(self.sums, _mean)


def _mean(sums: Floats) -> Floats:
    total, count = sums
    return quotient(total, count)


def _read(judged: str, ranked: str) -> tuple[Floats, Floats]:
    grades = grades_in(judged)
    found = [grades.get(document, 0) for document in ranked.split(BETWEEN)]
    # The highest grades come first.
    best = [grade for grade in grades.values() if grade > 0]
    return np.array(found, dtype=np.float64), np.array(best, dtype=np.float64)


def _texts(comparison: Comparison) -> tuple[Sequence[str], Sequence[str], RankedList]:
    # Metrics of this statistic are for ranked lists alone.
    return comparison.y_true.tolist(), comparison.y_pred.tolist(), cast(RankedList, comparison.output)


STATISTIC = Statistic(_texts, DeterminedBy.ITEMS)


def ndcg(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Mean over queries of the discounted gain of the list, relative to that of the best list there is.

    From 0 (nothing relevant) to 1 (the best order). The gain of a document is its grade, 0 if that is negative or the
    document was not judged; the discount at rank i is 1 / log2(i + 1). A query without a relevant document counts 0.
    Undefined only where tasks leave out queries that are not answered, and none is.

    Parameters
    ----------
    y_true : str of shape (n_queries,)
        Judged documents with their grades, such as "d7:2 d3:1 d9:0".
    y_pred : str of shape (n_queries,)
        Documents, the best first; empty for a query without an answer.
    rules : RankedList
        From which grade on documents are relevant, and what becomes of queries without an answer.

    Returns
    -------
    float or Undefined

    References
    ----------
    Järvelin and Kekäläinen (2002), doi:10.1145/582415.582418; trec_eval 9, `ndcg` and `ndcg_cut`.

    Examples
    --------
    >>> round(ndcg(["a:2 b:1"], ["b a"]), 4)
    0.8597
    """
    return MeanOfQueries(ndcg_of_query).value(y_true, y_pred, rules)


def mean_average_precision(
    y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL
) -> float | Undefined:
    """Mean over queries of the precision at the rank of each relevant document; one that is not listed counts 0.

    From 0 to 1. A query without a relevant document counts 0. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    trec_eval 9, `map` and `map_cut`.

    Examples
    --------
    >>> mean_average_precision(["a:1 b:1"], ["a c b"])
    0.8333333333333333
    """
    return MeanOfQueries(average_precision_of_query).value(y_true, y_pred, rules)


def reciprocal_rank(
    y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL
) -> float | Undefined:
    """Mean over queries of 1 / rank of the first relevant document, 0 where there is none: the MRR.

    From 0 to 1. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    Voorhees (1999), TREC-8 question answering; trec_eval 9, `recip_rank`.

    Examples
    --------
    >>> reciprocal_rank(["a:1", "b:1"], ["a b", "c b"])
    0.75
    """
    return MeanOfQueries(reciprocal_rank_of_query).value(y_true, y_pred, rules)


def recall(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Mean over queries of the share of relevant documents that the list has.

    From 0 to 1. A query without a relevant document counts 0. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    trec_eval 9, `recall`.

    Examples
    --------
    >>> recall(["a:1 b:1"], ["a c"])
    0.5
    """
    return MeanOfQueries(recall_of_query).value(y_true, y_pred, rules)


def precision(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Mean over queries of the share of the first k documents that are relevant; places without a document are not.

    From 0 to 1. Without a k it is 1. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    trec_eval 9, `P`.

    Examples
    --------
    >>> precision(["a:1", "b:1"], ["a b", "c b"])
    0.5
    """
    return MeanOfQueries(precision_of_query).value(y_true, y_pred, rules)


def f1(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Mean over queries of the harmonic mean of precision and recall among the first k documents.

    From 0 to 1. Precision divides by k, however short the list is. A query without a relevant document counts 0.
    Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`; k is 1 here, and stands in the names of metrics (`f1_5`).

    Returns
    -------
    float or Undefined

    References
    ----------
    F1@k of key phrases, such as Kim et al. (2010), SemEval-2010 Task 5, of each query.

    Examples
    --------
    >>> f1(["a:1 b:1 c:1"], ["a x"])
    0.5
    """
    return MeanOfQueries(f1_of_query).value(y_true, y_pred, rules)


def success(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Share of queries with a relevant document among the first k.

    From 0 to 1. Without a k it is 1. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    trec_eval 9, `success`.

    Examples
    --------
    >>> success(["a:1", "b:1"], ["a b", "c b"])
    0.5
    """
    return MeanOfQueries(success_of_query).value(y_true, y_pred, rules)


def r_precision(y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL) -> float | Undefined:
    """Mean over queries of the precision among the first R documents, where R documents are relevant.

    From 0 to 1. A query without a relevant document counts 0. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    trec_eval 9, `Rprec`.

    Examples
    --------
    >>> r_precision(["a:1 b:1"], ["a c b"])
    0.5
    """
    return MeanOfQueries(r_precision_of_query).value(y_true, y_pred, rules)


def rank_biased_precision(
    y_true: Iterable[str], y_pred: Iterable[str], rules: RankedList = ALL
) -> float | Undefined:
    """Mean over queries of (1 - p) times the sum of p^(rank - 1) over relevant documents, with p = 0.8.

    From 0 to 1, which no finite list reaches. Undefined as `ndcg` is.

    Parameters
    ----------
    y_true, y_pred, rules
        As for `ndcg`.

    Returns
    -------
    float or Undefined

    References
    ----------
    Moffat and Zobel (2008), doi:10.1145/1416950.1416952.

    Examples
    --------
    >>> round(rank_biased_precision(["a:1"], ["b a"]), 6)
    0.16
    """
    return MeanOfQueries(biased_precision_of_query).value(y_true, y_pred, rules)
