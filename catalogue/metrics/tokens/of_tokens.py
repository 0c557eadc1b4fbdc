"""Metrics of tokens: the share of right ones, and F1 label by label."""

from math import fsum

import numpy as np

from catalogue.answers import TokenEntities, TokenLabels
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfItems
from catalogue.metrics.tokens.scores import MACRO, macro, of_table
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


METRICS = (
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
