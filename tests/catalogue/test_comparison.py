"""What is compared must be canonical: each kind of output says what it expected, and shows no answer."""

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
from catalogue.comparison import Comparison

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

    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
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


def labels(count: int) -> Label:
    return Label(names=tuple(f"label {code}" for code in range(count)))


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint8)


def test_matrix_has_gold_in_rows_and_predictions_in_columns():
    matrix = Comparison(labels(3), codes(0, 0, 1, 2), codes(0, 1, 1, 0)).matrix

    assert matrix.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]


def test_matrix_keeps_declared_labels_that_nobody_uses():
    assert Comparison(labels(2), codes(0), codes(0)).matrix.tolist() == [[1, 0], [0, 0]]


def test_matrix_counts_cells_beyond_the_range_of_one_byte():
    y_true = np.array([255, 255, 254], dtype=np.uint8)

    matrix = Comparison(labels(256), y_true, y_true).matrix

    assert matrix[255, 255] == 2
    assert matrix.sum() == 3


def test_matrix_takes_two_byte_codes_beside_one_byte_codes():
    matrix = Comparison(labels(300), np.array([299], dtype=np.uint16), codes(7)).matrix

    assert matrix[299, 7] == 1


@pytest.mark.parametrize(
    ("y_true", "y_pred", "sentence"),
    [
        ([0, 1], codes(0, 1), "`y_true` must be a numpy array of uint8 or uint16 label codes; it is list."),
        (codes(0, 1), np.array([0.0, 1.0]), "`y_pred` must be a numpy array of uint8 or uint16 label codes"),
        (codes(0, 1), np.array([0, 1]), "it is int64"),
        (codes(0, 1), np.array(["a", "b"]), "`y_pred` must be a numpy array"),
        (codes(0, 1).reshape(1, 2), codes(0, 1), "`y_true` must have one dimension; its shape is (1, 2)."),
        (codes(), codes(), "`y_true` must hold at least one item; it is empty."),
        (codes(0, 1), codes(0), "must have one label per item of the same split; they have 2 and 1."),
        (codes(0, 1), codes(0, 2), "`y_pred` must hold codes from 0 to 1 for 2 declared labels"),
        (codes(9, 1), codes(0, 1), "`y_true` must hold codes from 0 to 1 for 2 declared labels"),
    ],
)
def test_comparison_of_labels_names_the_argument_and_the_rule(y_true, y_pred, sentence):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        Comparison(labels(2), y_true, y_pred)

    assert sentence in str(caught.value)
