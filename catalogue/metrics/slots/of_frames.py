"""Metrics of frames: what stands in their slots is compared letter by letter, as often as it stands."""

from math import fsum, isnan

from catalogue.answers import Frames
from catalogue.comparison import Comparison
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.slots.counts import (
    Texts,
    f1_of_counts,
    frames_of_items,
    intents_of_items,
    names_of_items,
    pairs_of_items,
    precision_of_counts,
    recall_of_counts,
    slots_of_items,
)
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic, SumsOfItems

_REFERENCE = (
    "precision, recall and F1 of all pairs of a slot and a text, as scikit-learn has them of indicators"
)
_NOTHING = {
    "f1": ("no_slot_seen", "No slot has a text, neither in the gold labels nor in the predictions."),
    "precision": ("no_slot_predicted", "No slot has a text in the predictions."),
    "recall": ("no_slot_in_gold", "No slot has a text in the gold labels."),
}


_GOLD = ['["Book",{"city":["Bath"],"day":["today"]}]', '["Ask",{}]']
_FOUND = ['["Book",{"city":["bath"],"day":["today"]}]', '["Book",{}]']


def slot_f1(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """F1 of the pairs of a slot and a text: right ones twice, relative to predicted and gold ones together.

    From 0 (none right) to 1 (exactly the gold ones). Undefined, with code `no_slot_seen`, where there is no such pair.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Micro averages over all pairs of a slot and a text: scikit-learn, `f1_score(average="micro")`.

    Examples
    --------
    >>> slot_f1(_GOLD, _FOUND)
    0.5
    """
    return _defined(_sums(_PAIRS_F1, y_true, y_pred), "f1")


def slot_precision(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Share of the predicted pairs of a slot and a text that are right.

    From 0 (none) to 1 (all). Undefined, with code `no_slot_predicted`, where no pair is predicted.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Micro averages over all pairs of a slot and a text: scikit-learn, `precision_score(average="micro")`.

    Examples
    --------
    >>> slot_precision(_GOLD, _FOUND)
    0.5
    """
    return _defined(_sums(_PAIRS_PRECISION, y_true, y_pred), "precision")


def slot_recall(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Share of the gold pairs of a slot and a text that are found.

    From 0 (none) to 1 (all). Undefined, with code `no_slot_in_gold`, where there is no gold pair.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Micro averages over all pairs of a slot and a text: scikit-learn, `recall_score(average="micro")`.

    Examples
    --------
    >>> slot_recall(_GOLD, _FOUND)
    0.5
    """
    return _defined(_sums(_PAIRS_RECALL, y_true, y_pred), "recall")


def slot_names_f1(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """F1 of the slots that have a text, whatever it is.

    From 0 (none right) to 1 (exactly the gold ones). Undefined, with code `no_slot_seen`, where no slot has a text.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Micro average over items and slots: scikit-learn, `f1_score(average="micro")`.

    Examples
    --------
    >>> slot_names_f1(_GOLD, _FOUND)
    1.0
    """
    return _defined(_sums(_NAMES_F1, y_true, y_pred), "f1")


def exact_slots(y_true: Texts, y_pred: Texts) -> float:
    """Share of the items whose slots have exactly the gold texts; the intent is not looked at.

    From 0 (none) to 1 (all). Never undefined: two frames without slots are equal.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score` of indicator matrices.

    Examples
    --------
    >>> exact_slots(_GOLD, _FOUND)
    0.5
    """
    return _mean(slots_of_items(y_true, y_pred))


def intent_accuracy(y_true: Texts, y_pred: Texts) -> float:
    """Share of the items whose intent is right.

    From 0 (none) to 1 (all). Never undefined.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score`.

    Examples
    --------
    >>> intent_accuracy(_GOLD, _FOUND)
    0.5
    """
    return _mean(intents_of_items(y_true, y_pred))


def frame_accuracy(y_true: Texts, y_pred: Texts) -> float:
    """Share of the items whose intent is right and whose slots have exactly the gold texts.

    From 0 (none) to 1 (all). Never undefined.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical texts of frames, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score`.

    Examples
    --------
    >>> frame_accuracy(_GOLD, _FOUND)
    0.0
    """
    return _mean(frames_of_items(y_true, y_pred))


def _sums(sums: SumsOfItems[Texts, Texts], y_true: Texts, y_pred: Texts) -> float:
    return sums.of_all(y_true, y_pred)


def _defined(score: float, measure: str) -> float | Undefined:
    return Undefined(_NOTHING[measure][0]) if isnan(score) else score


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


def _texts(comparison: Comparison) -> tuple[Texts, Texts]:
    return comparison.y_true.tolist(), comparison.y_pred.tolist()


_PAIRS_F1 = SumsOfItems(pairs_of_items, f1_of_counts)
_PAIRS_PRECISION = SumsOfItems(pairs_of_items, precision_of_counts)
_PAIRS_RECALL = SumsOfItems(pairs_of_items, recall_of_counts)
_NAMES_F1 = SumsOfItems(names_of_items, f1_of_counts)

METRICS = (
    *(
        Metric(
            name=formula.__name__,
            title=title,
            kinds=(Frames,),
            statistic=Statistic(_texts, DeterminedBy.ITEMS),
            formula=formula,
            resampled=resampled,
            reference=_REFERENCE,
            undefined=dict([_NOTHING[measure]]),
        )
        for formula, title, resampled, measure in (
            (slot_f1, "Slot F1", _PAIRS_F1, "f1"),
            (slot_precision, "Slot precision", _PAIRS_PRECISION, "precision"),
            (slot_recall, "Slot recall", _PAIRS_RECALL, "recall"),
            (slot_names_f1, "F1 of names of slots", _NAMES_F1, "f1"),
        )
    ),
    *(
        Metric(
            name=name,
            title=title,
            kinds=(Frames,),
            statistic=Statistic(_texts, DeterminedBy.TOTAL),
            formula=formula,
            resampled=MeanOfItems(of_items),
            reference="scikit-learn, accuracy_score",
            label_effect=one_item,
        )
        for name, title, formula, of_items in (
            ("exact_match", "All slots right", exact_slots, slots_of_items),
            ("intent_accuracy", "Intent accuracy", intent_accuracy, intents_of_items),
            ("frame_accuracy", "Frame accuracy", frame_accuracy, frames_of_items),
        )
    ),
)
