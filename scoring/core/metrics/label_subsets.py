"""Metrics for any subset of the declared labels per item."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.core.comparison import Comparison, LabelCounts
from scoring.core.kinds import LabelKind
from scoring.core.metrics.one_label import f1_macro_declared, f1_micro
from scoring.core.registry import Metric, MetricFunction, Reader, register

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


def shares_of_items(y_true: NDArray[np.uint64], y_pred: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Per item, the labels shared relative to the labels in either set; 1 where both are empty."""
    shared = np.bitwise_count(y_true & y_pred)
    either = np.bitwise_count(y_true | y_pred)
    shares: NDArray[np.float64] = np.divide(shared, either, out=np.ones(len(either)), where=either > 0)
    return shares


def _read_arrays(comparison: Comparison) -> tuple[NDArray[Any], NDArray[Any]]:
    return comparison.y_true, comparison.y_pred


def _read_counts(comparison: Comparison) -> tuple[LabelCounts]:
    return (comparison.counts,)


def _register(name: str, title: str, function: MetricFunction, reads: Reader, **undefined: str) -> None:
    register(
        Metric(
            name=name,
            title=title,
            version=1,
            higher_is_better=True,
            low=0.0,
            high=1.0,
            kinds=frozenset({LabelKind.SUBSET}),
            reference=_AFFECT_IN_TWEETS,
            function=function,
            reads=reads,
            undefined=undefined,
        )
    )


_register("jaccard", "Jaccard accuracy", jaccard, _read_arrays)
_register("f1_macro", "F1 macro", f1_macro_declared, _read_counts)
_register(
    "f1_micro",
    "F1 micro",
    f1_micro,
    _read_counts,
    no_label_seen="Every set of labels is empty, in the gold labels and in the predictions.",
)
