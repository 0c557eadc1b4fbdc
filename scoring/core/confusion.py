"""The confusion matrix of gold labels and predictions, from which every one-label metric follows."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.core.checks import check_codes, check_lengths

CodeArray: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]
"""Labels as positions in the declared label set, one per item of the split."""

ConfusionMatrix: TypeAlias = NDArray[np.intp]
"""Shape (label_count, label_count): rows are gold labels, columns predictions, cells count items."""


def confusion_matrix(y_true: CodeArray, y_pred: CodeArray, label_count: int) -> ConfusionMatrix:
    """Count the items of each pair of gold label and predicted label.

    Parameters
    ----------
    y_true, y_pred : uint8 or uint16 array of shape (n_items,)
        Label codes, each at least 0 and below `label_count`; `y_pred[i]` answers `y_true[i]`.
    label_count : int
        Number of declared labels, at least 1.

    Returns
    -------
    integer array of shape (label_count, label_count)
        Cell (i, j) counts the items whose gold label is i and whose prediction is j.

    Raises
    ------
    ValueError
        On another shape or dtype, arrays of unequal length or without items, or a code out of range.
        The message names the argument and the rule and shows no label of any item.

    Examples
    --------
    >>> y_true = np.array([0, 0, 1], dtype=np.uint8)
    >>> y_pred = np.array([0, 1, 1], dtype=np.uint8)
    >>> confusion_matrix(y_true, y_pred, label_count=2)
    array([[1, 1],
           [0, 1]])
    """
    if label_count < 1:
        raise ValueError(f"`label_count` must be at least 1; it is {label_count}.")
    lengths = [check_codes("y_true", y_true, label_count), check_codes("y_pred", y_pred, label_count)]
    check_lengths(*lengths)
    return count_cells(y_true, y_pred, label_count)


def count_cells(
    y_true: NDArray[np.integer], y_pred: NDArray[np.integer], label_count: int, lowest: int = 0
) -> ConfusionMatrix:
    """The confusion matrix of codes from `lowest` on that are known to be canonical; nothing is checked."""
    # One wide integer per item, so that the product cannot overflow the narrow codes.
    cells = y_true.astype(np.intp)
    cells *= label_count
    cells += y_pred
    if lowest:
        cells -= lowest * (label_count + 1)
    return np.bincount(cells, minlength=label_count * label_count).reshape(label_count, label_count)
