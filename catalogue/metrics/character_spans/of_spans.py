"""Metrics of spans of characters as shared tasks score them."""

from collections.abc import Callable
from math import fsum, isnan

import numpy as np

from catalogue.answers import CharacterSpans
from catalogue.comparison import Comparison
from catalogue.metrics.character_spans.overlaps import (
    Texts,
    character_f1_of_items,
    equal_spans_of_items,
    matches_of_spans,
    overlaps_of_items,
)
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic, SumsOfItems, quotient
from catalogue.metrics.texts.reading import kept

_TOXIC = "SemEval-2021 Task 5 (Toxic Spans), doi:10.18653/v1/2021.semeval-1.6"
_PARTIAL = "SemEval-2020 Task 11 (propaganda), doi:10.18653/v1/2020.semeval-1.186; doi:10.18653/v1/D19-1565"
_MICRO = "micro averages over all spans, as scikit-learn has them of indicators"
_NO_PREDICTED = ("no_span_predicted", "No span is predicted.")
_NO_GOLD = ("no_span_in_gold", "The gold labels have no span.")
_GOLD = ["[[0,4],[10,20]]", "[]"]
_FOUND = ["[[0,4],[15,25]]", "[]"]


def character_f1(y_true: Texts, y_pred: Texts) -> float:
    """Mean over items of the F1 of the characters in predicted and gold spans, each counted once for each type.

    From 0 (none in common) to 1 (the same everywhere). Never undefined: an item without any span on either side
    counts 1, one with spans on one side alone 0.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float

    References
    ----------
    Pavlopoulos et al. (2021), doi:10.18653/v1/2021.semeval-1.6.

    Examples
    --------
    9 of 14 characters on each side, and an item without spans: (9/14 + 1) / 2.

    >>> character_f1(_GOLD, _FOUND)
    0.8214285714285714
    """
    return _mean(character_f1_of_items(y_true, y_pred))


def character_jaccard(y_true: Texts, y_pred: Texts) -> float:
    """Mean over items of how many characters are in predicted and gold spans alike, relative to those in either.

    This is the intersection over union; each character counts once for each type.

    From 0 (none in common) to 1 (the same everywhere). Never undefined: an item without any span on either side
    counts 1, one with spans on one side alone 0.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float

    References
    ----------
    SemEval-2025 Task 3 (Mu-SHROOM), its `score_iou`.

    Examples
    --------
    9 characters of 19, and an item without spans: (9/19 + 1) / 2.

    >>> round(character_jaccard(_GOLD, _FOUND), 4)
    0.7368
    """
    return _mean(_character_jaccard_of_items(y_true, y_pred))


def _character_jaccard_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """From F1, with which it goes up and down: both follow from how many characters are common and how many in all."""
    f1 = character_f1_of_items(y_true, y_pred)
    return np.asarray(f1 / (2 - f1))


def exact_spans(y_true: Texts, y_pred: Texts) -> float:
    """Share of the items whose spans are exactly the gold ones.

    From 0 (none) to 1 (all). Never undefined: two items without spans are equal.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score`.

    Examples
    --------
    >>> exact_spans(_GOLD, _FOUND)
    0.5
    """
    return _mean(matches_of_spans(y_true, y_pred))


def span_f1(y_true: Texts, y_pred: Texts) -> float:
    """F1 of spans with the same ends and type, over all items together, each as often as it stands.

    From 0 to 1. Never undefined: without any span on either side it is 1, without one on one side alone 0.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float

    References
    ----------
    Micro averages: scikit-learn, `f1_score(average="micro")`.

    Examples
    --------
    >>> span_f1(_GOLD, _FOUND)
    0.5
    """
    return _EQUAL_F1.of_all(y_true, y_pred)


def span_precision(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Share of the predicted spans that are gold spans, with the same ends and type.

    From 0 to 1. Undefined, with code `no_span_predicted`, where no span is predicted.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Micro averages: scikit-learn, `precision_score(average="micro")`.

    Examples
    --------
    >>> span_precision(_GOLD, _FOUND)
    0.5
    """
    return _defined(_EQUAL_PRECISION.of_all(y_true, y_pred), _NO_PREDICTED)


def span_recall(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Share of the gold spans that are predicted, with the same ends and type.

    From 0 to 1. Undefined, with code `no_span_in_gold`, where the gold labels have no span.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Micro averages: scikit-learn, `recall_score(average="micro")`.

    Examples
    --------
    >>> span_recall(_GOLD, _FOUND)
    0.5
    """
    return _defined(_EQUAL_RECALL.of_all(y_true, y_pred), _NO_GOLD)


def partial_f1(y_true: Texts, y_pred: Texts) -> float:
    """Harmonic mean of partial precision and partial recall, either of which is 0 without spans.

    From 0 to 1. Never undefined: without any span on either side it is 1, without one on one side alone 0.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float

    References
    ----------
    Da San Martino et al. (2019), doi:10.18653/v1/D19-1565; (2020), doi:10.18653/v1/2020.semeval-1.186.

    Examples
    --------
    >>> partial_f1(_GOLD, _FOUND)
    0.75
    """
    return _PARTIAL_F1.of_all(y_true, y_pred)


def partial_precision(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Mean over predicted spans of the share of their characters that gold spans of their type cover.

    Before, spans of one type that have a character in common are made one, on either side.

    From 0 to 1. Undefined, with code `no_span_predicted`, where no span is predicted.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Da San Martino et al. (2019), doi:10.18653/v1/D19-1565; (2020), doi:10.18653/v1/2020.semeval-1.186.

    Examples
    --------
    >>> partial_precision(_GOLD, _FOUND)
    0.75
    """
    return _defined(_PARTIAL_PRECISION.of_all(y_true, y_pred), _NO_PREDICTED)


def partial_recall(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Mean over gold spans of the share of their characters that predicted spans of their type cover.

    Before, spans of one type that have a character in common are made one, on either side.

    From 0 to 1. Undefined, with code `no_span_in_gold`, where the gold labels have no span.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of spans, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Da San Martino et al. (2019), doi:10.18653/v1/D19-1565; (2020), doi:10.18653/v1/2020.semeval-1.186.

    Examples
    --------
    >>> partial_recall(_GOLD, _FOUND)
    0.75
    """
    return _defined(_PARTIAL_RECALL.of_all(y_true, y_pred), _NO_GOLD)


def precision_of_spans(sums: Floats) -> Floats:
    """What of the predicted spans is right, of as many as there are; NaN where there is none."""
    return quotient(sums[0], sums[1])


def recall_of_spans(sums: Floats) -> Floats:
    """What of the gold spans is found, of as many as there are; NaN where there is none."""
    return quotient(sums[2], sums[3])


def f1_of_spans(sums: Floats) -> Floats:
    """The harmonic mean of both, either of which is 0 without spans; 1 where neither side has any."""
    precision, recall = quotient(sums[0], sums[1], 0.0), quotient(sums[2], sums[3], 0.0)
    found = quotient(2 * precision * recall, precision + recall, 0.0)
    return np.where(np.asarray(sums[1] + sums[3]) == 0, 1.0, found)


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


def _texts(comparison: Comparison) -> tuple[Texts, Texts]:
    return tuple(comparison.y_true.tolist()), tuple(comparison.y_pred.tolist())


def _defined(score: float, otherwise: tuple[str, str]) -> float | Undefined:
    return Undefined(otherwise[0]) if isnan(score) else score


_EQUAL, _OVERLAPS = kept(equal_spans_of_items), kept(overlaps_of_items)
_EQUAL_F1, _PARTIAL_F1 = SumsOfItems(_EQUAL, f1_of_spans), SumsOfItems(_OVERLAPS, f1_of_spans)
_EQUAL_PRECISION = SumsOfItems(_EQUAL, precision_of_spans)
_EQUAL_RECALL = SumsOfItems(_EQUAL, recall_of_spans)
_PARTIAL_PRECISION = SumsOfItems(_OVERLAPS, precision_of_spans)
_PARTIAL_RECALL = SumsOfItems(_OVERLAPS, recall_of_spans)


def _summed(
    name: str,
    formula: Callable[[Texts, Texts], float | Undefined],
    sums: SumsOfItems[Texts, Texts],
    reference: str,
    *undefined: tuple[str, str],
) -> Metric[Texts, Texts]:
    """What follows from sums over items, called by its name."""
    return Metric(
        name=name,
        title=name.capitalize().replace("_", " ").replace("f1", "F1"),
        kinds=(CharacterSpans,),
        statistic=Statistic(_texts, DeterminedBy.ITEMS),
        formula=formula,
        resampled=sums,
        reference=reference,
        undefined=dict(undefined),
    )


METRICS = (
    Metric(
        name="character_f1",
        title="F1 of characters",
        kinds=(CharacterSpans,),
        statistic=Statistic(_texts, DeterminedBy.ITEMS),
        formula=character_f1,
        resampled=MeanOfItems(kept(character_f1_of_items)),
        reference=_TOXIC,
        label_effect=one_item,
    ),
    Metric(
        name="character_jaccard",
        title="Jaccard index of characters",
        kinds=(CharacterSpans,),
        statistic=Statistic(_texts, DeterminedBy.ITEMS),
        formula=character_jaccard,
        resampled=MeanOfItems(kept(_character_jaccard_of_items)),
        reference="SemEval-2025 Task 3 (Mu-SHROOM), score_iou",
        label_effect=one_item,
    ),
    Metric(
        name="exact_match",
        title="All spans right",
        kinds=(CharacterSpans,),
        statistic=Statistic(_texts, DeterminedBy.TOTAL),
        formula=exact_spans,
        resampled=MeanOfItems(matches_of_spans),
        reference="scikit-learn, accuracy_score",
        label_effect=one_item,
    ),
    _summed("span_f1", span_f1, _EQUAL_F1, _MICRO),
    _summed("span_precision", span_precision, _EQUAL_PRECISION, _MICRO, _NO_PREDICTED),
    _summed("span_recall", span_recall, _EQUAL_RECALL, _MICRO, _NO_GOLD),
    _summed("partial_f1", partial_f1, _PARTIAL_F1, _PARTIAL),
    _summed("partial_precision", partial_precision, _PARTIAL_PRECISION, _PARTIAL, _NO_PREDICTED),
    _summed("partial_recall", partial_recall, _PARTIAL_RECALL, _PARTIAL, _NO_GOLD),
)
