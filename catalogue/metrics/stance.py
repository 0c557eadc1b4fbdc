"""The scores of two stance tasks of their own: FNC-1's, and RumourEval's error of confidences."""

from collections.abc import Collection
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import ConfidentLabel
from catalogue.comparison import Comparison, ConfusionMatrix
from catalogue.metrics.metric import Metric
from catalogue.metrics.one_label import OF_ANY_LABELS
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, Floats, MeanOfItems, Statistic

_RIGHT = 0.25
_RIGHT_AND_RELATED = 0.5
_BOTH_RELATED = 0.25


def fnc1(matrix: ConfusionMatrix, unrelated: int) -> float:
    """Points of the Fake News Challenge: 0.25 for each right label, more for getting relatedness right.

    A right label gives 0.25, and 0.5 more if it is not `unrelated`; where neither gold label nor prediction is
    `unrelated` there is another 0.25, whatever the two labels are. From 0 up to the points of a perfect file,
    which depend on the gold labels: see `fnc1_relative`. Never undefined.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions.
    unrelated : int
        Code of the label `unrelated`.

    Returns
    -------
    float

    References
    ----------
    Fake News Challenge stage 1 (2017), official scorer.

    Examples
    --------
    Labels unrelated, discuss, agree: 4 right unrelated items, 2 right ones that discuss, 1 taken to agree.

    >>> fnc1(np.array([[4, 0, 0], [0, 2, 1], [0, 0, 0]]), unrelated=0)
    3.25
    """
    right = int(matrix.trace())
    right_and_related = right - int(matrix[unrelated, unrelated])
    gold_or_predicted = matrix[unrelated, :].sum() + matrix[:, unrelated].sum() - matrix[unrelated, unrelated]
    return (
        _RIGHT * right
        + _RIGHT_AND_RELATED * right_and_related
        + _BOTH_RELATED * int(matrix.sum() - gold_or_predicted)
    )


def fnc1_relative(matrix: ConfusionMatrix, unrelated: int) -> float:
    """Points of the Fake News Challenge in percent of the points of a perfect file.

    From 0 (no point) to 100 (all labels right). Never undefined: each item is worth at least 0.25.

    Parameters
    ----------
    matrix : integer array of shape (label_count, label_count)
        Rows gold labels, columns predictions, at least one item.
    unrelated : int
        Code of the label `unrelated`.

    Returns
    -------
    float

    References
    ----------
    Fake News Challenge stage 1 (2017), official scorer.

    Examples
    --------
    >>> fnc1_relative(np.array([[4, 0, 0], [0, 2, 1], [0, 0, 0]]), unrelated=0)
    81.25
    """
    return 100 * fnc1(matrix, unrelated) / fnc1(np.diag(matrix.sum(axis=1)), unrelated)


def _fnc1_along(matrix: ConfusionMatrix, unrelated: int) -> Floats:
    right = np.trace(matrix)
    right_related = right - matrix[unrelated, unrelated]
    gold_or_predicted = (
        matrix[unrelated].sum(axis=0) + matrix[:, unrelated].sum(axis=0) - matrix[unrelated, unrelated]
    )
    return np.asarray(
        0.25 * right + 0.5 * right_related + 0.25 * (matrix.sum(axis=(0, 1)) - gold_or_predicted)
    )


def _fnc1_relative_along(matrix: ConfusionMatrix, unrelated: int) -> Floats:
    gold = matrix.sum(axis=1)
    perfect = gold.sum(axis=0) - 0.75 * gold[unrelated]
    return np.asarray(100 * _fnc1_along(matrix, unrelated) / perfect)


def rmse(y_true: NDArray[Any], y_pred: NDArray[Any], never_right: Collection[int] = ()) -> float:
    """Root of the mean squared error of the confidences in a label: the lower, the better.

    From 0 (always right and sure) to 1 (always wrong). An item's error is 1 minus its confidence if the label
    is right and 1 if it is wrong; where the gold label is one that is never right the best answer is to be
    unsure, and the error is the confidence, whatever the label. Never undefined.

    Parameters
    ----------
    y_true, y_pred : LABEL_WITH_CONFIDENCE array of shape (n_items,)
        Label codes with confidences from 0 to 1; the gold labels' confidences are not looked at.
    never_right : collection of int
        Codes of the gold labels that no prediction can get right (RumourEval B: unverified).

    Returns
    -------
    float

    References
    ----------
    RumourEval 2019, task B, official scorer (doi:10.18653/v1/S19-2147).

    Examples
    --------
    Right with confidence 0.6; wrong; `never_right` with confidence 0.2.

    >>> from catalogue.answers import LABEL_WITH_CONFIDENCE
    >>> y_true = np.array([(0, 1), (1, 1), (2, 1)], dtype=LABEL_WITH_CONFIDENCE)
    >>> y_pred = np.array([(0, 0.6), (0, 0.9), (0, 0.2)], dtype=LABEL_WITH_CONFIDENCE)
    >>> round(rmse(y_true, y_pred, never_right=[2]), 6)
    0.632456
    """
    return sqrt(float(squared_errors(y_true, y_pred, never_right).mean()))


def squared_errors(y_true: NDArray[Any], y_pred: NDArray[Any], never_right: Collection[int] = ()) -> Floats:
    """Per item, the square of its error as `rmse` has it."""
    confidence = y_pred["confidence"]
    errors = np.where(y_true["label"] == y_pred["label"], 1 - confidence, 1.0)
    errors = np.where(np.isin(y_true["label"], list(never_right)), confidence, errors)
    return np.asarray(np.square(errors))


def _matrix_and_unrelated(comparison: Comparison) -> tuple[ConfusionMatrix, int]:
    (unrelated,) = comparison.codes(("unrelated",))
    return comparison.matrix, unrelated


def _confidences(comparison: Comparison) -> tuple[NDArray[Any], NDArray[Any], Collection[int]]:
    return comparison.y_true, comparison.y_pred, comparison.never_right


_FNC1 = Statistic(_matrix_and_unrelated, DeterminedBy.CELLS)
_CHALLENGE = "Fake News Challenge stage 1 (2017), official scorer"

METRICS = (
    Metric(
        name="fnc1",
        title="FNC-1 score",
        kinds=OF_ANY_LABELS,
        statistic=_FNC1,
        formula=fnc1,
        resampled=AlongCounts(_fnc1_along),
        high=inf,
        reference=_CHALLENGE,
        labels=("unrelated",),
    ),
    Metric(
        name="fnc1_relative",
        title="FNC-1 score, relative (%)",
        kinds=OF_ANY_LABELS,
        statistic=_FNC1,
        formula=fnc1_relative,
        resampled=AlongCounts(_fnc1_relative_along),
        high=100.0,
        reference=_CHALLENGE,
        labels=("unrelated",),
    ),
    Metric(
        name="rmse",
        title="RMSE over confidence",
        kinds=(ConfidentLabel,),
        statistic=Statistic(_confidences, DeterminedBy.ITEMS),
        formula=rmse,
        resampled=MeanOfItems(squared_errors, np.sqrt),
        higher_is_better=False,
        reference="RumourEval 2019, task B, official scorer (doi:10.18653/v1/S19-2147)",
    ),
)
