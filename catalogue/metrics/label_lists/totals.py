"""Metrics of lists of labels that add up all pairs of an item and a label."""

from collections.abc import Callable

import numpy as np

from catalogue.answers import ManyLabels
from catalogue.metrics.label_lists.memberships import Members, counts_of_items, members, share
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfItems

_NO_LABEL = "no_label_seen"


def f1_micro(found: Members) -> float | Undefined:
    """F1 of all pairs of an item and a label: right ones twice, relative to predicted and gold ones together.

    From 0 (no label right anywhere) to 1 (every list exactly right). Undefined, with code `no_label_seen`, where every
    list is empty, in gold labels and predictions.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `f1_score(average="micro")`.

    Examples
    --------
    Two labels right of three predicted and three gold ones.

    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> round(f1_micro(EXAMPLE), 4)
    0.6667
    """
    return _of_all(_f1_sums, found)


def precision_micro(found: Members) -> float | Undefined:
    """Share of the predicted pairs of an item and a label that are right.

    From 0 (none, or nothing predicted though there are gold labels) to 1 (all). Undefined, with code `no_label_seen`,
    where every list is empty, in gold labels and predictions.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `precision_score(average="micro", zero_division=0)`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> round(precision_micro(EXAMPLE), 4)
    0.6667
    """
    return _of_all(_precision_sums, found)


def recall_micro(found: Members) -> float | Undefined:
    """Share of the gold pairs of an item and a label that are found.

    From 0 (none, or no gold label though some are predicted) to 1 (all). Undefined, with code `no_label_seen`, where
    every list is empty, in gold labels and predictions.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `recall_score(average="micro", zero_division=0)`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> round(recall_micro(EXAMPLE), 4)
    0.6667
    """
    return _of_all(_recall_sums, found)


def _f1_sums(found: Members) -> Floats:
    right, predicted, gold = counts_of_items(found)
    return np.stack([2 * right, predicted + gold, predicted + gold])


def _precision_sums(found: Members) -> Floats:
    right, predicted, gold = counts_of_items(found)
    return np.stack([right, predicted, predicted + gold])


def _recall_sums(found: Members) -> Floats:
    right, predicted, gold = counts_of_items(found)
    return np.stack([right, gold, predicted + gold])


def _ratio(sums: Floats) -> Floats:
    """The first sum relative to the second, 0 where that is 0; NaN where nothing is seen, which the third says."""
    part, whole, seen = sums
    return np.where(seen > 0, share(part, whole), np.nan)


def _of_all(sums: Callable[[Members], Floats], found: Members) -> float | Undefined:
    value = float(_ratio(sums(found).sum(axis=1)))
    return Undefined(_NO_LABEL) if np.isnan(value) else value


_UNSEEN = {_NO_LABEL: "Every list of labels is empty, in the gold labels and in the predictions."}

METRICS = tuple(
    Metric(
        name=formula.__name__,
        title=title,
        kinds=(ManyLabels,),
        statistic=Statistic(members, DeterminedBy.ITEMS),
        formula=formula,
        resampled=SumsOfItems(sums, _ratio),
        reference=f"scikit-learn, {function} of indicator matrices over all declared labels",
        undefined=_UNSEEN,
    )
    for formula, title, sums, function in (
        (f1_micro, "F1 micro", _f1_sums, 'f1_score(average="micro")'),
        (precision_micro, "Precision micro", _precision_sums, 'precision_score(average="micro")'),
        (recall_micro, "Recall micro", _recall_sums, 'recall_score(average="micro")'),
    )
)
