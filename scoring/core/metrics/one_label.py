"""Metrics for exactly one label per item, each a function of the confusion matrix.

All of them take a matrix as `confusion_matrix` returns it: shape (label_count, label_count), rows gold
labels, columns predictions, at least one item. A label is *seen* if it occurs in the gold labels or in the
predictions. Means over labels are summed exactly (`math.fsum`), so the order in which labels are declared
changes no bit.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import fsum

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import LabelSet
from scoring.core.confusion import ConfusionMatrix
from scoring.core.registry import LabelKind, Metric, MetricFunction, register
from scoring.core.report import Undefined

_SOKOLOVA = "doi:10.1016/j.ipm.2009.03.002"


def accuracy(matrix: ConfusionMatrix) -> float:
    """Share of items whose prediction is the gold label.

    From 0 (none right) to 1 (all right). Never undefined.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score`.

    Examples
    --------
    >>> accuracy(np.array([[3, 1], [0, 4]]))
    0.875
    """
    return float(matrix.trace() / matrix.sum())


def f1_macro(matrix: ConfusionMatrix) -> float:
    """Mean of the F1 of every label seen in the gold labels or in the predictions.

    From 0 (no item right) to 1 (all right). Never undefined: a label that is only in the gold labels or only
    in the predictions counts 0, a label in neither is left out of the mean.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

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

    >>> f1_macro(np.array([[3, 1, 0], [1, 3, 0], [0, 0, 0]]))
    0.75
    """
    f1 = _f1_of_seen_labels(matrix)
    return fsum(f1.tolist()) / len(f1)


def f1_macro_declared(matrix: ConfusionMatrix) -> float:
    """Mean of the F1 of every declared label; a label that is not seen counts 0.

    From 0 (no item right) to 1 (all right and every declared label in the gold labels). Never undefined.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="macro", labels=<all declared labels>, zero_division=0)`.

    Examples
    --------
    >>> f1_macro_declared(np.array([[3, 1, 0], [1, 3, 0], [0, 0, 0]]))
    0.5
    """
    return fsum(_f1_of_seen_labels(matrix).tolist()) / len(matrix)


def f1_micro(matrix: ConfusionMatrix) -> float:
    """F1 of the right and wrong answers of all labels taken together.

    From 0 (none right) to 1 (all right). Never undefined. With exactly one label per item each wrong answer
    is one false positive and one false negative, so this equals the accuracy.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="micro")`.

    Examples
    --------
    >>> f1_micro(np.array([[3, 1], [0, 4]]))
    0.875
    """
    return accuracy(matrix)


def f1_weighted(matrix: ConfusionMatrix) -> float:
    """Mean of the F1 of each label, weighted by its number of gold items.

    From 0 (no item right) to 1 (all right). Never undefined: a label without gold items has no weight.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="weighted")`.

    Examples
    --------
    >>> f1_weighted(np.array([[3, 1, 0], [1, 1, 0], [0, 0, 2]]))
    0.75
    """
    support = matrix.sum(axis=1)
    f1 = _share(2 * matrix.diagonal(), support + matrix.sum(axis=0))
    return fsum((f1 * support).tolist()) / int(support.sum())


def precision_macro(matrix: ConfusionMatrix) -> float:
    """Mean over the labels seen of the share of a label's predictions that are right.

    From 0 (no item right) to 1 (all right). Never undefined: a gold label that is never predicted counts 0.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `precision_score(average="macro", zero_division=0)`.

    Examples
    --------
    >>> precision_macro(np.array([[1, 1], [0, 3]]))
    0.875
    """
    return _macro_over_seen(matrix, matrix.sum(axis=0))


def recall_macro(matrix: ConfusionMatrix) -> float:
    """Mean over the labels seen of the share of a label's gold items that are found.

    From 0 (no item right) to 1 (all right). Never undefined: a predicted label without gold items counts 0.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `recall_score(average="macro", zero_division=0)`.

    Examples
    --------
    >>> recall_macro(np.array([[1, 1], [0, 3]]))
    0.75
    """
    return _macro_over_seen(matrix, matrix.sum(axis=1))


def f1_of_label(matrix: ConfusionMatrix, code: int) -> float | Undefined:
    """F1 of one label: the harmonic mean of its precision and recall.

    From 0 (never right) to 1 (predicted for exactly its gold items). Undefined, with code `label_not_seen`,
    where the label is neither in the gold labels nor in the predictions; scikit-learn says 0 there.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.
    code : int
        The label's position in the declared label set.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.1016/j.ipm.2009.03.002; scikit-learn, `f1_score(average=None)`.

    Examples
    --------
    >>> matrix = np.array([[3, 1, 0], [1, 3, 0], [0, 0, 0]])
    >>> f1_of_label(matrix, 0)
    0.75
    >>> f1_of_label(matrix, 2)
    Undefined(code='label_not_seen')
    """
    total = matrix[code, :].sum() + matrix[:, code].sum()
    if not total:
        return Undefined("label_not_seen")
    return float(2 * matrix[code, code] / total)


@lru_cache(maxsize=128)
def label_metrics(output: LabelSet) -> tuple[Metric, ...]:
    """The metrics `f1_<label>`, one per declared label.

    A registered metric of the same name (there is one for a label called `macro`) takes precedence where
    metrics are looked up by name.

    Examples
    --------
    >>> [metric.name for metric in label_metrics(LabelSet(names=("AGAINST", "FAVOR")))]
    ['f1_AGAINST', 'f1_FAVOR']
    """
    return tuple(
        Metric(
            name=f"f1_{label}",
            title=f"F1 of {label}",
            version=1,
            higher_is_better=True,
            low=0.0,
            high=1.0,
            kinds=frozenset({LabelKind.ONE_OF_SET}),
            undefined={"label_not_seen": "The label is neither in the gold labels nor in the predictions."},
            reference=f"{_SOKOLOVA}; scikit-learn, f1_score(average=None)",
            function=partial(f1_of_label, code=code),
        )
        for code, label in enumerate(output.names)
    )


def _f1_of_seen_labels(matrix: ConfusionMatrix) -> NDArray[np.float64]:
    totals = matrix.sum(axis=0) + matrix.sum(axis=1)
    seen = totals > 0
    f1: NDArray[np.float64] = 2 * matrix.diagonal()[seen] / totals[seen]
    return f1


def _macro_over_seen(matrix: ConfusionMatrix, totals: NDArray[np.intp]) -> float:
    seen_count = int(np.count_nonzero(matrix.sum(axis=0) + matrix.sum(axis=1)))
    return fsum(_share(matrix.diagonal(), totals).tolist()) / seen_count


def _share(part: NDArray[np.intp], whole: NDArray[np.intp]) -> NDArray[np.float64]:
    """`part / whole`, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)


def _register_share(name: str, title: str, reference: str, function: MetricFunction) -> None:
    """Register a metric that runs from 0 to 1, the more the better, and is never undefined."""
    register(
        Metric(
            name=name,
            title=title,
            version=1,
            higher_is_better=True,
            low=0.0,
            high=1.0,
            kinds=frozenset({LabelKind.ONE_OF_SET}),
            undefined={},
            reference=reference,
            function=function,
        )
    )


_register_share("accuracy", "Accuracy", "scikit-learn, accuracy_score", accuracy)
_register_share(
    "f1_macro", "F1 macro", 'RAFT: scikit-learn, f1_score(average="macro"), labels seen', f1_macro
)
_register_share(
    "f1_macro_declared",
    "F1 macro over declared labels",
    'scikit-learn, f1_score(average="macro", labels=<declared>, zero_division=0)',
    f1_macro_declared,
)
_register_share("f1_micro", "F1 micro", 'scikit-learn, f1_score(average="micro")', f1_micro)
_register_share("f1_weighted", "F1 weighted", 'scikit-learn, f1_score(average="weighted")', f1_weighted)
_register_share(
    "precision_macro",
    "Precision macro",
    f'{_SOKOLOVA}; scikit-learn, precision_score(average="macro", zero_division=0)',
    precision_macro,
)
_register_share(
    "recall_macro",
    "Recall macro",
    f'{_SOKOLOVA}; scikit-learn, recall_score(average="macro", zero_division=0)',
    recall_macro,
)
