"""Metrics for exactly one label per item.

They take `LabelCounts`. A label is *seen* if it occurs in the gold labels or in the predictions. Means over labels are
summed exactly (`math.fsum`), so the order in which labels are declared changes no bit. Beside each formula stands its
form along an axis of resamples, on arrays of shape (label_count, replicates).
"""

from collections.abc import Callable, Collection
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import PREFERENCES, ConfidentLabel, Label, OrderedLabel
from catalogue.comparison import Counts, LabelCounts
from catalogue.metrics.label_effect import mean_of_f1, one_item
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import (
    COUNTS,
    DECLARED_COUNTS,
    RIGHT_ITEMS,
    TOTAL_COUNTS,
    AlongCounts,
    Floats,
    MeanOfSeen,
)

OF_ANY_LABELS = (Label, ConfidentLabel)
ONE_LABEL = (*OF_ANY_LABELS, OrderedLabel, *PREFERENCES)
_SOKOLOVA = "doi:10.1016/j.ipm.2009.03.002"


def accuracy(right: Counts, item_count: Counts) -> float:
    """Share of items whose prediction is the gold label.

    From 0 (none right) to 1 (all right). Never undefined.

    Parameters
    ----------
    right : int
        Items that are right, without those of labels that count as wrong even where the gold label is the same
        (RumourEval B: unverified).
    item_count : int
        At least 1.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score`; RumourEval 2019's official scorer for labels that are never right.

    Examples
    --------
    >>> accuracy(np.array(7), np.array(8))
    0.875
    """
    return int(right) / int(item_count)


def f1_macro(counts: LabelCounts) -> float:
    """Mean of the F1 of every label seen in the gold labels or in the predictions.

    From 0 (no item right) to 1 (all right). Never undefined: a label that is only in the gold labels or only
    in the predictions counts 0, a label in neither is left out of the mean.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float

    Notes
    -----
    Predicting a label that the gold labels lack adds a 0 to the mean; so two systems can be averaged over a
    different number of labels. `f1_macro_declared` has the same divisor for all.

    References
    ----------
    RAFT's official scorer: scikit-learn, `f1_score(average="macro")` without `labels`.

    Examples
    --------
    The third label is not seen, so the mean is over two.

    >>> f1_macro(LabelCounts(right=np.array([3, 3, 0]), predicted=np.array([4, 4, 0]), gold=np.array([4, 4, 0])))
    0.75
    """
    totals = counts.predicted + counts.gold
    f1 = 2 * counts.right[totals > 0] / totals[totals > 0]
    return fsum(f1.tolist()) / len(f1)


def f1_macro_declared(counts: LabelCounts, never_right: Collection[int] = ()) -> float:
    """Mean of the F1 of every declared label; a label that is not seen counts 0.

    From 0 (no item right) to 1 (all right and every declared label in the gold labels). Never undefined.
    Of sets of labels it is the macro F1: predicting a label that the gold labels lack adds no label to the mean.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.
    never_right : collection of int
        Codes of labels that stand in no gold file; they are left out of the mean.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="macro", labels=<all declared labels>, zero_division=0)`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([3, 3, 0]), predicted=np.array([4, 4, 0]), gold=np.array([4, 4, 0]))
    >>> f1_macro_declared(counts)
    0.5
    """
    asked = np.delete(np.arange(len(counts.gold)), list(never_right))
    return fsum(f1_of_labels(counts)[asked].tolist()) / len(asked)


def f1_micro(counts: LabelCounts) -> float | Undefined:
    """F1 of the right and wrong answers of all labels taken together.

    From 0 (none right) to 1 (all right). With exactly one label per item each wrong answer is one false
    positive and one false negative, so this equals the plain accuracy and is never undefined. With sets of
    labels it is undefined, with code `no_label_seen`, where all sets are empty; scikit-learn says 0 there.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `f1_score(average="micro")`.

    Examples
    --------
    >>> f1_micro(LabelCounts(right=np.array([3, 4]), predicted=np.array([3, 5]), gold=np.array([4, 4])))
    0.875
    """
    total = int(counts.predicted.sum()) + int(counts.gold.sum())
    return 2 * int(counts.right.sum()) / total if total else Undefined("no_label_seen")


def f1_weighted(counts: LabelCounts) -> float:
    """Mean of the F1 of each label, weighted by its number of gold items.

    From 0 (no item right) to 1 (all right). Never undefined: a label without gold items has no weight.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="weighted")`.

    Examples
    --------
    >>> f1_weighted(LabelCounts(right=np.array([3, 1, 2]), predicted=np.array([4, 2, 2]), gold=np.array([4, 2, 2])))
    0.75
    """
    return fsum((f1_of_labels(counts) * counts.gold).tolist()) / int(counts.gold.sum())


def precision_macro(counts: LabelCounts) -> float:
    """Mean over the labels seen of the share of a label's predictions that are right.

    From 0 (no item right) to 1 (all right). Never undefined: a gold label that is never predicted counts 0.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `precision_score(average="macro", zero_division=0)`.

    Examples
    --------
    >>> precision_macro(LabelCounts(right=np.array([1, 3]), predicted=np.array([1, 4]), gold=np.array([2, 3])))
    0.875
    """
    return _macro_over_seen(counts, counts.predicted)


def recall_macro(counts: LabelCounts) -> float:
    """Mean over the labels seen of the share of a label's gold items that are found.

    From 0 (no item right) to 1 (all right). Never undefined: a predicted label without gold items counts 0.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `recall_score(average="macro", zero_division=0)`.

    Examples
    --------
    >>> recall_macro(LabelCounts(right=np.array([1, 3]), predicted=np.array([1, 4]), gold=np.array([2, 3])))
    0.75
    """
    return _macro_over_seen(counts, counts.gold)


def f1_of_labels(counts: LabelCounts) -> Floats:
    """F1 of each declared label, and 0 for a label that is not seen."""
    return share(2 * counts.right, counts.predicted + counts.gold)


def share(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """`part / whole` of counts, and 0 where there is no whole and so no part."""
    return np.asarray(part / np.maximum(whole, 1))


def share_or_nan(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """`part / whole` of counts, and NaN where there is no whole."""
    return np.where(whole > 0, share(part, whole), np.nan)


def _macro_over_seen(counts: LabelCounts, totals: Counts) -> float:
    return fsum(share(counts.right, totals).tolist()) / int(_seen_count(counts))


def is_seen(counts: LabelCounts) -> NDArray[np.bool_]:
    """Of each declared label whether it stands in the gold labels or in the predictions."""
    return np.asarray(counts.predicted + counts.gold > 0)


def _seen_count(counts: LabelCounts) -> Counts:
    return np.asarray(is_seen(counts).sum(axis=0, dtype=np.int32))


def _accuracy_along(right: Counts, item_count: Counts) -> Floats:
    return np.asarray(right / item_count)


def _mean_of_seen(of_labels: Callable[[LabelCounts], Floats]) -> MeanOfSeen:
    return MeanOfSeen(lambda counts: share(of_labels(counts).sum(axis=0), _seen_count(counts)), of_labels)


def f1_macro_declared_along(counts: LabelCounts, never_right: Collection[int]) -> Floats:
    return np.asarray(np.delete(f1_of_labels(counts), list(never_right), axis=0).mean(axis=0))


def f1_micro_along(counts: LabelCounts) -> Floats:
    return share_or_nan(2 * counts.right.sum(axis=0), counts.predicted.sum(axis=0) + counts.gold.sum(axis=0))


def _f1_weighted_along(counts: LabelCounts) -> Floats:
    return np.asarray((f1_of_labels(counts) * counts.gold).sum(axis=0) / counts.gold.sum(axis=0))


METRICS = (
    Metric(
        name="accuracy",
        title="Accuracy",
        kinds=ONE_LABEL,
        statistic=RIGHT_ITEMS,
        formula=accuracy,
        resampled=AlongCounts(_accuracy_along),
        label_effect=one_item,
        reference="scikit-learn, accuracy_score",
    ),
    Metric(
        name="f1_macro",
        title="F1 macro",
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=f1_macro,
        resampled=_mean_of_seen(f1_of_labels),
        label_effect=mean_of_f1,
        reference='RAFT: scikit-learn, f1_score(average="macro"), labels seen',
    ),
    Metric(
        name="f1_macro_declared",
        title="F1 macro over declared labels",
        kinds=ONE_LABEL,
        statistic=DECLARED_COUNTS,
        formula=f1_macro_declared,
        resampled=AlongCounts(f1_macro_declared_along),
        label_effect=mean_of_f1,
        reference='scikit-learn, f1_score(average="macro", labels=<declared>, zero_division=0)',
    ),
    Metric(
        name="f1_micro",
        title="F1 micro",
        kinds=ONE_LABEL,
        statistic=TOTAL_COUNTS,
        formula=f1_micro,
        resampled=AlongCounts(f1_micro_along),
        label_effect=one_item,
        reference='scikit-learn, f1_score(average="micro")',
    ),
    Metric(
        name="f1_weighted",
        title="F1 weighted",
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=f1_weighted,
        resampled=AlongCounts(_f1_weighted_along),
        reference='scikit-learn, f1_score(average="weighted")',
    ),
    Metric(
        name="precision_macro",
        title="Precision macro",
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=precision_macro,
        resampled=_mean_of_seen(lambda counts: share(counts.right, counts.predicted)),
        reference=f'{_SOKOLOVA}; scikit-learn, precision_score(average="macro", zero_division=0)',
    ),
    Metric(
        name="recall_macro",
        title="Recall macro",
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=recall_macro,
        resampled=_mean_of_seen(lambda counts: share(counts.right, counts.gold)),
        reference=f'{_SOKOLOVA}; scikit-learn, recall_score(average="macro", zero_division=0)',
    ),
)
