"""Metrics of which of two candidates is preferred, told apart by what ties count.

All follow from how often each gold preference meets each prediction, with the labels of the first candidate, of the
second, and of a tie if there is one. Each takes further axes behind the two of the matrix, such as one of resamples.
Kendall's tau-b of preferences is in `catalogue.metrics.numbers.kendall`.
"""

import numpy as np

from catalogue.answers import PREFERENCES
from catalogue.comparison import ConfusionMatrix
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import MATRIX, AlongCounts, Floats

_TIE = 2
_ONLY_TIES = {"only_ties": "All gold labels are ties, so that no candidate is preferred."}


def accuracy_no_gold_ties(matrix: ConfusionMatrix) -> float | Undefined:
    """Share of the items with a preferred candidate whose prediction is that candidate; a predicted tie is wrong.

    From 0 (none right) to 1 (all right). Undefined, with code `only_ties`, where every gold label is a tie.

    Parameters
    ----------
    matrix : integer array of shape (2, 2) or (3, 3)
        Rows gold labels, columns predictions: the first candidate, the second, a tie.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `accuracy_score` of the items whose gold label is no tie.

    Examples
    --------
    >>> accuracy_no_gold_ties(np.array([[2, 0, 1], [1, 0, 0], [0, 0, 5]]))
    0.5
    """
    found = float(_without_ties(matrix))
    return Undefined("only_ties") if np.isnan(found) else found


def accuracy_ties_half(matrix: ConfusionMatrix) -> float:
    """Mean over the items of 1 where the prediction is right, and ½ where either of prediction and gold is a tie.

    From 0 (all opposite) to 1 (all right). Never undefined.

    Parameters
    ----------
    matrix : integer array of shape (2, 2) or (3, 3)
        As for `accuracy_no_gold_ties`.

    Returns
    -------
    float

    References
    ----------
    The rule is written out: 1, ½ and 0 are averaged.

    Examples
    --------
    >>> accuracy_ties_half(np.array([[2, 0, 1], [1, 0, 0], [0, 0, 4]]))
    0.8125
    """
    return float(_ties_half(matrix))


def agreement_sign(matrix: ConfusionMatrix) -> float:
    """Items with the gold preference less those with the opposite one, over all items; ties on either side add 0.

    From -1 (all opposite) over 0 to 1 (all right and no tie). Never undefined.

    Parameters
    ----------
    matrix : integer array of shape (2, 2) or (3, 3)
        As for `accuracy_no_gold_ties`.

    Returns
    -------
    float

    References
    ----------
    Kendall's tau-a of one pair per item: Kendall (1938), doi:10.1093/biomet/30.1-2.81.

    Examples
    --------
    >>> agreement_sign(np.array([[2, 0, 1], [1, 0, 0], [0, 0, 4]]))
    0.125
    """
    return float(_sign(matrix))


def _without_ties(matrix: ConfusionMatrix) -> Floats:
    asked = np.asarray(matrix[:_TIE].sum(axis=(0, 1)), dtype=np.float64)
    right = matrix[0, 0] + matrix[1, 1]
    return np.where(asked > 0, right / np.where(asked > 0, asked, 1.0), np.nan)


def _ties_half(matrix: ConfusionMatrix) -> Floats:
    one_tie = matrix[_TIE:, :_TIE].sum(axis=(0, 1)) + matrix[:_TIE, _TIE:].sum(axis=(0, 1))
    return np.asarray((matrix.trace() + one_tie / 2) / matrix.sum(axis=(0, 1)))


def _sign(matrix: ConfusionMatrix) -> Floats:
    agreed = matrix[0, 0].astype(np.float64) + matrix[1, 1] - matrix[0, 1] - matrix[1, 0]
    return np.asarray(agreed / matrix.sum(axis=(0, 1)))


METRICS = (
    Metric(
        name="accuracy_no_gold_ties",
        title="Accuracy without ties",
        kinds=PREFERENCES,
        statistic=MATRIX,
        formula=accuracy_no_gold_ties,
        resampled=AlongCounts(_without_ties),
        reference="scikit-learn, accuracy_score of the items whose gold label is no tie",
        undefined=_ONLY_TIES,
    ),
    Metric(
        name="accuracy_ties_half",
        title="Accuracy, ties half",
        kinds=PREFERENCES,
        statistic=MATRIX,
        formula=accuracy_ties_half,
        resampled=AlongCounts(_ties_half),
        reference="mean of 1, ½ and 0, numpy",
        label_effect=one_item,
    ),
    Metric(
        name="agreement_sign",
        title="Agreement of order",
        kinds=PREFERENCES,
        statistic=MATRIX,
        formula=agreement_sign,
        resampled=AlongCounts(_sign),
        low=-1.0,
        reference="doi:10.1093/biomet/30.1-2.81",
    ),
)
