"""Precision, recall and F1 from how many are right, predicted and gold: of all names, as means over names, weighted.

Sums have shape (3 * n_names, ...): first what is right, then what is predicted, then what is gold.
"""

from collections.abc import Callable
from math import isnan

import numpy as np

from catalogue.metrics.metric import Undefined
from catalogue.metrics.statistics import Floats, SumsOfItems, quotient
from catalogue.metrics.tokens.tables import TokenTable

NONE_SEEN = "none_seen"
Finish = Callable[[Floats], Floats]


def all_names(table: TokenTable) -> Floats:
    """Per item how many are right, predicted and gold, whatever their names: shape (3, n_items)."""
    return np.stack([side.sum(axis=0) for side in table])


def each_name(table: TokenTable) -> Floats:
    """Per item how many of each name are right, predicted and gold: shape (3 * n_names, n_items)."""
    return np.concatenate(table)


def precision(sums: Floats) -> Floats:
    right, predicted, gold = np.split(sums, 3)
    return _only(_where_seen(_share(right, predicted), predicted + gold))


def recall(sums: Floats) -> Floats:
    right, predicted, gold = np.split(sums, 3)
    return _only(_where_seen(_share(right, gold), predicted + gold))


def f1(sums: Floats) -> Floats:
    right, predicted, gold = np.split(sums, 3)
    return _only(_where_seen(_share(2 * right, predicted + gold), predicted + gold))


def macro(sums: Floats) -> Floats:
    """The mean F1 of the names that are seen."""
    right, predicted, gold = np.split(sums, 3)
    seen = (predicted + gold > 0).sum(axis=0)
    return _where_seen(_share(_share(2 * right, predicted + gold).sum(axis=0), seen), seen)


def weighted(sums: Floats) -> Floats:
    """The mean of the F1 of names, each weighted by how often it is gold; 0 where nothing is."""
    right, predicted, gold = np.split(sums, 3)
    mean = _share((_share(2 * right, predicted + gold) * gold).sum(axis=0), gold.sum(axis=0))
    return _where_seen(mean, (predicted + gold).sum(axis=0))


MICRO_F1 = SumsOfItems(all_names, f1)
MICRO_PRECISION = SumsOfItems(all_names, precision)
MICRO_RECALL = SumsOfItems(all_names, recall)
MACRO = SumsOfItems(each_name, macro)
WEIGHTED = SumsOfItems(each_name, weighted)


def of_all(finish: Finish, table: TokenTable) -> float | Undefined:
    """The score of all items, whatever the names."""
    return _value(SumsOfItems(all_names, finish).of_all(table))


def of_table(finish: Finish, table: TokenTable) -> float | Undefined:
    """The score of all items, name by name."""
    return _value(SumsOfItems(each_name, finish).of_all(table))


def _value(score: float) -> float | Undefined:
    return Undefined(NONE_SEEN) if isnan(score) else score


def _share(part: Floats, whole: Floats) -> Floats:
    """Part by whole; 0 where the whole is."""
    return quotient(part, whole, 0.0)


def _only(scores: Floats) -> Floats:
    """The scores of the one name that there is."""
    return np.asarray(scores[0])


def _where_seen(scores: Floats, seen: Floats) -> Floats:
    return np.where(seen > 0, scores, np.nan)
