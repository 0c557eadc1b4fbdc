"""Metrics for any subset of the declared labels per item."""

from math import lcm

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import LabelSubset
from catalogue.comparison import Comparison
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric
from catalogue.metrics.one_label import f1_macro_declared, f1_macro_declared_along, f1_micro, f1_micro_along
from catalogue.metrics.statistics import (
    COUNTS,
    DECLARED_COUNTS,
    AlongCounts,
    DeterminedBy,
    Floats,
    MeanOfItems,
    Statistic,
    quotient,
)

_AFFECT_IN_TWEETS = "SemEval-2018 Task 1, E-c, official scorer (doi:10.18653/v1/S18-1001)"


def jaccard(y_true: NDArray[np.uint64], y_pred: NDArray[np.uint64]) -> float:
    """Mean over items of the labels shared by gold and prediction, relative to the labels in either.

    From 0 (no label shared anywhere) to 1 (every set exactly right). Never undefined: an item whose two sets
    are both empty counts 1, for the prediction is right.

    Parameters
    ----------
    y_true, y_pred : uint64 array of shape (n_items,)
        Bit masks, bit k for the k-th declared label; at least one item.

    Returns
    -------
    float

    Notes
    -----
    scikit-learn counts an item with two empty sets 0; the official scorer of Affect in Tweets counts it 1.

    References
    ----------
    doi:10.18653/v1/S18-1001; scikit-learn, `jaccard_score(average="samples")` but for empty sets.

    Examples
    --------
    Gold {0}, {0, 1}, {}; predicted {0}, {1}, {}.

    >>> jaccard(np.array([1, 3, 0], dtype=np.uint64), np.array([1, 2, 0], dtype=np.uint64))
    0.8333333333333334
    """
    return float(shares_of_items(y_true, y_pred).mean())


def shares_of_items(y_true: NDArray[np.uint64], y_pred: NDArray[np.uint64]) -> Floats:
    """Per item, the labels shared relative to the labels in either set; 1 where both are empty."""
    shared = np.bitwise_count(y_true & y_pred)
    either = np.bitwise_count(y_true | y_pred)
    return quotient(shared, either, 1.0)


def _masks(comparison: Comparison) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    return comparison.y_true, comparison.y_pred


METRICS = (
    Metric(
        name="jaccard",
        title="Jaccard accuracy",
        kinds=(LabelSubset,),
        # An item's share has one of the numbers of labels as its divisor.
        statistic=Statistic(_masks, DeterminedBy.TOTAL, lambda label_count: lcm(*range(1, label_count + 1))),
        label_effect=one_item,
        formula=jaccard,
        resampled=MeanOfItems(shares_of_items),
        reference=_AFFECT_IN_TWEETS,
    ),
    Metric(
        name="f1_macro",
        title="F1 macro",
        kinds=(LabelSubset,),
        statistic=DECLARED_COUNTS,
        formula=f1_macro_declared,
        resampled=AlongCounts(f1_macro_declared_along),
        reference=_AFFECT_IN_TWEETS,
    ),
    Metric(
        name="f1_micro",
        title="F1 micro",
        kinds=(LabelSubset,),
        statistic=COUNTS,
        formula=f1_micro,
        resampled=AlongCounts(f1_micro_along),
        reference=_AFFECT_IN_TWEETS,
        undefined={
            "no_label_seen": "Every set of labels is empty, in the gold labels and in the predictions."
        },
    ),
)
