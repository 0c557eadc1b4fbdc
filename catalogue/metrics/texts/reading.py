"""How metrics of texts are given answers and references, and what all of them share."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from typing import Any

import numpy as np

from catalogue.answers import FreeText
from catalogue.answers.open_ended.free_text import references_in
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic, SumsOfItems

_KEPT = 32
"""Tables of systems: a paired test asks for two, a board for each of its rows."""

# Numbers of one item: of its references and the answer.
OfItem = Callable[[Sequence[str], str], float]
Texts = tuple[str, ...]


def _texts(comparison: Comparison) -> tuple[Texts, Texts]:
    return tuple(comparison.y_true.tolist()), tuple(comparison.y_pred.tolist())


READ = Statistic(_texts, DeterminedBy.ITEMS)
READ_RIGHT = Statistic(_texts, DeterminedBy.TOTAL)


def kept(of_items: Callable[[Texts, Texts], Floats]) -> Callable[[Iterable[str], Iterable[str]], Floats]:
    """The same function, which counts the same texts once: intervals and tests ask again and again."""
    found = lru_cache(maxsize=_KEPT)(of_items)
    return wraps(of_items)(lambda y_true, y_pred: found(tuple(y_true), tuple(y_pred)))


def numbers_of(of_item: OfItem) -> Callable[[Iterable[str], Iterable[str]], Floats]:
    """A number per item, shape (n_items,)."""

    def of_items(y_true: Texts, y_pred: Texts) -> Floats:
        pairs = zip(y_true, y_pred, strict=True)
        return np.array([of_item(references_in(gold), answer) for gold, answer in pairs], dtype=np.float64)

    return kept(of_items)


def mean_metric(
    name: str,
    title: str,
    documented: Callable[..., Any],
    of_items: Callable[[Iterable[str], Iterable[str]], Floats],
    reference: str,
    **more: Any,
) -> Metric[Texts, Texts]:
    """The mean of a number per item."""
    return Metric(
        name=name,
        title=title,
        kinds=(FreeText,),
        statistic=more.pop("statistic", READ),
        formula=wraps(documented)(lambda *read: float(np.mean(of_items(*read)))),
        resampled=MeanOfItems(of_items),
        reference=reference,
        **more,
    )


def summed_metric(
    name: str,
    title: str,
    documented: Callable[..., Any],
    sums: SumsOfItems[Texts, Texts],
    reference: str,
    **more: Any,
) -> Metric[Texts, Texts]:
    """What follows from sums over items."""
    return Metric(
        name=name,
        title=title,
        kinds=(FreeText,),
        statistic=READ,
        formula=wraps(documented)(lambda *read: sums.of_all(*read)),
        resampled=sums,
        reference=reference,
        **more,
    )
