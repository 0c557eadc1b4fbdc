"""Metrics of a set of labels as a whole: how many sets are right, how many labels of a set, and how many are wrong."""

from math import lcm

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import LabelSubset
from catalogue.comparison import Comparison
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

Masks = NDArray[np.uint64]


def exact_match(y_true: Masks, y_pred: Masks, label_count: int) -> float:
    """Share of items whose set of labels is the gold one, no label too many or too few.

    From 0 (none right) to 1 (all right). Never undefined.

    Parameters
    ----------
    y_true, y_pred : uint64 array of shape (n_items,)
        Bit masks, bit k for the k-th declared label; at least one item.
    label_count : int
        How many labels are declared.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score` of indicators.

    Examples
    --------
    >>> exact_match(np.array([1, 3], dtype=np.uint64), np.array([1, 2], dtype=np.uint64), 2)
    0.5
    """
    return float(_is_right(y_true, y_pred, label_count).mean())


def f1_samples(y_true: Masks, y_pred: Masks, label_count: int) -> float:
    """Mean over items of the F1 of the labels in an item's prediction.

    From 0 (no label right anywhere) to 1 (every set right, none of them empty). Never undefined: an item whose two
    sets are both empty counts 0 here, and 1 in `jaccard`.

    Parameters
    ----------
    y_true, y_pred : uint64 array of shape (n_items,)
        Bit masks, bit k for the k-th declared label; at least one item.
    label_count : int
        How many labels are declared.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="samples", zero_division=0)`.

    Examples
    --------
    >>> f1_samples(np.array([1, 3], dtype=np.uint64), np.array([1, 2], dtype=np.uint64), 2)
    0.8333333333333333
    """
    return float(_f1_of_items(y_true, y_pred, label_count).mean())


def hamming_loss(y_true: Masks, y_pred: Masks, label_count: int) -> float:
    """Share of all decisions about a label of an item that are wrong; the lower, the better.

    From 0 (all right) to 1 (all wrong). Never undefined.

    Parameters
    ----------
    y_true, y_pred : uint64 array of shape (n_items,)
        Bit masks, bit k for the k-th declared label; at least one item.
    label_count : int
        How many labels are declared.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `hamming_loss`.

    Examples
    --------
    >>> hamming_loss(np.array([1, 3], dtype=np.uint64), np.array([1, 2], dtype=np.uint64), 2)
    0.25
    """
    return float(_wrong_of_items(y_true, y_pred, label_count).mean())


def _is_right(y_true: Masks, y_pred: Masks, label_count: int) -> Floats:
    return np.asarray(y_true == y_pred, dtype=np.float64)


def _f1_of_items(y_true: Masks, y_pred: Masks, label_count: int) -> Floats:
    named = np.bitwise_count(y_true).astype(np.float64) + np.bitwise_count(y_pred)
    return np.asarray(2 * np.bitwise_count(y_true & y_pred) / np.maximum(named, 1))


def _wrong_of_items(y_true: Masks, y_pred: Masks, label_count: int) -> Floats:
    return np.asarray(np.bitwise_count(y_true ^ y_pred) / label_count)


def _sets(comparison: Comparison) -> tuple[Masks, Masks, int]:
    return comparison.y_true, comparison.y_pred, len(comparison.output.labels)


METRICS = (
    Metric(
        name="exact_match",
        title="Exact match",
        kinds=(LabelSubset,),
        statistic=Statistic(_sets, DeterminedBy.TOTAL),
        formula=exact_match,
        resampled=MeanOfItems(_is_right),
        label_effect=one_item,
        reference="scikit-learn, accuracy_score of indicators",
    ),
    Metric(
        name="f1_samples",
        title="F1 of items",
        kinds=(LabelSubset,),
        # The F1 of an item has as its divisor how many labels the two sets have together.
        statistic=Statistic(
            _sets, DeterminedBy.TOTAL, lambda label_count: lcm(*range(1, 2 * label_count + 1))
        ),
        formula=f1_samples,
        resampled=MeanOfItems(_f1_of_items),
        label_effect=one_item,
        reference='scikit-learn, f1_score(average="samples", zero_division=0)',
    ),
    Metric(
        name="hamming_loss",
        title="Hamming loss",
        kinds=(LabelSubset,),
        statistic=Statistic(_sets, DeterminedBy.TOTAL, lambda label_count: label_count),
        formula=hamming_loss,
        resampled=MeanOfItems(_wrong_of_items),
        higher_is_better=False,
        label_effect=one_item,
        reference="scikit-learn, hamming_loss",
    ),
)
