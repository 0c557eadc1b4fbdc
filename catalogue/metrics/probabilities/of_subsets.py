"""How well probabilities put the labels that hold before those that do not, where any number of labels may hold."""

from math import fsum, inf

import numpy as np

from catalogue.answers import SubsetProbabilities
from catalogue.answers.arrays import as_table
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.probabilities.curves import LACKING, both_ranked, of_all
from catalogue.metrics.probabilities.levels import Areas, mean_along, precision_of, precision_of_each
from catalogue.metrics.probabilities.reading import Flags
from catalogue.metrics.statistics import (
    AlongWeights,
    DeterminedBy,
    Floats,
    MeanOfItems,
    Statistic,
    Weights,
    as_they_are,
)

_LEAST = float(np.finfo(np.float64).eps)


def auroc_macro(holds: Flags, table: Floats) -> float | Undefined:
    """Mean over the labels of the area under the ROC curve of each.

    From 0 to 1; 0.5 without any order. A label that holds for all items or for none is left out of the mean.
    Undefined, with code `label_lacking`, where every label is.

    Parameters
    ----------
    holds : bool array of shape (n_items, n_labels)
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `roc_auc_score(average="macro")` of the labels that it is defined for.

    Examples
    --------
    >>> auroc_macro(np.array([[True, False], [False, True]]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_auroc_along, holds, table)


def average_precision_macro(holds: Flags, table: Floats) -> float | Undefined:
    """Mean over the labels of the average precision of each.

    From near 0 to 1. A label that holds for no item is left out of the mean; scikit-learn counts it 0. Undefined, with
    code `label_lacking`, where every label is.

    Parameters
    ----------
    holds : bool array of shape (n_items, n_labels)
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `average_precision_score(average="macro")`.

    Examples
    --------
    >>> average_precision_macro(np.array([[True, False], [False, True]]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_average_precision_along, holds, table)


def average_precision_micro(holds: Flags, table: Floats) -> float | Undefined:
    """Average precision over every label of every item: does it hold, by its probability.

    From near 0 to 1. Undefined, with code `label_lacking`, where no label of any item holds.

    Parameters
    ----------
    holds : bool array of shape (n_items, n_labels)
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `average_precision_score(average="micro")`.

    Examples
    --------
    >>> average_precision_micro(np.array([[True, False], [False, True]]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_average_precision_micro_along, holds, table)


def lrap(holds: Flags, table: Floats) -> float:
    """Label ranking average precision: how many of the labels that are as likely as one that holds, hold themselves.

    The mean over the labels that hold of an item, and then over items. From above 0 to 1 (those that hold come first).
    An item for which all labels hold, or none, counts 1. Never undefined.

    Parameters
    ----------
    holds : bool array of shape (n_items, n_labels)
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `label_ranking_average_precision_score`; Tsoumakas, Katakis and Vlahavas (2010),
    doi:10.1007/978-0-387-09823-4_34.

    Examples
    --------
    >>> lrap(np.array([[True, False, True]]), np.array([[0.9, 0.8, 0.7]]))
    0.8333333333333333
    """
    return _mean(precisions_of_items(holds, table))


def precisions_of_items(holds: Flags, table: Floats) -> Floats:
    """Per item, the mean over the labels that hold of the share of those as likely that hold too."""
    order = np.argsort(-table, axis=1, kind="stable")  # the likeliest first
    ordered, held = (np.take_along_axis(one, order, axis=1) for one in (table, holds))
    # Of labels that are equally likely all have the place of the last.
    places = np.arange(table.shape[1])
    is_last = np.append(ordered[:, :-1] != ordered[:, 1:], np.ones((len(table), 1), dtype=np.bool_), axis=1)
    last = np.minimum.accumulate(np.where(is_last, places, len(places))[:, ::-1], axis=1)[:, ::-1]
    precisions = np.take_along_axis(held.cumsum(axis=1), last, axis=1) / (last + 1)
    sums, count = np.where(held, precisions, 0.0).sum(axis=1), holds.sum(axis=1)
    is_told = (count > 0) & (count < holds.shape[1])
    return np.asarray(np.divide(sums, count, out=np.ones(len(holds)), where=is_told))


def log_loss(holds: Flags, table: Floats) -> float:
    """Mean over items and labels of -ln of the probability that was given to what is the case.

    From 0 (sure of everything) without an upper end; the lower, the better. Never undefined: probabilities are brought
    to 2.2e-16 at least, and to as little below 1 at most.

    Parameters
    ----------
    holds : bool array of shape (n_items, n_labels)
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float

    References
    ----------
    scikit-learn 1.9, `log_loss` of each label, and their mean.

    Examples
    --------
    >>> round(log_loss(np.array([[True, False]]), np.array([[0.5, 0.0]])), 6)
    0.346574
    """
    return _mean(log_losses(holds, table))


def log_losses(holds: Flags, table: Floats) -> Floats:
    """Per item, the mean over labels of -ln of the probability of what is the case."""
    of_case = np.where(holds, table, 1 - table)
    return np.asarray(-np.log(np.clip(of_case, _LEAST, 1 - _LEAST)).mean(axis=1))


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


def _auroc_along(holds: Flags, table: Floats, by_item: Weights) -> Floats:
    areas = [
        Areas(flags.astype(np.intp), {1: column}) for flags, column in zip(holds.T, table.T, strict=True)
    ]
    return mean_along(lambda some: [area for each in areas for area in each.of_each_label(some)], by_item)


def _average_precision_along(holds: Flags, table: Floats, by_item: Weights) -> Floats:
    each = [precision_of(flags, column) for flags, column in zip(holds.T, table.T, strict=True)]
    return mean_along(lambda some: [precision.along(some) for precision in each], by_item)


def _average_precision_micro_along(holds: Flags, table: Floats, by_item: Weights) -> Floats:
    precision = precision_of_each(holds, table)
    return mean_along(lambda some: [precision.along(some)], by_item)


def _holds_and_table(comparison: Comparison) -> tuple[Flags, Floats]:
    return as_table(comparison.y_true) == 1, as_table(comparison.y_pred)


_READ = Statistic(_holds_and_table, DeterminedBy.ITEMS)
_KINDS = (SubsetProbabilities,)

METRICS = (
    *(
        Metric(
            name=formula.__name__,
            title=title,
            kinds=_KINDS,
            statistic=_READ,
            formula=formula,
            resampled=AlongWeights(along, on_one_scale),
            reference=f"scikit-learn, {formula_there}",
            undefined={LACKING: sentence},
        )
        for formula, title, along, on_one_scale, formula_there, sentence in (
            (auroc_macro, "AUROC, mean over labels", _auroc_along, both_ranked,
             'roc_auc_score(average="macro")', "Each label holds for all items or for none."),
            (average_precision_macro, "Average precision, mean over labels", _average_precision_along, both_ranked,
             'average_precision_score(average="macro")', "No label holds for any item."),
            (average_precision_micro, "Average precision, all labels together", _average_precision_micro_along,
             as_they_are, 'average_precision_score(average="micro")', "No label holds for any item."),
        )
    ),
    Metric(
        name="lrap",
        title="Label ranking average precision",
        kinds=_KINDS,
        statistic=_READ,
        formula=lrap,
        resampled=MeanOfItems(precisions_of_items),
        reference="scikit-learn, label_ranking_average_precision_score",
    ),
    Metric(
        name="log_loss",
        title="Log loss, mean over labels",
        kinds=_KINDS,
        statistic=_READ,
        formula=log_loss,
        resampled=MeanOfItems(log_losses),
        higher_is_better=False,
        high=inf,
        reference="scikit-learn 1.9, log_loss",
    ),
)  # fmt: skip
