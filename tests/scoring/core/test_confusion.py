from __future__ import annotations

import numpy as np
import pytest

from scoring.core import confusion_matrix


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint8)


def test_confusion_matrix_has_gold_in_rows_and_predictions_in_columns():
    matrix = confusion_matrix(codes(0, 0, 1, 2), codes(0, 1, 1, 0), label_count=3)

    assert matrix.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]


def test_confusion_matrix_keeps_declared_labels_that_nobody_uses():
    assert confusion_matrix(codes(0), codes(0), label_count=2).tolist() == [[1, 0], [0, 0]]


def test_confusion_matrix_counts_cells_beyond_the_range_of_one_byte():
    y_true = np.array([255, 255, 254], dtype=np.uint8)

    matrix = confusion_matrix(y_true, y_true, label_count=256)

    assert matrix[255, 255] == 2
    assert matrix.sum() == 3


def test_confusion_matrix_takes_two_byte_codes_beside_one_byte_codes():
    matrix = confusion_matrix(np.array([299], dtype=np.uint16), codes(7), label_count=300)

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
def test_confusion_matrix_names_the_argument_and_the_rule(y_true, y_pred, sentence):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is compared below
        confusion_matrix(y_true, y_pred, label_count=2)

    assert sentence in str(caught.value)


def test_confusion_matrix_refuses_an_empty_label_set():
    with pytest.raises(ValueError, match="`label_count` must be at least 1; it is 0"):
        confusion_matrix(codes(0), codes(0), label_count=0)
