"""Metrics of the label that most people gave an item: the label of the largest gold share, where it is one alone."""

from collections.abc import Callable

import numpy as np

from catalogue.answers import SoftLabels
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.probabilities.reading import SHARES, Codes, Flags
from catalogue.metrics.statistics import Floats, SumsOfItems, quotient

_NO_ONE_LABEL = "no_single_label"


def accuracy_of_majority(gold: Floats, table: Floats) -> float | Undefined:
    """Share of right items among those of which more people gave one label than any other.

    An item is right if the label of its largest share, the first of equal ones, is that label. From 0 to 1. Undefined,
    with code `no_single_label`, where no item has such a label.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `accuracy_score`; with one label per item `f1_score(average="micro")` is the same number. SemEval-2023
    Task 11, doi:10.18653/v1/2023.semeval-1.314, draws a label by lot where no single one has most votes.

    Examples
    --------
    >>> accuracy_of_majority(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0.6, 0.4], [0.0, 1.0]]))
    1.0
    """
    return _of_all(_RIGHT, gold, table)


def f1_macro_of_majority(gold: Floats, table: Floats) -> float | Undefined:
    """Mean of the F1 of every label seen, among items of which more people gave one label than any other.

    A label is seen if it is that label of some such item, or the one of the largest share in the answer, the first of
    equal ones. From 0 to 1. Undefined, with code `no_single_label`, where no item has such a label.

    Parameters
    ----------
    gold, table : float array of shape (n_items, n_labels)
        Shares from 0 to 1.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `f1_score(average="macro")` without `labels`.

    Examples
    --------
    >>> f1_macro_of_majority(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0.6, 0.4], [0.0, 1.0]]))
    1.0
    """
    return _of_all(_F1_OF_LABELS, gold, table)


def right_and_counted(gold: Floats, table: Floats) -> Floats:
    """Whether each item is right, and whether it has a label that most people gave: shape (2, n_items)."""
    labels, found, is_one = _majorities(gold, table)
    return np.stack([(labels == found) & is_one, is_one]).astype(np.float64)


def counts_of_labels(gold: Floats, table: Floats) -> Floats:
    """Whether each label is right, predicted and gold of each item that has one gold label: (3 n_labels, n_items)."""
    labels, found, is_one = _majorities(gold, table)
    each = np.arange(gold.shape[1])[:, None]
    of_gold, of_answer = (each == labels) & is_one, (each == found) & is_one
    return np.concatenate([of_gold & of_answer, of_answer, of_gold]).astype(np.float64)


def _majorities(gold: Floats, table: Floats) -> tuple[Codes, Codes, Flags]:
    """Of each item the label of the largest gold share, that of the answer, and whether the first is one alone."""
    is_largest = gold == gold.max(axis=1, keepdims=True)
    return gold.argmax(axis=1), table.argmax(axis=1), is_largest.sum(axis=1) == 1


def _share(sums: Floats) -> Floats:
    return quotient(sums[0], sums[1])


def _mean_f1(sums: Floats) -> Floats:
    right, predicted, gold = np.split(sums, 3)
    totals = predicted + gold
    f1 = quotient(2 * right, totals, 0.0)
    return quotient(f1.sum(axis=0), (totals > 0).sum(axis=0))


_RIGHT = SumsOfItems(right_and_counted, _share)
_F1_OF_LABELS = SumsOfItems(counts_of_labels, _mean_f1)


def _of_all(sums: SumsOfItems[Floats, Floats], gold: Floats, table: Floats) -> float | Undefined:
    value = sums.of_all(gold, table)
    return Undefined(_NO_ONE_LABEL) if np.isnan(value) else value


_UNDEFINED = {_NO_ONE_LABEL: "There is no item of which more people gave one label than any other."}


def _of_majority(
    name: str,
    title: str,
    formula: Callable[[Floats, Floats], float | Undefined],
    sums: SumsOfItems[Floats, Floats],
    reference: str,
) -> Metric[Floats, Floats]:
    return Metric(
        name=name,
        title=title,
        kinds=(SoftLabels,),
        statistic=SHARES,
        formula=formula,
        resampled=sums,
        reference=f"scikit-learn, {reference} over items with one gold label",
        undefined=_UNDEFINED,
    )


METRICS = (
    _of_majority("accuracy", "Accuracy", accuracy_of_majority, _RIGHT, "accuracy_score"),
    _of_majority("f1_micro", "F1 micro", accuracy_of_majority, _RIGHT, 'f1_score(average="micro")'),
    _of_majority("f1_macro", "F1 macro", f1_macro_of_majority, _F1_OF_LABELS, 'f1_score(average="macro")'),
)
