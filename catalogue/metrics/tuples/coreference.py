"""Coreference: one part of a tuple says the cluster and the others the mention, as in `muc_f1[cluster]`.

Numbers of all items follow from sums over items, as those of the official scorer do over documents.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from math import comb, isnan

import numpy as np

from catalogue.answers import AnswerKind, TextTuples
from catalogue.answers.structured.text_tuples import tuples_in
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfItems, quotient
from catalogue.metrics.texts.reading import kept
from catalogue.metrics.tuples.of_tuples import Texts, parts_named, texts

_WITHOUT_SINGLETONS = "_no_singletons"
_NOTHING = (
    "no_cluster_seen",
    "There is nothing to count: no mention, or for MUC no cluster of two mentions.",
)

Numbers = tuple[float, ...]


class Clusters:
    """The clusters of one item on both sides, and how many mentions each pair of them shares.

    Parameters
    ----------
    gold, found : dict
        The cluster of each mention.
    """

    def __init__(self, gold: dict[Texts, str], found: dict[Texts, str]) -> None:
        self.gold, self.found = Counter(gold.values()), Counter(found.values())
        self.shared = Counter((gold[mention], found[mention]) for mention in gold.keys() & found.keys())

    def muc(self) -> Numbers:
        right = self.shared.total() - len(self.shared)
        return right, self.gold.total() - len(self.gold), right, self.found.total() - len(self.found)

    def b_cubed(self) -> Numbers:
        recalled, precise = (
            sum(count**2 / sizes[pair[side]] for pair, count in self.shared.items())
            for side, sizes in enumerate((self.gold, self.found))
        )
        return recalled, self.gold.total(), precise, self.found.total()

    def ceaf_m(self) -> Numbers:
        right = self._aligned(lambda pair: self.shared[pair])
        return right, self.gold.total(), right, self.found.total()

    def ceaf_e(self) -> Numbers:
        right = self._aligned(lambda pair: 2 * self.shared[pair] / (self.gold[pair[0]] + self.found[pair[1]]))
        return right, len(self.gold), right, len(self.found)

    def _aligned(self, alike: Callable[[tuple[str, str]], float]) -> float:
        """How alike clusters are that are paired one to one, so that all together are most alike."""
        from scipy.optimize import linear_sum_assignment

        rows, columns = ({name: place for place, name in enumerate(side)} for side in (self.gold, self.found))
        table = np.zeros((len(rows), len(columns)))
        for pair in self.shared:
            table[rows[pair[0]], columns[pair[1]]] = alike(pair)
        return float(table[linear_sum_assignment(table, maximize=True)].sum())

    def lea(self) -> Numbers:
        def resolved(side: int) -> float:
            own, other = (self.gold, self.found) if side == 0 else (self.found, self.gold)
            total = 0.0
            for pair, count in self.shared.items():
                size = own[pair[side]]
                total += comb(count, 2) * 2 / (size - 1) if size > 1 else other[pair[1 - side]] == 1
            return total

        return resolved(0), self.gold.total(), resolved(1), self.found.total()

    def blanc(self) -> Numbers:
        """Links within clusters and those between them: right, gold and predicted ones of either."""

        def within(sizes: Counter[str]) -> int:
            return sum(comb(size, 2) for size in sizes.values())

        left: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        for pair, count in self.shared.items():
            for side in (0, 1):
                left[side][pair[side]] += count
        both = sum(comb(count, 2) for count in self.shared.values())
        apart = comb(self.shared.total(), 2) - within(left[0]) - within(left[1]) + both
        counted = [
            (within(sizes), comb(sizes.total(), 2) - within(sizes)) for sizes in (self.gold, self.found)
        ]
        return both, counted[0][0], both, counted[1][0], apart, counted[0][1], apart, counted[1][1]

    def conll(self) -> Numbers:
        return self.muc() + self.b_cubed() + self.ceaf_e()


def _recall(sums: Floats) -> Floats:
    return quotient(sums[0], sums[1])


def _precision(sums: Floats) -> Floats:
    return quotient(sums[2], sums[3])


def _f1(sums: Floats) -> Floats:
    recall, precision = quotient(sums[0], sums[1], 0.0), quotient(sums[2], sums[3], 0.0)
    found = quotient(2 * recall * precision, recall + precision, 0.0)
    return np.where(sums[1] + sums[3] > 0, found, np.nan)


def _mean_f1(sums: Floats) -> Floats:
    return np.asarray(np.mean([_f1(sums[start : start + 4]) for start in range(0, len(sums), 4)], axis=0))


def _mean_of_links(sums: Floats) -> Floats:
    """The mean of F1 of both kinds of links; of one of them alone where neither side has the other."""
    within, between = _f1(sums[:4]), _f1(sums[4:])
    there = np.where(np.isnan(within), between, within), np.where(np.isnan(between), within, between)
    return np.asarray(np.mean(there, axis=0))


_MEASURES = {
    "muc": ("MUC", Clusters.muc, "Vilain et al. (1995)"),
    "b_cubed": ("B-cubed", Clusters.b_cubed, "Bagga and Baldwin (1998)"),
    "ceaf_m": ("CEAF-m", Clusters.ceaf_m, "Luo (2005)"),
    "ceaf_e": ("CEAF-e", Clusters.ceaf_e, "Luo (2005)"),
    "lea": (
        "LEA",
        Clusters.lea,
        "Moosavi and Strube (2016), doi:10.18653/v1/P16-1060, singletons as in coval",
    ),
}
_FINISH = {"f1": ("F1", _f1), "precision": ("precision", _precision), "recall": ("recall", _recall)}
_SCORER = "reference scorer of CoNLL, Pradhan et al. (2014), doi:10.3115/v1/P14-2006"
_ALL = {
    f"{measure}_{number}": (f"{title} {said}", counts, finish, f"{source}; {_SCORER}")
    for measure, (title, counts, source) in _MEASURES.items()
    for number, (said, finish) in _FINISH.items()
} | {
    "blanc": (
        "BLANC",
        Clusters.blanc,
        _mean_of_links,
        f"Luo et al. (2014), doi:10.3115/v1/P14-2005; {_SCORER}",
    ),
    "conll_f1": ("CoNLL F1", Clusters.conll, _mean_f1, f"mean of MUC, B-cubed and CEAF-e; {_SCORER}"),
}


def coreference_metric(kind: AnswerKind, name: str) -> Metric[Texts, Texts] | None:
    """The metric of clusters of mentions, as `conll_f1[cluster]`; None if it is no such name or no part is a mention.

    A mention that stands in several clusters of an item is in the first of them, in the order of their names.

    Examples
    --------
    >>> coreference_metric(TextTuples(("start", "end", "cluster")), "conll_f1[cluster]").title
    'CoNLL F1'
    >>> coreference_metric(TextTuples(("cluster",)), "conll_f1[cluster]") is None
    True
    """
    stem, pieces = parts_of(name) or ("", [])
    is_without = stem.endswith(_WITHOUT_SINGLETONS)
    made, places = _ALL.get(stem.removesuffix(_WITHOUT_SINGLETONS)), parts_named(kind, pieces)
    if not made or not places or len(places) > 1 or len(kind.tuple_parts) == 1:
        return None
    title, counts, finish, source = made
    sums: SumsOfItems[Texts, Texts] = SumsOfItems(
        kept(partial(_counts_of_items, counts, places[0], is_without)), finish
    )

    def value(y_true: Texts, y_pred: Texts) -> float | Undefined:
        """How well mentions are put together in clusters. From 0 to 1. Undefined where there is nothing to count."""
        found = sums.of_all(y_true, y_pred)
        return Undefined(_NOTHING[0]) if isnan(found) else found

    return Metric(
        name=name,
        title=f"{title} without singletons" if is_without else title,
        kinds=(TextTuples,),
        statistic=Statistic(texts, DeterminedBy.ITEMS),
        formula=value,
        resampled=sums,
        reference=source,
        undefined=dict([_NOTHING]),
    )


def _counts_of_items(
    counts: Callable[[Clusters], Numbers], place: int, is_without: bool, y_true: Texts, y_pred: Texts
) -> Floats:
    """What is counted of each item: shape (n_counts, n_items)."""

    def read(text: str) -> dict[Texts, str]:
        cluster_of: dict[Texts, str] = {}
        for one in sorted(tuples_in(text), key=lambda texts: texts[place]):
            cluster_of.setdefault(one[:place] + one[place + 1 :], one[place])
        sizes = Counter(cluster_of.values())
        return {mention: name for mention, name in cluster_of.items() if sizes[name] > is_without}

    pairs = zip(map(read, y_true), map(read, y_pred), strict=True)
    return np.array([counts(Clusters(*pair)) for pair in pairs], dtype=np.float64).T
