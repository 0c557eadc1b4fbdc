"""F1, precision, recall and F-beta of the labels that a definition names, or of all but those."""

from collections.abc import Callable, Sequence
from math import fsum

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison, Counts, LabelCounts
from catalogue.metrics.label_effect import LabelEffect, f1_of_one, mean_of_f1, mean_of_recall, unbounded
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.one_label import share
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, Floats, Statistic

_NOT_SEEN = {"no_label_seen": "None of these labels is in the gold labels or in the predictions."}
_TITLES = {"f1": "F1", "precision": "Precision", "recall": "Recall"}
# Of which counts a measure is a share: right answers of it are the part.
_Whole = Callable[[LabelCounts], Counts]
_WHOLES: dict[str, tuple[int, _Whole]] = {
    "f1": (2, lambda counts: counts.predicted + counts.gold),
    "precision": (1, lambda counts: counts.predicted),
    "recall": (1, lambda counts: counts.gold),
}


def micro_of(counts: LabelCounts, codes: Sequence[int], measure: str) -> float | Undefined:
    """F1, precision or recall of the right and wrong answers of some labels taken together.

    From 0 (none of these labels ever right) to 1 (each predicted for exactly its gold items). 0 where there is nothing
    to divide by, as without any prediction of these labels for precision. Undefined, with code `no_label_seen`, where
    none of them is in the gold labels or the predictions; scikit-learn says 0 there.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    codes : sequence of int
        Positions of the labels, at least one.
    measure : str
        `f1`, `precision` or `recall`.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `f1_score(average="micro", labels=<codes>, zero_division=0)`; SemEval-2010 Task 8 without `Other`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([3, 1, 0]), predicted=np.array([4, 2, 1]), gold=np.array([4, 2, 1]))
    >>> micro_of(counts, [0, 1], "recall")
    0.6666666666666666
    """
    of_these = _only(counts, codes)
    if not of_these.predicted.any() and not of_these.gold.any():
        return Undefined("no_label_seen")
    times, whole = _WHOLES[measure]
    total = int(whole(of_these).sum())
    return times * int(of_these.right.sum()) / total if total else 0.0


def macro_of(counts: LabelCounts, codes: Sequence[int], measure: str) -> float:
    """Mean of the F1, precision or recall of some labels; one that is not seen counts 0.

    From 0 (none of these labels ever right) to 1 (each predicted for exactly its gold items). Never undefined.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    codes : sequence of int
        Positions of the labels, at least one.
    measure : str
        `f1`, `precision` or `recall`.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="macro", labels=<codes>, zero_division=0)`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([3, 1, 0]), predicted=np.array([4, 2, 1]), gold=np.array([4, 2, 1]))
    >>> macro_of(counts, [0, 1], "f1")
    0.625
    """
    return fsum(_shares(_only(counts, codes), measure).tolist()) / len(codes)


def f_beta_of(counts: LabelCounts, codes: Sequence[int], beta: float) -> float | Undefined:
    """F-beta of one label or the mean of that of several: recall counts beta times as much as precision.

    From 0 (never right) to 1 (predicted for exactly the gold items). Of several labels, one that is not seen counts 0.
    Undefined, with code `no_label_seen`, where none is in the gold labels or in the predictions.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    codes : sequence of int
        Positions of the labels, at least one.
    beta : float
        Above 0.

    Returns
    -------
    float or Undefined

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7; scikit-learn, `fbeta_score`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([2]), predicted=np.array([4]), gold=np.array([2]))
    >>> f_beta_of(counts, [0], 2.0)
    0.8333333333333334
    """
    of_these = _only(counts, codes)
    if not of_these.predicted.any() and not of_these.gold.any():
        return Undefined("no_label_seen")
    return fsum(_f_betas(of_these, beta).tolist()) / len(codes)


def of_some_labels(
    kind: AnswerKind, name: str, measure: str, average: str, labels: tuple[str, ...], said: str
) -> Metric[LabelCounts, list[int], str]:
    """The metric of these labels; `said` tells readers which they are."""

    def collect(comparison: Comparison) -> tuple[LabelCounts, list[int], str]:
        return comparison.counts, comparison.codes(labels), measure

    is_micro = average == "micro"
    return Metric(
        name=name,
        title=f"{_TITLES[measure]} {average} {said}",
        kinds=(type(kind),),
        statistic=Statistic(collect, DeterminedBy.RIGHT),
        formula=micro_of if is_micro else macro_of,
        resampled=AlongCounts(_micro_along if is_micro else _macro_along),
        reference=f'scikit-learn, {measure}_score(average="{average}", labels=<these>, zero_division=0)',
        undefined=_NOT_SEEN if is_micro else {},
        labels=labels,
        label_effect=_effect(kind, measure, average, len(labels)),
    )


def f_beta_metric(
    kind: AnswerKind, name: str, beta: float, labels: tuple[str, ...]
) -> Metric[LabelCounts, list[int], float]:
    def collect(comparison: Comparison) -> tuple[LabelCounts, list[int], float]:
        return comparison.counts, comparison.codes(labels), beta

    return Metric(
        name=name,
        title=f"F{beta:g} of {', '.join(labels)}",
        kinds=(type(kind),),
        statistic=Statistic(collect, DeterminedBy.RIGHT),
        formula=f_beta_of,
        resampled=AlongCounts(_f_beta_along),
        reference="scikit-learn, fbeta_score(labels=<these>, zero_division=0)",
        undefined=_NOT_SEEN,
        labels=labels,
    )


def _effect(kind: AnswerKind, measure: str, average: str, count: int) -> LabelEffect:
    """Of several labels together a gold label counts as one of a single label does, or less.

    So does a set of labels that is exchanged for another: then all of the labels change, each by that much.
    """
    if measure == "precision":
        return unbounded
    if average == "micro" or kind.is_subset:
        return f1_of_one
    of_mean = mean_of_f1 if measure == "f1" else mean_of_recall
    return lambda items, _declared, rarest: of_mean(items, count, rarest)


def _only(counts: LabelCounts, codes: Sequence[int]) -> LabelCounts:
    return LabelCounts(*(of_labels[list(codes)] for of_labels in counts))


def _shares(counts: LabelCounts, measure: str) -> Floats:
    times, whole = _WHOLES[measure]
    return share(times * counts.right, whole(counts))


def _f_betas(counts: LabelCounts, beta: float) -> Floats:
    whole = beta**2 * counts.gold + counts.predicted
    return np.asarray((1 + beta**2) * counts.right / np.where(whole > 0, whole, 1.0))


def _micro_along(counts: LabelCounts, codes: Sequence[int], measure: str) -> Floats:
    of_these = _only(counts, codes)
    times, whole = _WHOLES[measure]
    value = share(times * of_these.right.sum(axis=0), whole(of_these).sum(axis=0))
    return np.where(_is_seen(of_these), value, np.nan)


def _macro_along(counts: LabelCounts, codes: Sequence[int], measure: str) -> Floats:
    return np.asarray(_shares(_only(counts, codes), measure).mean(axis=0))


def _f_beta_along(counts: LabelCounts, codes: Sequence[int], beta: float) -> Floats:
    of_these = _only(counts, codes)
    return np.where(_is_seen(of_these), _f_betas(of_these, beta).mean(axis=0), np.nan)


def _is_seen(counts: LabelCounts) -> NDArray[np.bool_]:
    return np.asarray((counts.predicted + counts.gold).any(axis=0))
