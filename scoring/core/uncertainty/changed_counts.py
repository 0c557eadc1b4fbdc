"""Scores by a metric of counts of labels after single items have changed: for jackknives, and for a further item.

Of a mean over labels nothing is worked out anew but the labels that a change touches; any other formula is given all
counts as they are after it. Sums go along labels in the same order either way, so that both have the same bits.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import LabelCounts
from catalogue.metrics.one_label import is_seen, share
from catalogue.metrics.statistics import AlongCounts, MeanOfSeen

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Change: TypeAlias = tuple[int, int, int]
"""What is added to one label's counts of right answers, answers and gold items."""
OfCounts: TypeAlias = AlongCounts[*tuple[Any, ...]]

# An item left out takes from its gold label, from the label that was answered, or from one label that is both.
_LEFT_OUT = ((0, 0, -1), (0, -1, 0), (-1, -1, -1))


def after_each_change(
    form: OfCounts, counts: LabelCounts, read: Sequence[Any], changes: Sequence[Change]
) -> Floats:
    """The score of every system after every change of every label's counts: (systems, changes, label_count).

    `counts` are of shape (label_count, systems), and `read` is what the formula is given beside them. No label is right
    or answered less than never.
    """
    label_count, system_count = counts.gold.shape
    labels, shape = np.arange(label_count), (label_count, system_count, len(changes), label_count)
    if isinstance(form, MeanOfSeen):
        own, seen_more = _changed(form, counts, changes)
        of_labels = np.empty(shape)
        of_labels[:] = form.of_labels(counts)[:, :, None, None]
        of_labels[labels, :, :, labels] = own
        seen_count = is_seen(counts).sum(axis=0)[:, None, None] + np.moveaxis(seen_more, 0, -1)
        return share(of_labels.sum(axis=0), seen_count)
    changed = LabelCounts(*(np.broadcast_to(counted[:, :, None, None], shape).copy() for counted in counts))
    for kind, change in enumerate(changes):
        for counted, added in zip(changed, change, strict=True):
            counted[labels, :, kind, labels] += added
    right, predicted, gold = changed
    return np.asarray(form.formula(LabelCounts(np.maximum(right, 0), np.maximum(predicted, 0), gold), *read))


def without_each(
    form: OfCounts, counts: LabelCounts, read: Sequence[Any], gold: Codes, predicted: Codes
) -> Floats:
    """The score without one item that has this gold label and this answer, of as many items as are given: (items,).

    `counts` are of shape (label_count,); there must be such items.
    """
    items, is_right = np.arange(len(gold)), gold == predicted
    wrong = np.flatnonzero(~is_right)
    if isinstance(form, MeanOfSeen):
        own, seen_more = _changed(form, counts, _LEFT_OUT)
        of_gold, of_predicted = np.where(is_right, 2, 0), predicted[wrong]
        of_labels = np.repeat(form.of_labels(counts)[:, None], len(gold), axis=1)
        of_labels[gold, items] = own[gold, of_gold]
        of_labels[of_predicted, wrong] = own[of_predicted, 1]
        seen_count = is_seen(counts).sum() + seen_more[gold, of_gold]
        seen_count[wrong] += seen_more[of_predicted, 1]
        return share(of_labels.sum(axis=0), seen_count)
    right, of_predicted, of_gold = (np.repeat(counted[:, None], len(gold), axis=1) for counted in counts)
    of_gold[gold, items] -= 1
    of_predicted[predicted, items] -= 1
    right[gold[is_right], items[is_right]] -= 1
    return np.asarray(form.formula(LabelCounts(right, of_predicted, of_gold), *read))


def _changed(form: MeanOfSeen, counts: LabelCounts, changes: Sequence[Change]) -> tuple[Floats, Codes]:
    """Each label's own number after each change, and by how much that makes it seen: (label_count, ..., changes)."""
    added = np.array(changes).T
    after = LabelCounts(*(np.maximum(counts[at][..., None] + added[at], 0) for at in range(len(counts))))
    return form.of_labels(after), is_seen(after).astype(np.intp) - is_seen(counts)[..., None]
