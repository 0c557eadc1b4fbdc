"""Metrics for exactly one label per item.

They take the confusion matrix (`confusion_matrix`) or the `LabelCounts` that follow from it. A label is *seen* if
it occurs in the gold labels or in the predictions. Means over labels are summed exactly (`math.fsum`), so the
order in which labels are declared changes no bit.
"""

from __future__ import annotations

from collections.abc import Collection
from math import fsum

import numpy as np
from numpy.typing import NDArray

from scoring.core.comparison import Comparison, Counts, LabelCounts
from scoring.core.confusion import ConfusionMatrix
from scoring.core.kinds import LabelKind
from scoring.core.registry import Metric, MetricFunction, Reader, register
from scoring.core.report import Undefined

ONE_LABEL = frozenset({LabelKind.ONE_OF_SET, LabelKind.WITH_CONFIDENCE})
_SOKOLOVA = "doi:10.1016/j.ipm.2009.03.002"


def accuracy(matrix: ConfusionMatrix, never_right: Collection[int] = ()) -> float:
    """Share of items whose prediction is the gold label.

    From 0 (none right) to 1 (all right). Never undefined.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.
    never_right : collection of int
        Codes of labels that count as wrong even where the gold label is the same (RumourEval B: unverified).

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score`; RumourEval 2019's official scorer for `never_right`.

    Examples
    --------
    >>> accuracy(np.array([[3, 1], [0, 4]]))
    0.875
    """
    right = int(matrix.trace()) - sum(int(matrix[code, code]) for code in never_right)
    return right / int(matrix.sum())


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
    f1 = _f1_of_seen_labels(counts)
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


def f1_of_labels(counts: LabelCounts) -> NDArray[np.float64]:
    """F1 of each declared label, and 0 for a label that is not seen."""
    return _share(2 * counts.right, counts.predicted + counts.gold)


def _f1_of_seen_labels(counts: LabelCounts) -> NDArray[np.float64]:
    totals = counts.predicted + counts.gold
    seen = totals > 0
    f1: NDArray[np.float64] = 2 * counts.right[seen] / totals[seen]
    return f1


def _macro_over_seen(counts: LabelCounts, totals: Counts) -> float:
    seen_count = int(np.count_nonzero(counts.predicted + counts.gold))
    return fsum(_share(counts.right, totals).tolist()) / seen_count


def _share(part: Counts, whole: Counts) -> NDArray[np.float64]:
    """`part / whole`, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)


def _read_matrix(comparison: Comparison) -> tuple[ConfusionMatrix, list[int]]:
    return comparison.matrix, comparison.never_right


def _read_counts(comparison: Comparison) -> tuple[LabelCounts]:
    return (comparison.counts,)


def _read_declared(comparison: Comparison) -> tuple[LabelCounts, list[int]]:
    return comparison.counts, comparison.never_right


def _register(
    name: str, title: str, reference: str, function: MetricFunction, reads: Reader = _read_counts
) -> None:
    """Register a metric of one label per item: from 0 to 1, the more the better, never undefined."""
    register(
        Metric(
            name=name,
            title=title,
            version=1,
            higher_is_better=True,
            low=0.0,
            high=1.0,
            kinds=ONE_LABEL,
            reference=reference,
            function=function,
            reads=reads,
        )
    )


_register("accuracy", "Accuracy", "scikit-learn, accuracy_score", accuracy, _read_matrix)
_register("f1_macro", "F1 macro", 'RAFT: scikit-learn, f1_score(average="macro"), labels seen', f1_macro)
_register(
    "f1_macro_declared",
    "F1 macro over declared labels",
    'scikit-learn, f1_score(average="macro", labels=<declared>, zero_division=0)',
    f1_macro_declared,
    _read_declared,
)
_register("f1_micro", "F1 micro", 'scikit-learn, f1_score(average="micro")', f1_micro)
_register("f1_weighted", "F1 weighted", 'scikit-learn, f1_score(average="weighted")', f1_weighted)
_register(
    "precision_macro",
    "Precision macro",
    f'{_SOKOLOVA}; scikit-learn, precision_score(average="macro", zero_division=0)',
    precision_macro,
)
_register(
    "recall_macro",
    "Recall macro",
    f'{_SOKOLOVA}; scikit-learn, recall_score(average="macro", zero_division=0)',
    recall_macro,
)
