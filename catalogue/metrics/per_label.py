"""Metrics that name labels: precision, recall and F1 of one, and the mean F1 of some of them."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import fsum

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison, Counts, LabelCounts
from catalogue.metrics.label_effect import f1_of_one, mean_of_f1, unbounded
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.one_label import OF_ANY_LABELS, f1_of_labels, share
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, Floats, Statistic

_SOKOLOVA = "doi:10.1016/j.ipm.2009.03.002"


def precision_of_label(counts: LabelCounts, code: int) -> float | Undefined:
    """Share of the predictions of one label that are right.

    From 0 (never right, or never predicted though there are gold items) to 1 (always right). Undefined, with
    code `label_not_seen`, where the label is neither in the gold labels nor in the predictions.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    code : int
        The label's position among the declared labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.1016/j.ipm.2009.03.002; scikit-learn, `precision_score(average=None, zero_division=0)`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([1, 0]), predicted=np.array([4, 0]), gold=np.array([2, 0]))
    >>> precision_of_label(counts, 0)
    0.25
    >>> precision_of_label(counts, 1)
    Undefined(code='label_not_seen')
    """
    return _share_of_label(counts, code, int(counts.right[code]), int(counts.predicted[code]))


def recall_of_label(counts: LabelCounts, code: int) -> float | Undefined:
    """Share of the gold items of one label that are found.

    From 0 (none found, or none there though the label is predicted) to 1 (all found). Undefined, with code
    `label_not_seen`, where the label is neither in the gold labels nor in the predictions.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    code : int
        The label's position among the declared labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.1016/j.ipm.2009.03.002; scikit-learn, `recall_score(average=None, zero_division=0)`.

    Examples
    --------
    >>> recall_of_label(LabelCounts(right=np.array([1]), predicted=np.array([4]), gold=np.array([2])), 0)
    0.5
    """
    return _share_of_label(counts, code, int(counts.right[code]), int(counts.gold[code]))


def f1_of_label(counts: LabelCounts, code: int) -> float | Undefined:
    """F1 of one label: the harmonic mean of its precision and recall.

    From 0 (never right) to 1 (predicted for exactly its gold items). Undefined, with code `label_not_seen`,
    where the label is neither in the gold labels nor in the predictions; scikit-learn says 0 there.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    code : int
        The label's position among the declared labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.1016/j.ipm.2009.03.002; scikit-learn, `f1_score(average=None)`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([3, 0]), predicted=np.array([4, 0]), gold=np.array([4, 0]))
    >>> f1_of_label(counts, 0)
    0.75
    >>> f1_of_label(counts, 1)
    Undefined(code='label_not_seen')
    """
    return _share_of_label(
        counts, code, 2 * int(counts.right[code]), int(counts.predicted[code]) + int(counts.gold[code])
    )


def f1_macro_of(counts: LabelCounts, codes: Sequence[int]) -> float:
    """Mean of the F1 of some of the declared labels; one that is not seen counts 0.

    From 0 (none of these labels ever right) to 1 (each predicted for exactly its gold items). Never undefined.
    Wrong predictions of the other labels count through the gold items that they miss.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels.
    codes : sequence of int
        Positions of the labels to average over, at least one.

    Returns
    -------
    float

    References
    ----------
    SemEval-2016 Task 6, official scorer (FAVOR and AGAINST); scikit-learn,
    `f1_score(average="macro", labels=<codes>, zero_division=0)`.

    Examples
    --------
    >>> counts = LabelCounts(right=np.array([3, 1, 0]), predicted=np.array([4, 2, 1]), gold=np.array([4, 2, 1]))
    >>> f1_macro_of(counts, [0, 1])
    0.625
    """
    return fsum(f1_of_labels(counts)[list(codes)].tolist()) / len(codes)


@lru_cache(maxsize=128)
def label_metrics(kind: AnswerKind) -> dict[str, AnyMetric]:
    """By name, the metrics `f1_<label>`, `precision_<label>` and `recall_<label>` of each declared label.

    A registered metric of the same name (there is one for a label called `macro`) takes precedence where
    metrics are looked up by name.

    Examples
    --------
    >>> from catalogue.answers import Label
    >>> list(label_metrics(Label(names=("AGAINST", "FAVOR"))))[:3]
    ['f1_AGAINST', 'precision_AGAINST', 'recall_AGAINST']
    """
    return {
        metric.name: metric
        for code, label in enumerate(kind.counted_labels)
        for metric in _metrics_of_label(type(kind), label, code)
    }


def _mean_f1_of(
    labels: tuple[str, ...], *, name: str, title: str, reference: str
) -> Metric[LabelCounts, list[int]]:
    def collect(comparison: Comparison) -> tuple[LabelCounts, list[int]]:
        return comparison.counts, comparison.codes(labels)

    return Metric(
        name=name,
        title=title,
        kinds=OF_ANY_LABELS,
        statistic=Statistic(collect, DeterminedBy.RIGHT),
        formula=f1_macro_of,
        resampled=AlongCounts(lambda counts, codes: np.asarray(f1_of_labels(counts)[codes].mean(axis=0))),
        reference=reference,
        labels=labels,
        label_effect=lambda items, _declared, rarest: mean_of_f1(items, len(labels), rarest),
    )


def _metrics_of_label(kind: type[AnswerKind], label: str, code: int) -> Iterator[Metric[LabelCounts, int]]:
    for measure, title, formula, along in _MEASURES:
        yield Metric(
            name=f"{measure}_{label}",
            title=f"{title} of {label}",
            kinds=(kind,),
            statistic=Statistic(lambda comparison: (comparison.counts, code), DeterminedBy.RIGHT),
            formula=formula,
            resampled=AlongCounts(along),
            reference=f"{_SOKOLOVA}; scikit-learn, {measure}_score(average=None)",
            undefined={"label_not_seen": "The label is neither in the gold labels nor in the predictions."},
            labels=(label,),
            label_effect=f1_of_one if measure == "f1" else unbounded,
        )


def _share_of_label(counts: LabelCounts, code: int, part: int, whole: int) -> float | Undefined:
    if not counts.predicted[code] and not counts.gold[code]:
        return Undefined("label_not_seen")
    return part / whole if whole else 0.0


_OfLabel = Callable[[LabelCounts, int], Floats]


def _along(part: Callable[[LabelCounts], Counts], whole: Callable[[LabelCounts], Counts]) -> _OfLabel:
    """The share of one label along resamples; NaN where it is not seen."""

    def formula(counts: LabelCounts, code: int) -> Floats:
        is_seen = counts.predicted[code] + counts.gold[code] > 0
        return np.where(is_seen, share(part(counts)[code], whole(counts)[code]), np.nan)

    return formula


_MEASURES: tuple[tuple[str, str, Callable[[LabelCounts, int], float | Undefined], _OfLabel], ...] = (
    ("f1", "F1", f1_of_label, _along(lambda counts: 2 * counts.right, lambda c: c.predicted + c.gold)),
    ("precision", "Precision", precision_of_label, _along(lambda c: c.right, lambda c: c.predicted)),
    ("recall", "Recall", recall_of_label, _along(lambda counts: counts.right, lambda counts: counts.gold)),
)

METRICS = (
    _mean_f1_of(
        ("FAVOR", "AGAINST"),
        name="f1_favor_against",
        title="Mean F1 of FAVOR and AGAINST",
        reference="SemEval-2016 Task 6, official scorer",
    ),
)
