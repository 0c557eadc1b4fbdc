"""The metrics of ranked lists by their names, some of which have a cut-off or a persistence in them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from catalogue.answers import AnswerKind, RankedList
from catalogue.metrics.metric import AnyMetric, Metric
from catalogue.metrics.ranking import capped, means
from catalogue.metrics.ranking import of_query as numbers
from catalogue.metrics.ranking.of_query import USUAL_PERSISTENCE, OfQuery
from catalogue.metrics.statistics import Floats

_UNDEFINED = {means.NOTHING_ANSWERED: "No query is answered, so that there is no mean over answered queries."}
_AS_ZERO = "_missing_as_0"
_DEEPEST = 10_000
_CUT = re.compile("(.+)_([1-9][0-9]{0,4})")
_PERSISTENCE = re.compile(r"rbp_(0\.[0-9]{1,4})")
_TREC_EVAL = "trec_eval 9, {}; pytrec_eval-terrier 0.5.11"


@dataclass(frozen=True, slots=True)
class _Recipe:
    """What a metric is made of, whatever becomes of queries without an answer."""

    title: str
    documented: Callable[..., Any]
    of_query: OfQuery
    reference: str

    def made(self, name: str, *, as_zero: bool = False) -> Metric[Sequence[str], Sequence[str], RankedList]:
        mean = means.MeanOfQueries(self.of_query, as_zero)
        return Metric(
            name=name,
            title=f"{self.title}, missing queries as 0" if as_zero else self.title,
            kinds=(RankedList,),
            statistic=means.STATISTIC,
            formula=wraps(self.documented)(lambda *read: mean.value(*read)),
            resampled=mean.summed,
            reference=self.reference,
            undefined={} if as_zero else _UNDEFINED,
        )


def _of_trec_eval(called: str, title: str, documented: Callable[..., Any], of_query: OfQuery) -> _Recipe:
    return _Recipe(title, documented, of_query, _TREC_EVAL.format(called))


# By the stem of a name with a cut-off: the title, the documentation and the number of a query.
_CUTS: dict[str, tuple[str, Callable[..., Any], Callable[..., float]]] = {
    "ndcg_cut": ("nDCG@{}", means.ndcg, numbers.ndcg_of_query),
    "map_cut": ("MAP@{}", means.mean_average_precision, numbers.average_precision_of_query),
    "recip_rank_cut": ("MRR@{}", means.reciprocal_rank, numbers.reciprocal_rank_of_query),
    "recall": ("Recall@{}", means.recall, numbers.recall_of_query),
    "P": ("P@{}", means.precision, numbers.precision_of_query),
    "f1": ("F1@{}", means.f1, numbers.f1_of_query),
    "success": ("Success@{}", means.success, numbers.success_of_query),
    "ndcg_exp_cut": (
        "nDCG@{}, exponential gains",
        capped.exponential_ndcg,
        numbers.exponential_ndcg_of_query,
    ),
    "map_capped": ("MAP@{}, capped", capped.capped_precision, numbers.capped_precision_of_query),
    "recall_capped": ("Recall@{}, capped", capped.capped_recall, numbers.capped_recall_of_query),
}


_BURGES = "doi:10.1145/1102351.1102363"
_NOT_OF_TREC_EVAL = {
    "f1": "harmonic mean of trec_eval 9's P and recall of each query",
    "ndcg_exp_cut": _BURGES,
    "map_capped": "Kaggle's MAP@k, ml_metrics",
    "recall_capped": "BEIR (arXiv:2104.08663)",
}


def _cut(stem: str, cut: int) -> _Recipe:
    title, documented, number = _CUTS[stem]

    def of_query(found: Floats, best: Floats, level: int) -> float:
        return number(found, best, level, cut)

    reference = _NOT_OF_TREC_EVAL.get(stem, _TREC_EVAL.format(stem))
    return _Recipe(title.format(cut), documented, of_query, reference)


def _rbp(persistence: float) -> _Recipe:
    def of_query(found: Floats, best: Floats, level: int) -> float:
        return numbers.biased_precision_of_query(found, best, level, persistence)

    title = f"Rank-biased precision, p = {persistence:g}"
    return _Recipe(title, means.rank_biased_precision, of_query, "doi:10.1145/1416950.1416952")


_PLAIN = {
    "ndcg": _of_trec_eval("ndcg", "nDCG", means.ndcg, numbers.ndcg_of_query),
    "map": _of_trec_eval("map", "MAP", means.mean_average_precision, numbers.average_precision_of_query),
    "recip_rank": _of_trec_eval("recip_rank", "MRR", means.reciprocal_rank, numbers.reciprocal_rank_of_query),
    "Rprec": _of_trec_eval("Rprec", "R-precision", means.r_precision, numbers.r_precision_of_query),
    "rbp": _rbp(USUAL_PERSISTENCE),
    "ndcg_exp": _Recipe(
        "nDCG, exponential gains", capped.exponential_ndcg, numbers.exponential_ndcg_of_query, _BURGES
    ),
}
_USUAL_CUTS = (
    ("ndcg_cut", 10),
    ("recall", 100),
    ("P", 10),
    ("recip_rank_cut", 10),
    ("f1", 5),
    ("success", 1),
    ("ndcg_exp_cut", 10),
    ("map_capped", 10),
    ("recall_capped", 10),
)
METRICS = (
    *(recipe.made(name) for name, recipe in _PLAIN.items()),
    *(_cut(stem, cut).made(f"{stem}_{cut}") for stem, cut in _USUAL_CUTS),
)


def ranking_metric(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric of ranked lists with a cut-off in its name, such as `ndcg_cut_50`, or a persistence, `rbp_0.95`.

    With `_missing_as_0` behind the name of any, a query without an answer counts 0. None where there is none.
    """
    stem = name.removesuffix(_AS_ZERO)
    recipe = (_PLAIN.get(stem) or _with_parameter(stem)) if kind.is_ranking else None
    return recipe.made(name, as_zero=stem != name) if recipe else None


def _with_parameter(name: str) -> _Recipe | None:
    if (cut := _CUT.fullmatch(name)) and cut[1] in _CUTS and int(cut[2]) <= _DEEPEST:
        return _cut(cut[1], int(cut[2]))
    if (persistence := _PERSISTENCE.fullmatch(name)) and float(persistence[1]) > 0:
        return _rbp(float(persistence[1]))
    return None
