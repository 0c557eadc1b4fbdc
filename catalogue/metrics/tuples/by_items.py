"""Precision, recall and F1 of the tuples of each item, and their means, in which long lists count like short."""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from math import fsum

import numpy as np

from catalogue.answers import AnswerKind, TextTuples
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic
from catalogue.metrics.texts.reading import kept
from catalogue.metrics.tuples.of_tuples import Texts, counts_of_items, of_parts, parts_named, texts

_GOLD, _FOUND = ('["a","b"]', '["c"]'), ('["a"]', '["c","d","e"]')


def f1_samples(y_true: Texts, y_pred: Texts) -> float:
    """Mean over items of the F1 of their tuples: right ones twice, relative to predicted and gold ones together.

    From 0 (no tuple right anywhere) to 1 (every list exactly right). Never undefined: an item without any tuple counts
    0, as in scikit-learn.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="samples", zero_division=0)`, of indicators; list questions of BioASQ.

    Examples
    --------
    >>> round(f1_samples(_GOLD, _FOUND), 4)
    0.5833
    """
    return _mean("f1", (), y_true, y_pred)


def precision_samples(y_true: Texts, y_pred: Texts) -> float:
    """Mean over items of the share of predicted tuples that are right.

    From 0 to 1. Never undefined: an item without a predicted tuple counts 0, as in scikit-learn.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `precision_score(average="samples", zero_division=0)`, of indicators.

    Examples
    --------
    >>> round(precision_samples(_GOLD, _FOUND), 4)
    0.6667
    """
    return _mean("precision", (), y_true, y_pred)


def recall_samples(y_true: Texts, y_pred: Texts) -> float:
    """Mean over items of the share of gold tuples that are found.

    From 0 to 1. Never undefined: an item without a gold tuple counts 0, as in scikit-learn.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `recall_score(average="samples", zero_division=0)`, of indicators.

    Examples
    --------
    >>> recall_samples(_GOLD, _FOUND)
    0.75
    """
    return _mean("recall", (), y_true, y_pred)


_DOCUMENTED: dict[str, Callable[[Texts, Texts], float]] = {
    "f1": f1_samples,
    "precision": precision_samples,
    "recall": recall_samples,
}


def _of_items(measure: str, places: Sequence[int], y_true: Texts, y_pred: Texts) -> Floats:
    """The number of each item, 0 where there is nothing to divide by: shape (n_items,)."""
    right, predicted, gold = counts_of_items(places, y_true, y_pred)
    whole = {"f1": (predicted + gold) / 2, "precision": predicted, "recall": gold}[measure]
    return np.asarray(right / np.where(whole > 0, whole, 1.0))


def _mean(measure: str, places: Sequence[int], y_true: Texts, y_pred: Texts) -> float:
    return fsum(_of_items(measure, places, y_true, y_pred).tolist()) / len(y_true)


def samples_metric(kind: AnswerKind, name: str) -> Metric[Texts, Texts] | None:
    """The metric of some parts of the tuples, as `f1_samples[aspect]`; None if it is no such name.

    Examples
    --------
    >>> samples_metric(TextTuples(("aspect", "opinion")), "recall_samples[aspect]").title
    'Recall of aspect, mean over items'
    """
    stem, pieces = parts_of(name) or ("", [])
    measure, places = stem.removesuffix("_samples"), parts_named(kind, pieces)
    if measure not in _DOCUMENTED or measure == stem or not places:
        return None
    return _metric(name, measure, of_parts(kind, places), places)


def _metric(name: str, measure: str, said: str, places: tuple[int, ...]) -> Metric[Texts, Texts]:
    title = {"f1": "F1", "precision": "Precision", "recall": "Recall"}[measure]
    return Metric(
        name=name,
        title=f"{title}{said}, mean over items",
        kinds=(TextTuples,),
        statistic=Statistic(texts, DeterminedBy.ITEMS),
        formula=wraps(_DOCUMENTED[measure])(partial(_mean, measure, places)),
        resampled=MeanOfItems(kept(partial(_of_items, measure, places))),
        reference=f'scikit-learn, {measure}_score(average="samples", zero_division=0) of indicators',
        label_effect=one_item,
    )


METRICS = tuple(_metric(f"{measure}_samples", measure, "", ()) for measure in _DOCUMENTED)
