"""Metrics of tokens: the share of right ones, and those of one label an item, with tokens in place of items."""

from functools import wraps
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind, Label, TokenEntities, TokenLabels
from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics import one_label
from catalogue.metrics.labels import beyond_chance
from catalogue.metrics.labels.parameters import with_parameters
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.per_label import label_metrics
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, Floats, Statistic, SumsOfItems
from catalogue.metrics.tokens.scores import MACRO, each_name, macro, of_table
from catalogue.metrics.tokens.tables import TokenTable, label_table, right_tokens


def token_accuracy(right: Floats, counts: Floats) -> float:
    """Share of the tokens that have the gold label.

    From 0 (none) to 1 (all). Never undefined: every item has a token.

    Parameters
    ----------
    right, counts : float array of shape (n_items,)
        Of each item how many tokens are right, and how many it has.

    Returns
    -------
    float

    References
    ----------
    seqeval 1.2.2, `accuracy_score`.

    Examples
    --------
    >>> token_accuracy(np.array([2.0, 1.0]), np.array([3.0, 1.0]))
    0.75
    """
    return fsum(right.tolist()) / fsum(counts.tolist())


def f1_macro_of_labels(table: TokenTable) -> float | Undefined:
    """Mean of the F1 of the labels that any token has, in the gold labels or in the predictions.

    From 0 (none ever right) to 1 (all right). Never undefined: every token has a label.

    Parameters
    ----------
    table : TokenTable
        Per label and item how often it is right, predicted and gold.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `f1_score(average="macro")` over the tokens.

    Examples
    --------
    >>> rows = np.array([[1.0], [1.0]]), np.array([[2.0], [1.0]]), np.array([[1.0], [2.0]])
    >>> round(f1_macro_of_labels(TokenTable(*rows)), 4)
    0.6667
    """
    return of_table(macro, table)


def token_metric(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric of that name that names labels, of tokens in place of items; None if it is no such name.

    Examples
    --------
    >>> tags = TokenLabels(("OK", "BAD"))
    >>> token_metric(tags, "f1_BAD").title
    'F1 of BAD, of tokens'
    >>> token_metric(tags, "f1_GOOD") is None
    True
    """
    if not kind.has_tokens or kind.entity_types:
        return None
    as_items = Label(kind.labels)
    metric = label_metrics(as_items).get(name) or with_parameters(as_items, name)
    return _of_tokens(metric, as_items) if metric else None


class _CountedTokens(Comparison):
    """The labels of all tokens as if each token were an item of its own: nothing but their counts is known."""

    def __init__(self, kind: Label, counts: LabelCounts) -> None:
        self.output, self.counts = kind, counts


def _of_tokens(metric: AnyMetric, kind: Label | None = None) -> Metric[TokenTable]:
    """A metric of counts of labels, of tokens in place of items. It names some of the labels of `kind`, if any."""
    along = metric.resampled
    if not isinstance(along, AlongCounts):
        raise TypeError(f"{metric.name} does not follow from counts of labels.")

    def read(sums: NDArray[Any]) -> tuple[Any, ...]:
        counts = LabelCounts(*np.split(sums, 3))
        unnamed = Label(tuple(map(str, range(len(counts.gold)))))
        return metric.statistic.collect(_CountedTokens(kind or unnamed, counts))

    def score(table: TokenTable) -> float | Undefined:
        return metric.formula(*read(each_name(table).sum(axis=1).astype(np.intp)))

    def finish(sums: Floats) -> Floats:
        return np.asarray(along.formula(*read(sums)))

    return Metric(
        name=metric.name,
        title=f"{metric.title}, of tokens",
        kinds=(TokenLabels,),
        statistic=Statistic(label_table, DeterminedBy.ITEMS),
        formula=wraps(metric.formula)(score),
        resampled=SumsOfItems(each_name, finish),
        low=metric.low,
        reference=f"{metric.reference}, over the tokens",
        undefined=metric.undefined,
        labels=metric.labels,
    )


_OWN = (
    Metric(
        name="token_accuracy",
        title="Token accuracy",
        kinds=(TokenLabels, TokenEntities),
        statistic=Statistic(right_tokens, DeterminedBy.ITEMS),
        formula=token_accuracy,
        resampled=SumsOfItems(
            lambda right, counts: np.stack([right, counts]), lambda sums: sums[0] / sums[1]
        ),
        reference="seqeval 1.2.2, accuracy_score",
    ),
    Metric(
        name="f1_macro",
        title="F1 macro",
        kinds=(TokenLabels,),
        statistic=Statistic(label_table, DeterminedBy.ITEMS),
        formula=f1_macro_of_labels,
        resampled=MACRO,
        reference='scikit-learn, f1_score(average="macro") over the tokens',
    ),
)
_AS_OF_ITEMS = ("f1_weighted", "balanced_accuracy", "mcc", "kappa")
METRICS = (
    *_OWN,
    *(
        _of_tokens(metric)
        for metric in (*one_label.METRICS, *beyond_chance.METRICS)
        if metric.name in _AS_OF_ITEMS and Label in metric.kinds
    ),
)
