"""The information contrast model: what labels, and what they are kinds of, tell that is right, less what is wrong."""

from collections.abc import Callable
from functools import partial
from math import fsum, inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.ancestors import all_names, has_one_tree, with_ancestors
from catalogue.answers import AnswerKind, Label, ManyLabels
from catalogue.answers.across_labels.many_labels import labels_in
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import AlongWeights, DeterminedBy, Floats, Statistic, Weights, quotient

_AT_ONCE = 2_000_000  # counts, so that no more is held than a processor likes
_NOTHING_TOLD = "nothing_told"
_REFERENCE = "doi:10.18653/v1/2022.acl-long.399; PyEvALL, {}"
Places = NDArray[np.intp]


class Told(NamedTuple):
    """Which items have which names, labels and all that they are kinds of, as pairs of an item and a name.

    `above` has for each name the place of what it is a kind of, -1 for none.
    """

    gold: NDArray[np.intp]
    predicted: NDArray[np.intp]
    above: Places
    item_count: int


def icm(told: Told) -> float:
    """Mean over items of the information that gold labels and answers share, less what only one of them tells.

    The information of a name is -log2 of the share of items that have it in the gold labels, or anything that is a kind
    of it; of one that no item has, -log2 of 1 by the number of items. A name tells what it has more than the name above
    it. From minus infinity to what the gold labels tell themselves (`icm` of the gold labels). Never undefined.

    Parameters
    ----------
    told : Told
        Which items have which names.

    Returns
    -------
    float
        In bits.

    References
    ----------
    Amigó and Delgado (2022), doi:10.18653/v1/2022.acl-long.399, with alpha 2, 2 and beta 3: `ICM` of PyEvALL.

    Examples
    --------
    Two labels of one bit each; one item is right, one is wrong.

    >>> icm(Told(np.array([[0, 1], [0, 1]]), np.array([[0, 1], [0, 0]]), np.array([-1, -1]), 2))
    -0.5
    """
    return _of_all(told)[0]


def icm_norm(told: Told) -> float | Undefined:
    """`icm` on a scale on which the gold labels have 1, and all of their information missed and as much wrong 0.

    From 0, also for what is lower, to 1. Undefined, with code `nothing_told`, where all items have the same gold
    labels.

    Parameters
    ----------
    told : Told
        Which items have which names.

    Returns
    -------
    float or Undefined

    References
    ----------
    `ICMNorm` of PyEvALL: (ICM + G) / 2 G, where G is the ICM of the gold labels.

    Examples
    --------
    >>> icm_norm(Told(np.array([[0, 1], [0, 1]]), np.array([[0, 1], [0, 0]]), np.array([-1, -1]), 2))
    0.25
    """
    score, best = _of_all(told)
    return normalised(score, best) if best else Undefined(_NOTHING_TOLD)


def normalised(score: float, best: float) -> float:
    """A score on the scale from 0, minus the best, to 1, the best."""
    return max(0.0, (score + best) / (2 * best))


def above_each(kind: AnswerKind) -> tuple[tuple[str, ...], Places]:
    """All names, the labels first, and for each the place of what it is a kind of, -1 for none."""
    names, above = all_names(kind.labels, kind.parents), dict(kind.parents)
    place = {name: at for at, name in enumerate(names)}
    return names, np.array([place[above[name][0]] if above.get(name) else -1 for name in names])


def not_in_a_tree(kind: AnswerKind) -> str:
    return (
        ""
        if has_one_tree(kind.parents)
        else "labels each of which is a kind of one other at most (`parents`)"
    )


def _told(comparison: Comparison) -> tuple[Told]:
    kind = comparison.output
    names, above = above_each(kind)
    place = {name: at for at, name in enumerate(names)}
    closures = [sorted(place[one] for one in with_ancestors(kind.parents, [label])) for label in kind.labels]

    def pairs(answers: NDArray[Any]) -> Places:
        known: dict[Any, list[int]] = {}
        found = answers.tolist()
        for answer in set(found):
            codes = (
                [answer] if isinstance(answer, int) else [place[label] for label in labels_in(str(answer))]
            )
            known[answer] = sorted({name for code in codes for name in closures[code]})
        counts = [len(known[answer]) for answer in found]
        held = np.fromiter((name for answer in found for name in known[answer]), np.intp, sum(counts))
        return np.stack([np.repeat(np.arange(len(found)), counts), held])

    return (Told(pairs(comparison.y_true), pairs(comparison.y_pred), above, len(comparison.y_true)),)


def _of_all(told: Told) -> tuple[float, float]:
    """The score, and that of the gold labels."""
    count = told.item_count
    shared, either, gold = _information(
        told, _Counts(*map(partial(_counted, told), _pairs(told))), float(count)
    )
    return fsum((shared - either).tolist()) / count, fsum(gold.tolist()) / count


class _Counts(NamedTuple):
    """How many items have each name: in the gold labels, in the answers, in both. Each (n_names,) or with resamples."""

    gold: Floats
    predicted: Floats
    both: Floats


def _pairs(told: Told) -> tuple[Places, Places, Places]:
    """The pairs of gold labels, of answers, and those in both."""
    gold, predicted = told.gold, told.predicted
    width = len(told.above)
    items, names = np.divmod(
        np.intersect1d(gold[0] * width + gold[1], predicted[0] * width + predicted[1]), width
    )
    return gold, predicted, np.stack([items, names])


def _counted(told: Told, pairs: Places) -> Floats:
    return np.bincount(pairs[1], minlength=len(told.above)).astype(np.float64)


def _information(told: Told, counts: _Counts, total: float | Floats) -> tuple[Floats, Floats, Floats]:
    """What each name tells, times the items that have it on both sides, on one side alone, and in the gold labels."""
    bits = np.log2(total / np.maximum(counts.gold, 1))
    above = told.above.reshape(-1, *[1] * (bits.ndim - 1))
    further = bits - np.where(above >= 0, bits[told.above], 0)
    return (
        further * counts.both,
        further * (counts.gold + counts.predicted - 2 * counts.both),
        further * counts.gold,
    )


def _matrix(pairs: Places, told: Told) -> Any:
    from scipy.sparse import csr_array

    items, names = pairs
    ones = np.ones(len(items), dtype=np.int64)
    return csr_array((ones, (names, items)), shape=(len(told.above), told.item_count))


def _along(finish: Callable[[Floats, Floats], Floats]) -> Callable[[Told, Weights], Floats]:
    """The score of each resample, some resamples at once; how rare names are is counted anew in each."""

    def formula(told: Told, by_item: Weights) -> Floats:
        at_once = max(1, _AT_ONCE // max(len(told.above), told.item_count))
        matrices = [_matrix(pairs, told) for pairs in _pairs(told)]
        values = []
        for start in range(0, by_item.shape[1], at_once):
            some = np.ascontiguousarray(by_item[:, start : start + at_once], dtype=np.int64)
            total = some.sum(axis=0, dtype=np.float64)
            counts = _Counts(*(np.asarray(of_items @ some, dtype=np.float64) for of_items in matrices))
            shared, either, gold = (one.sum(axis=0) for one in _information(told, counts, total))
            values.append(finish((shared - either) / total, gold / total))
        return np.concatenate(values)

    return formula


def _score(score: Floats, best: Floats) -> Floats:
    return score


def _norm(score: Floats, best: Floats) -> Floats:
    return np.asarray(np.maximum(quotient(score + best, 2 * best), 0))


METRICS = (
    Metric(
        name="icm",
        title="ICM",
        kinds=(Label, ManyLabels),
        statistic=Statistic(_told, DeterminedBy.ITEMS),
        formula=icm,
        resampled=AlongWeights(_along(_score)),
        reference=_REFERENCE.format("ICM"),
        low=-inf,
        high=inf,
        unfit=not_in_a_tree,
        needs_one_gold=True,
    ),
    Metric(
        name="icm_norm",
        title="ICM, normalised",
        kinds=(Label, ManyLabels),
        statistic=Statistic(_told, DeterminedBy.ITEMS),
        formula=icm_norm,
        resampled=AlongWeights(_along(_norm)),
        reference=_REFERENCE.format("ICMNorm"),
        undefined={_NOTHING_TOLD: "All items have the same gold labels, which tell nothing."},
        unfit=not_in_a_tree,
        needs_one_gold=True,
    ),
)
