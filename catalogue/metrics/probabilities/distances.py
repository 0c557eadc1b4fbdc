"""How far probabilities lie from what is the case: log loss and Brier scores; and the likeliest label as the answer."""

from dataclasses import replace
from math import fsum, inf

import numpy as np

from catalogue.answers import Probabilities
from catalogue.metrics import one_label
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric
from catalogue.metrics.probabilities.reading import Codes, Flags, gold_and_table, lacking_positive, positives
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

_OF_LIKELIEST = ("accuracy", "f1_macro")
_LEAST = float(np.finfo(np.float64).eps)


def log_loss(y_true: Codes, table: Floats) -> float:
    """Mean over items of -ln of the probability that was given to the gold label.

    From 0 (sure of every gold label) without an upper end; the lower, the better. Never undefined: probabilities are
    brought to 2.2e-16 at least, and to as little below 1 at most, so that an item costs 36.04 at most.

    Parameters
    ----------
    y_true : integer array of shape (n_items,)
        Codes of gold labels.
    table : float array of shape (n_items, n_labels)
        Probabilities. They are taken as they are written, whatever they add up to.

    Returns
    -------
    float

    References
    ----------
    scikit-learn 1.9, `log_loss`, which clips at the machine epsilon; earlier versions clipped and normalised otherwise.

    Examples
    --------
    >>> round(log_loss(np.array([0, 1]), np.array([[0.5, 0.5], [0.0, 1.0]])), 6)
    0.346574
    """
    return _mean(log_losses(y_true, table))


def log_losses(y_true: Codes, table: Floats) -> Floats:
    """Per item, -ln of the probability of its gold label."""
    return -np.log(np.clip(table[np.arange(len(y_true)), y_true], _LEAST, 1 - _LEAST))


def brier(is_positive: Flags, probability: Floats) -> float:
    """Mean squared difference between the probability of the positive label and 1 where it holds, 0 where it does not.

    From 0 (sure and right everywhere) to 1 (sure and wrong everywhere); the lower, the better. Never undefined.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `brier_score_loss`; Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2, halved.

    Examples
    --------
    >>> brier(np.array([True, False]), np.array([1.0, 0.5]))
    0.125
    """
    return _mean(squares(is_positive, probability))


def squares(is_positive: Flags, probability: Floats) -> Floats:
    """Per item, the squared difference from 1 or 0."""
    return np.square(probability - is_positive)


def brier_multiclass(y_true: Codes, table: Floats) -> float:
    """Mean over items of the squared differences between the probabilities and 1 for the gold label, 0 for others.

    The squares of an item are added up over all labels. From 0 (sure and right everywhere) to 2 (sure and wrong
    everywhere; more, up to the number of labels, where probabilities need not add up to 1); the lower, the better.
    Never undefined.

    Parameters
    ----------
    y_true : integer array of shape (n_items,)
        Codes of gold labels.
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float

    References
    ----------
    Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> brier_multiclass(np.array([0, 1]), np.array([[0.5, 0.5], [0.0, 1.0]]))
    0.25
    """
    return _mean(sums_of_squares(y_true, table))


def sums_of_squares(y_true: Codes, table: Floats) -> Floats:
    """Per item, the squared differences added up over the labels."""
    of_gold = table[np.arange(len(y_true)), y_true]
    return np.asarray(np.square(table).sum(axis=1) - 2 * of_gold + 1)


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


_ALL = Statistic(gold_and_table, DeterminedBy.ITEMS)

METRICS = (
    Metric(
        name="log_loss",
        title="Log loss",
        kinds=(Probabilities,),
        statistic=_ALL,
        formula=log_loss,
        resampled=MeanOfItems(log_losses),
        higher_is_better=False,
        high=inf,
        reference="scikit-learn 1.9, log_loss",
    ),
    Metric(
        name="brier",
        title="Brier score",
        kinds=(Probabilities,),
        statistic=Statistic(positives, DeterminedBy.ITEMS),
        formula=brier,
        resampled=MeanOfItems(squares),
        higher_is_better=False,
        reference="scikit-learn, brier_score_loss",
        lacking=lacking_positive,
        label_effect=one_item,
    ),
    Metric(
        name="brier_multiclass",
        title="Brier score of all labels",
        kinds=(Probabilities,),
        statistic=_ALL,
        formula=brier_multiclass,
        resampled=MeanOfItems(sums_of_squares),
        higher_is_better=False,
        high=inf,
        reference="doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    ),
    # Those of one label, of the likeliest.
    *(replace(each, kinds=(Probabilities,)) for each in one_label.METRICS if each.name in _OF_LIKELIEST),
)
