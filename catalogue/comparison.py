"""Gold labels and predictions of one split, with what several metrics need computed once."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.item_groups import OF_ONE, GroupColumns, groups_at

Counts = NDArray[np.intp]
# Shape (label_count, label_count): rows are gold labels, columns predictions, cells count items.
ConfusionMatrix = NDArray[np.intp]

_NO_GROUPS: GroupColumns = {}
_BITS_OF_BYTE = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(
    np.intp
)


class LabelCounts(NamedTuple):
    """Per declared label, in the order of the names: integer arrays of shape (label_count,).

    Precision, recall and every F1 follow from these counts, be it of one label or of a set of labels per item.
    """

    right: Counts
    predicted: Counts
    gold: Counts


class Comparison:
    """Two aligned canonical arrays: answers of one kind, and gold labels as that kind has them.

    Parameters
    ----------
    output : AnswerKind
        What an item's answer is; it fixes dtype and range of both arrays (`catalogue.answers`).
    y_true, y_pred : array of shape (n_items,)
        Canonical arrays in the order of the split's ids, at least one item. Where a definition says that several
        answers may be accepted, `y_true` has them all. They stay `gold_labels`, and `output`, `y_true` and `y_pred`
        become those of items that have one gold label each.
    groups : mapping of column to ItemGroups
        Which group each item is in, for metrics of groups; what belongs together is a column too.

    Raises
    ------
    ValueError
        On another shape or dtype, unequal lengths, no items, groups of another number of items, or an answer outside
        the declared ones. The message names the argument and the rule and shows no answer to any item.

    Examples
    --------
    >>> from catalogue.answers import Label
    >>> codes = np.array([0, 1, 1], dtype=np.uint8)
    >>> Comparison(Label(names=("no", "yes")), codes, codes).counts.right
    array([1, 2])
    """

    def __init__(
        self,
        output: AnswerKind,
        y_true: NDArray[Any],
        y_pred: NDArray[Any],
        *,
        groups: GroupColumns = _NO_GROUPS,
    ) -> None:
        gold_count = output.gold.check("y_true", y_true)
        predicted_count = output.check("y_pred", y_pred)
        if gold_count != predicted_count:
            raise ValueError(
                f"`y_true` and `y_pred` must have one label per item of the same split; "
                f"they have {gold_count} and {predicted_count}."
            )
        if any(len(column.codes) != gold_count for column in groups.values()):
            raise ValueError(f"`groups` must say of each of the {gold_count} items in which group it is.")
        # Where several answers are accepted, each is held against the one that it is most like.
        self.gold_labels = y_true
        self.output = output.alone
        self.y_true = output.gold.best_match(y_true, y_pred)
        self.y_pred = y_pred
        self.groups = groups
        self._parts: dict[str, tuple[Comparison, ...]] = {}

    def parts(self, column: str) -> tuple["Comparison", ...]:
        """By group of a column, as `members` takes it, the comparison of its items; groups without any are left out."""
        if column not in self._parts:
            self._parts[column] = tuple(
                Comparison(
                    self.output, self.y_true[items], self.y_pred[items], groups=groups_at(self.groups, items)
                )
                for items in self.members(column)
            )
        return self._parts[column]

    def members(self, column: str) -> list[NDArray[np.intp]]:
        """The places of the items of each group of a column, or of one group alone (`language=fr`); none if empty."""
        name, is_of_one, group = column.partition(OF_ONE)
        if column in self.groups or not is_of_one:
            return list(self.groups[column].members())
        return list(self.groups[name].only(group).members())

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix over the declared labels, or over the classes from low to high."""
        count = len(self.output.classes)
        # One wide integer per item, so that the product cannot overflow the narrow codes.
        cells = self.output.gold.positions(self.y_true).astype(np.intp)
        cells *= count
        cells += self.output.positions(self.y_pred)
        return np.bincount(cells, minlength=count**2).reshape(count, count)

    @cached_property
    def counts(self) -> LabelCounts:
        if self.output.is_subset:
            subsets = (self.y_true & self.y_pred, self.y_pred, self.y_true)
            return LabelCounts(*(_label_counts(masks, len(self.output.labels)) for masks in subsets))
        return LabelCounts(self.matrix.diagonal(), self.matrix.sum(axis=0), self.matrix.sum(axis=1))

    @cached_property
    def never_right(self) -> list[int]:
        return self.codes(self.output.never_right)

    def codes(self, labels: tuple[str, ...]) -> list[int]:
        return list(map(self.output.labels.index, labels))


def _label_counts(masks: NDArray[np.uint64], label_count: int) -> Counts:
    """How many masks have each bit set: byte by byte, as there are only 256 bytes to look at."""
    planes = masks.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    byte_count = (label_count + 7) // 8
    return np.concatenate(
        [np.bincount(planes[:, byte], minlength=256) @ _BITS_OF_BYTE for byte in range(byte_count)]
    )[:label_count]
