"""How often the gold label is among the likeliest ones."""

import re
from functools import lru_cache

import numpy as np

from catalogue.answers import AnswerKind, Probabilities
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric
from catalogue.metrics.probabilities.reading import Codes, gold_and_table
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

_NAME = re.compile(r"top_([1-9][0-9]{0,2})_accuracy")


def top_accuracy(y_true: Codes, table: Floats, count: int) -> float:
    """Share of items whose gold label is among the `count` labels of the largest probabilities.

    From 0 to 1. Never undefined. Of equal probabilities that of the label declared later counts as the larger.

    Parameters
    ----------
    y_true : integer array of shape (n_items,)
        Codes of the gold labels.
    table : float array of shape (n_items, n_labels)
        Probabilities from 0 to 1.
    count : int
        At least 1 and less than n_labels.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `top_k_accuracy_score`.

    Examples
    --------
    >>> top_accuracy(np.array([0, 1]), np.array([[0.2, 0.3, 0.5], [0.1, 0.4, 0.5]]), 2)
    0.5
    """
    return float(among_the_likeliest(y_true, table, count).mean())


def among_the_likeliest(y_true: Codes, table: Floats, count: int) -> Floats:
    """1 for each item that has fewer than `count` labels before its gold label, else 0; shape (n_items,)."""
    of_gold = np.take_along_axis(table, y_true[:, None], axis=1)
    is_later = np.arange(table.shape[1]) > y_true[:, None]
    before = (table > of_gold) | ((table == of_gold) & is_later)
    return np.asarray(before.sum(axis=1) < count, dtype=np.float64)


def top_metric(kind: AnswerKind, name: str) -> Metric[Codes, Floats, int] | None:
    """The metric `top_<k>_accuracy`, with 2 or more labels and fewer than a task has. None if it is none.

    Examples
    --------
    >>> kind = Probabilities(("no", "yes", "other"))
    >>> top_metric(kind, "top_2_accuracy").title
    'Accuracy of the likeliest 2'
    >>> top_metric(kind, "top_3_accuracy") is None  # all of them
    True
    """
    found = _NAME.fullmatch(name)
    if not found or int(found[1]) < 2:
        return None
    metric = _metric(int(found[1]))
    return metric if type(kind) in metric.kinds and not metric.lacking(kind) else None


@lru_cache(maxsize=32)
def _metric(count: int) -> Metric[Codes, Floats, int]:
    return Metric(
        name=f"top_{count}_accuracy",
        title=f"Accuracy of the likeliest {count}",
        kinds=(Probabilities,),
        statistic=Statistic(
            lambda comparison: (*gold_and_table(comparison), count),
            DeterminedBy.TOTAL,
            is_beyond_labels=True,
        ),
        formula=top_accuracy,
        resampled=MeanOfItems(among_the_likeliest),
        reference="scikit-learn, top_k_accuracy_score",
        lacking=lambda kind: "" if len(kind.labels) > count else f"more than {count} labels",
        label_effect=one_item,
    )
