"""The numbers of one query, which metrics of ranked lists are means of."""

from typing import Protocol

import numpy as np

from catalogue.metrics.statistics import Floats

USUAL_PERSISTENCE = 0.8


class OfQuery(Protocol):
    """The number of one query: `found` are the grades of the list's documents in their order, `best` all grades above 0
    from the highest down; documents are relevant from `level` on."""

    def __call__(self, found: Floats, best: Floats, level: int) -> float: ...


# The numbers of one query, which may be cut: only the first so many documents count.


def _dcg(grades: Floats) -> float:
    return float((grades / np.log2(np.arange(2, len(grades) + 2))).sum())


def ndcg_of_query(found: Floats, best: Floats, level: int, cut: int | None = None) -> float:
    ideal = _dcg(best[:cut])
    return _dcg(np.maximum(found[:cut], 0)) / ideal if ideal else 0.0


def exponential_ndcg_of_query(found: Floats, best: Floats, level: int, cut: int | None = None) -> float:
    """Gains of 2 to the power of the grade, less 1, in units of the highest so that no power is too large."""
    highest = float(best[0]) if len(best) else 0.0
    gains, ideal = (np.exp2(np.maximum(grades, 0) - highest) - np.exp2(-highest) for grades in (found, best))
    return ndcg_of_query(gains, ideal, level, cut)


def capped_precision_of_query(found: Floats, best: Floats, level: int, cut: int) -> float:
    return _capped(average_precision_of_query(found, best, level, cut), best, level, cut)


def capped_recall_of_query(found: Floats, best: Floats, level: int, cut: int) -> float:
    return _capped(recall_of_query(found, best, level, cut), best, level, cut)


def _capped(share: float, best: Floats, level: int, cut: int) -> float:
    """A share of all relevant documents, of as many as the first so many can be."""
    relevant = int(np.count_nonzero(best >= level))
    return share * relevant / min(relevant, cut) if relevant else 0.0


def average_precision_of_query(found: Floats, best: Floats, level: int, cut: int | None = None) -> float:
    ranks = np.flatnonzero(found[:cut] >= level) + 1
    relevant = np.count_nonzero(best >= level)
    return float((np.arange(1, len(ranks) + 1) / ranks).sum() / relevant) if relevant else 0.0


def reciprocal_rank_of_query(found: Floats, best: Floats, level: int, cut: int | None = None) -> float:
    ranks = np.flatnonzero(found[:cut] >= level) + 1
    return float(1 / ranks[0]) if len(ranks) else 0.0


def recall_of_query(found: Floats, best: Floats, level: int, cut: int | None = None) -> float:
    relevant = np.count_nonzero(best >= level)
    return np.count_nonzero(found[:cut] >= level) / relevant if relevant else 0.0


def precision_of_query(found: Floats, best: Floats, level: int, cut: int = 1) -> float:
    return np.count_nonzero(found[:cut] >= level) / cut


def f1_of_query(found: Floats, best: Floats, level: int, cut: int = 1) -> float:
    hits = np.count_nonzero(found[:cut] >= level)
    return 2 * hits / (cut + np.count_nonzero(best >= level))


def success_of_query(found: Floats, best: Floats, level: int, cut: int = 1) -> float:
    return float((found[:cut] >= level).any())


def r_precision_of_query(found: Floats, best: Floats, level: int) -> float:
    relevant = int(np.count_nonzero(best >= level))
    return np.count_nonzero(found[:relevant] >= level) / relevant if relevant else 0.0


def biased_precision_of_query(
    found: Floats, best: Floats, level: int, persistence: float = USUAL_PERSISTENCE
) -> float:
    ranks = np.flatnonzero(found >= level)
    return float((1 - persistence) * (persistence**ranks).sum())
