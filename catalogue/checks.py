"""What canonical arrays must look like before they are compared."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
)

_CODE_DTYPES = (np.dtype(np.uint8), np.dtype(np.uint16))


def check_answers(output: AnswerKind, y_true: object, y_pred: object) -> None:
    """ValueError unless both are canonical arrays of this output, equally long and not empty.

    The message names the argument and the rule; it shows no answer to any item.
    """
    check_lengths(_check_array(output, "y_true", y_true), _check_array(output, "y_pred", y_pred))


def check_lengths(gold_count: int, predicted_count: int) -> None:
    """ValueError unless there are as many predictions as gold labels."""
    if gold_count != predicted_count:
        raise ValueError(
            f"`y_true` and `y_pred` must have one label per item of the same split; "
            f"they have {gold_count} and {predicted_count}."
        )


def check_codes(argument: str, codes: object, label_count: int) -> int:
    """The number of codes; ValueError unless each is a whole number from 0 to `label_count` - 1."""
    array = _check_shape(argument, codes, _CODE_DTYPES, "uint8 or uint16 label codes")
    if array.max() >= label_count:
        raise ValueError(
            f"`{argument}` must hold codes from 0 to {label_count - 1} "
            f"for {label_count} declared labels; it holds a larger one."
        )
    return len(array)


def _check_array(output: AnswerKind, argument: str, answers: object) -> int:
    """The number of answers, once they are found to be canonical."""
    match output:
        case Label(names=names):
            return check_codes(argument, answers, len(names))
        case LabelSubset(names=names):
            masks = _check_shape(argument, answers, (np.dtype(np.uint64),), "uint64 bit masks")
            most = 2 ** len(names) - 1
            _check_range(argument, masks, 0, most, f"bits of the {len(names)} declared labels only")
            return len(masks)
        case OrderedClass(low=low, high=high):
            classes = _check_shape(argument, answers, (np.dtype(np.int16),), "int16 classes")
            _check_range(argument, classes, low, high, f"classes from {low} to {high}")
            return len(classes)
        case Number(low=lowest, high=highest):
            numbers = _check_shape(argument, answers, (np.dtype(np.float64),), "float64 numbers")
            _check_range(argument, numbers, lowest, highest, f"numbers from {lowest} to {highest}")
            return len(numbers)
        case ConfidentLabel(names=names):
            pairs = _check_shape(argument, answers, (LABEL_WITH_CONFIDENCE,), "labels with confidences")
            check_codes(argument, pairs["label"], len(names))
            _check_range(argument, pairs["confidence"], 0, 1, "confidences from 0 to 1")
            return len(pairs)
        case _:
            return len(_check_shape(argument, answers, (np.dtypes.StringDType(),), "StringDType texts"))


def _check_shape(
    argument: str, answers: object, dtypes: tuple[np.dtype[Any], ...], expected: str
) -> NDArray[Any]:
    if not isinstance(answers, np.ndarray) or answers.dtype not in dtypes:
        found = answers.dtype if isinstance(answers, np.ndarray) else type(answers).__name__
        raise ValueError(f"`{argument}` must be a numpy array of {expected}; it is {found}.")
    if answers.ndim != 1:
        raise ValueError(f"`{argument}` must have one dimension; its shape is {answers.shape}.")
    if not answers.size:
        raise ValueError(f"`{argument}` must hold at least one item; it is empty.")
    return answers


def _check_range(argument: str, answers: NDArray[Any], low: float, high: float, expected: str) -> None:
    """NaN fails too: it is neither at least `low` nor at most `high`."""
    if not (answers.min() >= low and answers.max() <= high):
        raise ValueError(f"`{argument}` must hold {expected}; it holds another value.")
