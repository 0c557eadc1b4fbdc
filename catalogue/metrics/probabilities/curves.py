"""Areas under curves: how well probabilities put the items of a label before all others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import Probabilities
from catalogue.answers.arrays import as_rows, as_table
from catalogue.comparison import Comparison
from catalogue.metrics.correlation import mean_ranks
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.probabilities.levels import Areas, mean_along, precision_of, precision_of_all
from catalogue.metrics.probabilities.reading import (
    Codes,
    Flags,
    gold_and_table,
    lacking_positive,
    positives,
)
from catalogue.metrics.statistics import (
    AlongWeights,
    DeterminedBy,
    Floats,
    Statistic,
    Weights,
    as_they_are,
    quotient,
)

LACKING = "label_lacking"


def auroc(is_positive: Flags, probability: Floats) -> float | Undefined:
    """Area under the ROC curve: how often an item with the positive label gets more than one without; equal ones half.

    From 0 (order reversed) over 0.5 (no order) to 1 (all positive items first). Undefined, with code
    `label_lacking`, where all items have the positive label or none has.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `roc_auc_score`; Hanley and McNeil (1982), doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> auroc(np.array([True, False, False]), np.array([0.5, 0.5, 0.1]))
    0.75
    """
    return of_all(_auroc_along, is_positive, probability)


def average_precision(is_positive: Flags, probability: Floats) -> float | Undefined:
    """Precision at each level of probability, weighted by the share of the positive items that it adds.

    From near 0 (all positive items last) to 1 (all first). Not interpolated. Undefined, with code `label_lacking`,
    where no item has the positive label.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `average_precision_score`.

    Examples
    --------
    >>> average_precision(np.array([True, False, True]), np.array([0.9, 0.8, 0.7]))
    0.8333333333333333
    """
    return of_all(_average_precision_along, is_positive, probability)


def eer(is_positive: Flags, probability: Floats) -> float | Undefined:
    """Equal error rate: the share of items taken for positive wrongly, at the threshold where as many are missed.

    From 0 (all positive items first) to 1 (all last); the lower, the better. Between two thresholds the ROC curve is a
    straight line. Undefined, with code `label_lacking`, where all items have the positive label or none has.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `roc_curve`, and where it meets the line of equal errors; Brümmer and du Preez (2006),
    doi:10.1016/j.csl.2005.08.001.

    Examples
    --------
    >>> eer(np.array([True, True, False, False]), np.array([0.9, 0.4, 0.6, 0.1]))
    0.5
    """
    return of_all(_eer_along, is_positive, probability)


def auroc_ovr_macro(y_true: Codes, table: Floats) -> float | Undefined:
    """Mean over the labels of the area under the ROC curve of each against all others.

    From 0 to 1; 0.5 without any order. A label that no gold item has is left out of the mean. Undefined, with code
    `label_lacking`, where all gold labels are the same.

    Parameters
    ----------
    y_true : integer array of shape (n_items,)
        Codes of gold labels.
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `roc_auc_score(multi_class="ovr", average="macro")`, which asks for all labels.

    Examples
    --------
    >>> auroc_ovr_macro(np.array([0, 1]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_auroc_ovr_along, y_true, table)


def auroc_ovo_macro(y_true: Codes, table: Floats) -> float | Undefined:
    """Mean over pairs of labels of the area under the ROC curve of the one against the other, by both probabilities.

    From 0 to 1; 0.5 without any order. Pairs of which no gold item has the one label are left out. Undefined, with
    code `label_lacking`, where all gold labels are the same.

    Parameters
    ----------
    y_true : integer array of shape (n_items,)
        Codes of gold labels.
    table : float array of shape (n_items, n_labels)
        Probabilities.

    Returns
    -------
    float or Undefined

    References
    ----------
    Hand and Till (2001), doi:10.1023/A:1010920819831; scikit-learn, `roc_auc_score(multi_class="ovo")`.

    Examples
    --------
    >>> auroc_ovo_macro(np.array([0, 1]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_auroc_ovo_along, y_true, table)


def average_precision_macro(y_true: Codes, table: Floats) -> float | Undefined:
    """Mean over the labels of the average precision of each.

    From near 0 to 1. A label that no gold item has is left out of the mean; scikit-learn counts it 0. Never undefined.

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
    scikit-learn, `average_precision_score(average="macro")`.

    Examples
    --------
    >>> average_precision_macro(np.array([0, 1]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_average_precision_macro_along, y_true, table)


def average_precision_micro(y_true: Codes, table: Floats) -> float | Undefined:
    """Average precision over every label of every item: is it the gold label, by its probability.

    From near 0 to 1. Never undefined.

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
    scikit-learn, `average_precision_score(average="micro")`.

    Examples
    --------
    >>> average_precision_micro(np.array([0, 1]), np.array([[0.9, 0.1], [0.2, 0.8]]))
    1.0
    """
    return of_all(_average_precision_micro_along, y_true, table)


def of_all(
    along: Callable[[Any, Floats, Weights], Floats], gold: NDArray[Any], scores: Floats
) -> float | Undefined:
    """The score of all items, each taken once."""
    (value,) = along(gold, scores, np.ones((len(gold), 1), dtype=np.int32))
    return Undefined(LACKING) if np.isnan(value) else float(value)


def _auroc_along(is_positive: Flags, probability: Floats, by_item: Weights) -> Floats:
    areas = Areas(is_positive.astype(np.intp), {1: probability})
    return mean_along(areas.of_each_label, by_item)


def _eer_along(is_positive: Flags, probability: Floats, by_item: Weights) -> Floats:
    level = np.unique(-probability, return_inverse=True)[1]  # from the highest down

    def rates(some: Weights) -> list[Floats]:
        wrong, right = (
            _share_to(level[lot], some[lot], len(probability)) for lot in (~is_positive, is_positive)
        )
        beyond = wrong + right - 1  # by how much more are taken wrongly than are missed
        after = np.maximum((beyond >= 0).argmax(axis=0), 1)[None]
        (start, end), (low, high) = (
            [np.take_along_axis(rows, at, axis=0)[0] for at in (after - 1, after)] for rows in (wrong, beyond)
        )
        return [start - low * quotient(end - start, high - low)]

    return mean_along(rates, by_item)


def _share_to(level: Codes, weights: Weights, size: int) -> Floats:
    """The share of these items that stand at each level or above it, after 0; NaN where a resample has none."""
    running = np.zeros((size + 1, weights.shape[1]))
    np.add.at(running, level + 1, weights)
    np.cumsum(running, axis=0, out=running)
    return quotient(running, running[-1])


def _average_precision_along(is_positive: Flags, probability: Floats, by_item: Weights) -> Floats:
    precision = precision_of(is_positive, probability)
    return mean_along(lambda some: [precision.along(some)], by_item)


def _auroc_ovr_along(y_true: Codes, table: Floats, by_item: Weights) -> Floats:
    return mean_along(Areas(y_true, dict(enumerate(table.T))).of_each_label, by_item)


def _auroc_ovo_along(y_true: Codes, table: Floats, by_item: Weights) -> Floats:
    return mean_along(Areas(y_true, dict(enumerate(table.T))).of_each_pair, by_item)


def _average_precision_macro_along(y_true: Codes, table: Floats, by_item: Weights) -> Floats:
    each = [precision_of(y_true == code, column) for code, column in enumerate(table.T)]
    return mean_along(lambda some: [precision.along(some) for precision in each], by_item)


def _average_precision_micro_along(y_true: Codes, table: Floats, by_item: Weights) -> Floats:
    precision = precision_of_all(y_true, table)
    return mean_along(lambda some: [precision.along(some)], by_item)


def both_ranked(own: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return _ranked(own), _ranked(other)


def _ranked(answers: NDArray[Any]) -> NDArray[Any]:
    """The probabilities of each label by their order alone, from 0 to 1."""
    table = as_table(answers)
    return as_rows(np.stack([mean_ranks(column) / len(table) for column in table.T], axis=1))


_SAME = {LACKING: "All gold labels are the same label, so there is nothing to tell apart."}


def _rarer_side(comparison: Comparison) -> int:
    """How many items are positive, or are not, whichever are fewer: all others are compared with these."""
    is_positive, _ = positives(comparison)
    return min(int(is_positive.sum()), int((~is_positive).sum()))


METRICS = (
    *(
        Metric(
            name=formula.__name__,
            title=title,
            kinds=(Probabilities,),
            statistic=Statistic(positives, DeterminedBy.ITEMS),
            formula=formula,
            higher_is_better=formula is not eer,
            resampled=AlongWeights(along, both_ranked),
            reference=f"scikit-learn, {formula_there}",
            undefined={LACKING: sentence},
            lacking=lacking_positive,
            rests_on=_rarer_side,
        )
        for formula, title, along, formula_there, sentence in (
            (auroc, "AUROC", _auroc_along, "roc_auc_score",
             "Either every item has the positive label or none has."),
            (eer, "Equal error rate", _eer_along, "roc_curve",
             "Either every item has the positive label or none has."),
            (average_precision, "Average precision", _average_precision_along, "average_precision_score",
             "No item has the positive label."),
        )
    ),
    *(
        Metric(
            name=formula.__name__,
            title=title,
            kinds=(Probabilities,),
            statistic=Statistic(gold_and_table, DeterminedBy.ITEMS),
            formula=formula,
            resampled=AlongWeights(along, on_one_scale),
            reference=f"scikit-learn, {formula_there}",
            undefined=undefined,
        )
        for formula, title, along, on_one_scale, formula_there, undefined in (
            (auroc_ovr_macro, "AUROC, each label against the rest", _auroc_ovr_along, both_ranked,
             'roc_auc_score(multi_class="ovr")', _SAME),
            (auroc_ovo_macro, "AUROC, each label against each other", _auroc_ovo_along, both_ranked,
             'roc_auc_score(multi_class="ovo")', _SAME),
            (average_precision_macro, "Average precision, mean over labels", _average_precision_macro_along,
             both_ranked, 'average_precision_score(average="macro")', {}),
            (average_precision_micro, "Average precision, all labels together", _average_precision_micro_along,
             as_they_are, 'average_precision_score(average="micro")', {}),
        )
    ),
)  # fmt: skip
