"""Early detection of risk: an answer is after how many writings of a person an alert was raised, 0 if none was."""

import re

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.metrics.metric import AnyMetric, Metric
from catalogue.metrics.statistics import ARRAYS, AlongWeights, Floats, SumsOfItems, Weights

FAMILY = "erde_<writings> and f1_latency of alerts after so many writings, "
_ERDE = re.compile("erde_([1-9][0-9]{0,3})")
_LATENCY = "f1_latency"
_RATE = 0.0078
"""How fast an alert loses its worth: of eRisk, where half of it is gone after 142 writings."""
_LOSADA = "Losada and Crestani (2016), doi:10.1007/978-3-319-44564-9_3; eRisk, erde_evaluation"
_SADEQUE = "Sadeque et al. (2018), doi:10.1145/3159652.3159725, with p = 0.0078 as in eRisk since 2019"

Numbers = NDArray[np.float64]


def early_alert_metric(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric `erde_5`, with any number of writings, or `f1_latency`; None if it is no such name or does not fit."""
    if not kind.is_continuous or kind.bounds is None or kind.bounds[0] != 0:
        return None
    if name == _LATENCY:
        return Metric(
            name=name,
            title="F1, weighted by latency",
            kinds=(type(kind),),
            statistic=ARRAYS,
            formula=f1_latency,
            resampled=AlongWeights(_latency_along),
            reference=_SADEQUE,
        )
    found = _ERDE.fullmatch(name)
    return _erde(name, type(kind), int(found[1])) if found else None


def erde(y_true: Numbers, y_pred: Numbers, writings: int) -> float:
    """Early risk detection error: what wrong, missing and late alerts cost, as a mean over people.

    From 0 (an alert at once for everybody at risk and nobody else) to 1; the lower, the better. A missed person costs
    1, a wrong alert the share of people at risk, a right alert after k writings 1 - 1 / (1 + exp(k - `writings`)).
    Never undefined.

    Parameters
    ----------
    y_true : float array of shape (n_items,)
        Above 0 for a person at risk.
    y_pred : float array of shape (n_items,)
        After how many writings there was an alert; 0 for none.
    writings : int
        After how many writings a right alert costs half as much as a missed one.

    Returns
    -------
    float

    References
    ----------
    Losada and Crestani (2016), doi:10.1007/978-3-319-44564-9_3.

    Examples
    --------
    Of two at risk one is found after five writings and one is missed; of two others one is called at risk.

    >>> erde(np.array([1.0, 1, 0, 0]), np.array([5.0, 0, 3, 0]), 5)
    0.5
    """
    return float(_cost(_costs(y_true, y_pred, writings).sum(axis=1)))


def f1_latency(y_true: Numbers, y_pred: Numbers) -> float:
    """F1 of alerts, times how fast the right ones came: 1 less the median of what each lost by its delay.

    From 0 (no right alert) to 1 (exactly the people at risk, each at the first writing). An alert after k writings
    loses 2 / (1 + exp(-0.0078 (k - 1))) - 1. Never undefined.

    Parameters
    ----------
    y_true : float array of shape (n_items,)
        Above 0 for a person at risk.
    y_pred : float array of shape (n_items,)
        After how many writings there was an alert; 0 for none.

    Returns
    -------
    float

    References
    ----------
    Sadeque et al. (2018), doi:10.1145/3159652.3159725.

    Examples
    --------
    >>> f1_latency(np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 3, 0]))
    0.5
    """
    return float(_latency_along(y_true, y_pred, np.ones((len(y_true), 1), dtype=np.int64))[0])


def _erde(name: str, kind: type[AnswerKind], writings: int) -> Metric[Numbers, Numbers]:
    return Metric(
        name=name,
        title=f"ERDE{writings}",
        kinds=(kind,),
        statistic=ARRAYS,
        formula=lambda y_true, y_pred: erde(y_true, y_pred, writings),
        resampled=SumsOfItems(lambda y_true, y_pred: _costs(y_true, y_pred, writings), _cost),
        higher_is_better=False,
        reference=_LOSADA,
    )


def _costs(y_true: Numbers, y_pred: Numbers, writings: int) -> Floats:
    """Per person: a wrong alert, what else it costs, whether it is at risk, and 1. Shape (4, n_items)."""
    is_at_risk, is_alert = y_true > 0, y_pred > 0
    with np.errstate(over="ignore"):
        late = 1 - 1 / (1 + np.exp(y_pred.astype(np.float64) - writings))
    cost = np.where(is_at_risk, np.where(is_alert, late, 1.0), 0.0)
    return np.stack([is_alert & ~is_at_risk, cost, is_at_risk, np.ones(len(y_true))]).astype(np.float64)


def _cost(sums: Floats) -> Floats:
    wrong, other, at_risk, people = sums
    return np.asarray((wrong * at_risk / people + other) / people)


def _latency_along(y_true: Numbers, y_pred: Numbers, by_item: Weights) -> Floats:
    is_at_risk, is_alert = y_true > 0, y_pred > 0
    right = np.flatnonzero(is_at_risk & is_alert)
    ordered = right[np.argsort(y_pred[right], kind="stable")]
    found = by_item[ordered].sum(axis=0, dtype=np.int64)
    asked = by_item[is_at_risk].sum(axis=0, dtype=np.int64) + by_item[is_alert].sum(axis=0, dtype=np.int64)
    if not len(ordered):
        return np.zeros(by_item.shape[1])
    lost = 2 / (1 + np.exp(-_RATE * (y_pred[ordered].astype(np.float64) - 1))) - 1
    so_far = np.cumsum(by_item[ordered], axis=0, dtype=np.int64)
    middle = [lost[(so_far >= place).argmax(axis=0)] for place in ((found + 1) // 2, found // 2 + 1)]
    f1 = 2 * found / np.where(asked > 0, asked, 1)
    return np.where(found > 0, f1 * (1 - (middle[0] + middle[1]) / 2), 0.0)
