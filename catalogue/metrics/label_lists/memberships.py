"""Which item has which label: from canonical lists of labels to pairs of whole numbers."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.across_labels.many_labels import labels_in
from catalogue.comparison import Comparison
from catalogue.metrics.statistics import Floats, quotient

Places = NDArray[np.intp]


class Memberships(NamedTuple):
    """Pairs of an item and a label that it has, in the order of the items and, of an item, of the labels."""

    items: Places
    codes: Places


class Members(NamedTuple):
    """The pairs that gold labels and predictions share, those of predictions, and those of gold labels."""

    shared: Memberships
    predicted: Memberships
    gold: Memberships
    item_count: int
    label_count: int


def members(comparison: Comparison) -> tuple[Members]:
    names = comparison.output.labels
    code_of = {name: code for code, name in enumerate(names)}
    gold, predicted = (_pairs(side, code_of) for side in (comparison.y_true, comparison.y_pred))
    # One whole number for each pair, so that two sorted rows of them are held against each other.
    keys, others = (pairs.items * len(names) + pairs.codes for pairs in (gold, predicted))
    is_shared = np.isin(keys, others, assume_unique=True)
    shared = Memberships(gold.items[is_shared], gold.codes[is_shared])
    return (Members(shared, predicted, gold, len(comparison.y_true), len(names)),)


def _pairs(answers: NDArray[Any], code_of: Mapping[str, int]) -> Memberships:
    lists = list(map(labels_in, answers.tolist()))
    codes = np.fromiter(map(code_of.__getitem__, chain.from_iterable(lists)), dtype=np.intp)
    return Memberships(np.repeat(np.arange(len(lists)), list(map(len, lists))), codes)


def counts_of_items(found: Members) -> tuple[Floats, Floats, Floats]:
    """Per item, how many labels are right, predicted and in the gold labels."""

    def count(pairs: Memberships) -> Floats:
        return np.bincount(pairs.items, minlength=found.item_count).astype(np.float64)

    return count(found.shared), count(found.predicted), count(found.gold)


def share(part: Floats, whole: Floats) -> Floats:
    """The one relative to the other; 0 where there is nothing."""
    return quotient(part, whole, 0.0)


# Of four labels the first item has 0 and 2, the second 1; predicted are 0 and 1 and 1.
EXAMPLE = Members(
    Memberships(np.array([0, 1]), np.array([0, 1])),
    Memberships(np.array([0, 0, 1]), np.array([0, 1, 1])),
    Memberships(np.array([0, 0, 1]), np.array([0, 2, 1])),
    item_count=2,
    label_count=4,
)
