"""Metrics of lists of labels that are means over items."""

from math import fsum

import numpy as np

from catalogue.answers import ManyLabels
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.label_lists.memberships import Members, counts_of_items, members, share
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

_REFERENCE = "scikit-learn, {} of indicator matrices over all declared labels"


def f1_samples(found: Members) -> float:
    """Mean over items of the F1 of their labels: right ones twice, relative to predicted and gold ones together.

    From 0 (no label right anywhere) to 1 (every list exactly right). Never undefined: an item whose two lists are both
    empty counts 0, as in scikit-learn.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="samples", zero_division=0)`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> round(f1_samples(EXAMPLE), 4)
    0.75
    """
    return _mean(f1_of_items(found))


def precision_samples(found: Members) -> float:
    """Mean over items of the share of predicted labels that are right.

    From 0 to 1. Never undefined: an item without a predicted label counts 0, as in scikit-learn.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `precision_score(average="samples", zero_division=0)`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> precision_samples(EXAMPLE)
    0.75
    """
    return _mean(precision_of_items(found))


def recall_samples(found: Members) -> float:
    """Mean over items of the share of gold labels that are found.

    From 0 to 1. Never undefined: an item without a gold label counts 0, as in scikit-learn.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `recall_score(average="samples", zero_division=0)`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> recall_samples(EXAMPLE)
    0.75
    """
    return _mean(recall_of_items(found))


def jaccard_samples(found: Members) -> float:
    """Mean over items of the labels shared by gold and prediction, relative to the labels in either.

    From 0 (no label shared anywhere) to 1 (every list exactly right). Never undefined: an item whose two lists are both
    empty counts 0, as in scikit-learn. (`jaccard` of subsets counts it 1.)

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `jaccard_score(average="samples", zero_division=0)`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> round(jaccard_samples(EXAMPLE), 4)
    0.6667
    """
    return _mean(jaccard_of_items(found))


def exact_match(found: Members) -> float:
    """Share of items whose list has exactly the gold labels.

    From 0 (none) to 1 (all). Never undefined. The order of a list does not matter.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score` of indicator matrices.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> exact_match(EXAMPLE)
    0.5
    """
    return _mean(matches_of_items(found))


def hamming_loss(found: Members) -> float:
    """Share of all pairs of an item and a declared label that are said wrongly: missed, or predicted and not gold.

    From 0 (every list exactly right) to 1 (all labels that do not hold, and none that does); the lower, the better.
    Never undefined.

    Parameters
    ----------
    found : Members
        Which items have which labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `hamming_loss`.

    Examples
    --------
    >>> from catalogue.metrics.label_lists.memberships import EXAMPLE
    >>> hamming_loss(EXAMPLE)
    0.25
    """
    wrong = len(found.predicted.items) + len(found.gold.items) - 2 * len(found.shared.items)
    return wrong / (found.item_count * found.label_count)


def f1_of_items(found: Members) -> Floats:
    """Per item, the F1 of its labels; 0 where both lists are empty."""
    right, predicted, gold = counts_of_items(found)
    return share(2 * right, predicted + gold)


def precision_of_items(found: Members) -> Floats:
    """Per item, the share of its predicted labels that are right; 0 where there is none."""
    right, predicted, _ = counts_of_items(found)
    return share(right, predicted)


def recall_of_items(found: Members) -> Floats:
    """Per item, the share of its gold labels that are found; 0 where there is none."""
    right, _, gold = counts_of_items(found)
    return share(right, gold)


def jaccard_of_items(found: Members) -> Floats:
    """Per item, the labels shared relative to the labels in either list; 0 where both are empty."""
    right, predicted, gold = counts_of_items(found)
    return share(right, predicted + gold - right)


def matches_of_items(found: Members) -> Floats:
    """Per item, 1 where both lists are the same."""
    right, predicted, gold = counts_of_items(found)
    return np.asarray((right == predicted) & (right == gold), dtype=np.float64)


def _errors_of_items(found: Members) -> Floats:
    right, predicted, gold = counts_of_items(found)
    return (predicted + gold - 2 * right) / found.label_count


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values)


_ITEMS = Statistic(members, DeterminedBy.ITEMS)
METRICS = (
    *(
        Metric(
            name=formula.__name__,
            title=title,
            kinds=(ManyLabels,),
            statistic=_ITEMS,
            label_effect=one_item,
            formula=formula,
            resampled=MeanOfItems(of_items),
            reference=_REFERENCE.format(function),
        )
        for formula, title, of_items, function in (
            (f1_samples, "F1, mean over items", f1_of_items, 'f1_score(average="samples")'),
            (
                precision_samples,
                "Precision, mean over items",
                precision_of_items,
                'precision_score(average="samples")',
            ),
            (recall_samples, "Recall, mean over items", recall_of_items, 'recall_score(average="samples")'),
            (
                jaccard_samples,
                "Jaccard, mean over items",
                jaccard_of_items,
                'jaccard_score(average="samples")',
            ),
        )
    ),
    Metric(
        name="exact_match",
        title="Exact match",
        kinds=(ManyLabels,),
        statistic=Statistic(members, DeterminedBy.TOTAL),
        label_effect=one_item,
        formula=exact_match,
        resampled=MeanOfItems(matches_of_items),
        reference=_REFERENCE.format("accuracy_score"),
    ),
    Metric(
        name="hamming_loss",
        title="Hamming loss",
        kinds=(ManyLabels,),
        statistic=Statistic(members, DeterminedBy.TOTAL, lambda label_count: label_count),
        label_effect=one_item,
        formula=hamming_loss,
        resampled=MeanOfItems(_errors_of_items),
        higher_is_better=False,
        reference=_REFERENCE.format("hamming_loss"),
    ),
)
