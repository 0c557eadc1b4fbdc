"""Metrics for a span of the item's text, compared token by token. Tokens are what white space separates."""

from collections import Counter
from collections.abc import Iterable
from math import fsum

import numpy as np

from catalogue.answers import Span
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

_REFERENCE = "doi:10.18653/v1/D16-1264, on the spans as they are"


def exact_match(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Share of items whose predicted span has exactly the gold span's tokens in their order.

    From 0 (none) to 1 (all). Never undefined. Case matters; how much white space separates tokens does not.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Spans as text, at least one item.

    Returns
    -------
    float

    References
    ----------
    Rajpurkar et al. (2016), doi:10.18653/v1/D16-1264, without its stripping of case, articles and punctuation.

    Examples
    --------
    >>> exact_match(["the tall  tree", "a dog"], ["the tall tree", "dog"])
    0.5
    """
    return _mean(matches_of_items(y_true, y_pred).tolist())


def matches_of_items(y_true: Iterable[str], y_pred: Iterable[str]) -> Floats:
    """Per item, 1 where the tokens are the gold span's and 0 elsewhere."""
    return np.array(
        [gold.split() == found.split() for gold, found in zip(y_true, y_pred, strict=True)], dtype=np.float64
    )


def token_f1(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Mean over items of the F1 of the predicted span's tokens, each counted as often as it occurs.

    From 0 (no token shared anywhere) to 1 (the same tokens everywhere). Never undefined: two spans without
    tokens count 1, one such span beside another counts 0. Case and order of tokens: case matters, order does not.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Spans as text, at least one item.

    Returns
    -------
    float

    References
    ----------
    Rajpurkar et al. (2016), doi:10.18653/v1/D16-1264, without its stripping of case, articles and punctuation.

    Examples
    --------
    Three tokens against two, two shared: 2 · 2 / 5.

    >>> token_f1(["the tall tree"], ["tall tree"])
    0.8
    """
    return _mean(f1_of_items(y_true, y_pred).tolist())


def f1_of_items(y_true: Iterable[str], y_pred: Iterable[str]) -> Floats:
    """Per item, the F1 of its tokens."""
    return np.array(
        [_f1_of_tokens(gold.split(), found.split()) for gold, found in zip(y_true, y_pred, strict=True)]
    )


def _f1_of_tokens(gold: list[str], found: list[str]) -> float:
    if not gold and not found:
        return 1.0
    shared = (Counter(gold) & Counter(found)).total()
    return 2 * shared / (len(gold) + len(found))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fsum(listed) / len(listed)


def _texts(comparison: Comparison) -> tuple[Iterable[str], Iterable[str]]:
    return comparison.y_true.tolist(), comparison.y_pred.tolist()


METRICS = (
    Metric(
        name="exact_match",
        title="Exact match",
        kinds=(Span,),
        statistic=Statistic(_texts, DeterminedBy.TOTAL),
        formula=exact_match,
        resampled=MeanOfItems(matches_of_items),
        reference=_REFERENCE,
    ),
    Metric(
        name="token_f1",
        title="Token F1",
        kinds=(Span,),
        statistic=Statistic(_texts, DeterminedBy.ITEMS),
        formula=token_f1,
        resampled=MeanOfItems(f1_of_items),
        reference=_REFERENCE,
    ),
)
