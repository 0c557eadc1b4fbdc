"""What is compared must be canonical: each kind of output says what it expected, and shows no answer."""

from __future__ import annotations

import numpy as np
import pytest

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Span,
)
from scoring.core import Comparison

CLASSES = OrderedClass(low=-3, high=3)
PAIR = LabelSubset(names=("joy", "fear"))
SURE = ConfidentLabel(names=("true", "false"))


def sure(label: int, confidence: float) -> np.ndarray:
    return np.array([(label, confidence)], dtype=LABEL_WITH_CONFIDENCE)


@pytest.mark.parametrize(
    ("output", "y_pred", "sentence"),
    [
        (
            Label(names=("a", "b")),
            np.array([2], dtype=np.uint8),
            "codes from 0 to 1 for 2 declared labels",
        ),
        (
            CLASSES,
            np.array([4], dtype=np.int16),
            "`y_pred` must hold classes from -3 to 3; it holds another value",
        ),
        (CLASSES, np.array([1.0]), "`y_pred` must be a numpy array of int16 classes; it is float64"),
        (PAIR, np.array([4], dtype=np.uint64), "must hold bits of the 2 declared labels only"),
        (PAIR, np.array([1], dtype=np.int64), "must be a numpy array of uint64 bit masks; it is int64"),
        (Number(0, 1), np.array([1.1]), "must hold numbers from 0 to 1"),
        (Number(0, 1), np.array([np.nan]), "must hold numbers from 0 to 1"),
        (Number(0, 1), np.array([np.inf]), "must hold numbers from 0 to 1"),
        (SURE, sure(2, 0.5), "codes from 0 to 1 for 2 declared labels"),
        (SURE, sure(0, 1.5), "must hold confidences from 0 to 1"),
        (SURE, sure(0, np.nan), "must hold confidences from 0 to 1"),
        (Span(), np.array(["a"]), "must be a numpy array of StringDType texts; it is <U1"),
    ],
)
def test_comparison_names_the_argument_and_the_rule(output, y_pred, sentence):
    good: dict[type, np.ndarray] = {
        Label: np.zeros(1, dtype=np.uint8),
        OrderedClass: np.zeros(1, dtype=np.int16),
        LabelSubset: np.zeros(1, dtype=np.uint64),
        Number: np.zeros(1),
        ConfidentLabel: sure(0, 1.0),
        Span: np.array(["a"], dtype=np.dtypes.StringDType()),
    }

    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is compared below
        Comparison(output, good[type(output)], y_pred)

    assert sentence in str(caught.value)


def test_comparison_refuses_predictions_for_another_number_of_items():
    with pytest.raises(ValueError, match="same split; they have 2 and 1"):
        Comparison(Number(0, 1), np.array([0.5, 0.25]), np.array([0.5]))


def test_counts_of_label_subsets_go_beyond_one_byte():
    output = LabelSubset(names=tuple(f"label {code}" for code in range(64)))
    y_true = np.array([1 << 63 | 1, 1 << 63], dtype=np.uint64)
    y_pred = np.array([1 << 63, 1 << 8], dtype=np.uint64)

    counts = Comparison(output, y_true, y_pred).counts

    assert (counts.right[63], counts.gold[63], counts.predicted[8]) == (1, 2, 1)
    assert (counts.right.sum(), counts.predicted.sum(), counts.gold.sum()) == (1, 2, 3)


def test_matrix_of_ordered_classes_starts_at_the_lowest():
    y_true = np.array([-3, 3, 0], dtype=np.int16)
    y_pred = np.array([-3, 0, 3], dtype=np.int16)

    matrix = Comparison(CLASSES, y_true, y_pred).matrix

    assert np.argwhere(matrix).tolist() == [[0, 0], [3, 6], [6, 3]]
