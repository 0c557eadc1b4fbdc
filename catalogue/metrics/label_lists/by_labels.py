"""Metrics of lists of labels that are means over the labels: counts label by label, of thousands of them."""

from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np

from catalogue.answers import ManyLabels
from catalogue.metrics.label_lists.memberships import Members, Memberships, members
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import AlongWeights, DeterminedBy, Floats, Statistic, Weights, quotient

_AT_ONCE = 2_000_000  # counts, so that no more is held than a processor likes
_NO_GOLD = "no_gold_label"


def f1_macro(found: Members) -> float:
    """Mean of the F1 of every declared label; a label that is not seen counts 0.

    From 0 (no label right anywhere) to 1 (every list exactly right and every declared label in the gold labels). Never
    undefined.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="macro", zero_division=0)` of indicator matrices over all declared labels.

    Examples
    --------
    Of three labels the first is found, the second predicted for one item too many, the third missed.

    >>> round(f1_macro(_EXAMPLE), 4)
    0.5556
    """
    return fsum(_f1(*_counts(found)).tolist()) / found.label_count


def f1_weighted(found: Members) -> float | Undefined:
    """Mean of the F1 of the labels, each as often as it stands in the gold labels.

    From 0 (no label right anywhere) to 1 (every list exactly right). Undefined, with code `no_gold_label`, where every
    gold list is empty; scikit-learn says 0 there.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `f1_score(average="weighted", zero_division=0)` of indicator matrices over all declared labels.

    Examples
    --------
    >>> round(f1_weighted(_EXAMPLE), 4)
    0.5556
    """
    right, predicted, gold = _counts(found)
    if not gold.any():
        return Undefined(_NO_GOLD)
    return fsum((_f1(right, predicted, gold) * gold).tolist()) / fsum(gold.tolist())


def _counts(found: Members) -> tuple[Floats, Floats, Floats]:
    """Per label, how often it is right, predicted and in the gold labels."""

    def count(pairs: Memberships) -> Floats:
        return np.bincount(pairs.codes, minlength=found.label_count).astype(np.float64)

    return count(found.shared), count(found.predicted), count(found.gold)


def _f1(right: Floats, predicted: Floats, gold: Floats) -> Floats:
    return quotient(2 * right, predicted + gold, 0.0)


def _macro(f1: Floats, gold: Floats) -> Floats:
    return np.asarray(f1.mean(axis=0))


def _weighted(f1: Floats, gold: Floats) -> Floats:
    return quotient((f1 * gold).sum(axis=0), gold.sum(axis=0, dtype=np.float64))


def _along(mean: Callable[[Floats, Floats], Floats]) -> Callable[[Members, Weights], Floats]:
    """The mean of the labels' F1 in each resample, some resamples at once."""

    def formula(found: Members, by_item: Weights) -> Floats:
        right, predicted, gold = (
            _matrix(pairs, found) for pairs in (found.shared, found.predicted, found.gold)
        )
        at_once = max(1, _AT_ONCE // max(found.label_count, found.item_count))
        values = []
        for start in range(0, by_item.shape[1], at_once):
            some = np.ascontiguousarray(by_item[:, start : start + at_once], dtype=np.int32)
            of_gold = gold @ some
            values.append(mean(_f1(right @ some, predicted @ some, of_gold), of_gold))
        return np.concatenate(values)

    return formula


def _matrix(pairs: Memberships, found: Members) -> Any:
    from scipy.sparse import csr_array

    ones = np.ones(len(pairs.items), dtype=np.int32)
    return csr_array((ones, (pairs.codes, pairs.items)), shape=(found.label_count, found.item_count))


_EXAMPLE = Members(
    Memberships(np.array([0, 1]), np.array([0, 1])),
    Memberships(np.array([0, 0, 1]), np.array([0, 1, 1])),
    Memberships(np.array([0, 1, 1]), np.array([0, 1, 2])),
    item_count=2,
    label_count=3,
)
_ITEMS = Statistic(members, DeterminedBy.ITEMS)

METRICS = (
    Metric(
        name="f1_macro",
        title="F1 macro",
        kinds=(ManyLabels,),
        statistic=_ITEMS,
        formula=f1_macro,
        resampled=AlongWeights(_along(_macro)),
        reference='scikit-learn, f1_score(average="macro", zero_division=0) over all declared labels',
    ),
    Metric(
        name="f1_weighted",
        title="F1 weighted by gold labels",
        kinds=(ManyLabels,),
        statistic=_ITEMS,
        formula=f1_weighted,
        resampled=AlongWeights(_along(_weighted)),
        reference='scikit-learn, f1_score(average="weighted", zero_division=0) over all declared labels',
        undefined={_NO_GOLD: "No item has a gold label."},
    ),
)
