"""Numbers, classes, subsets of labels and spans: what is read, and what is refused at which place."""

import numpy as np
import pytest

from benchmarks.spec import FileFormat
from catalogue.answers import Probabilities, SoftLabels
from submissions.intake import read_gold_file
from tests.submissions.intake.kinds import (
    CLASSES,
    IDS,
    NUMBER,
    SPANS,
    STANCE,
    SUBSET,
    gold,
    places,
    problems_in,
    read,
    task_of,
    tweets,
)


def subsets(*rows: str) -> str:
    lines = [f"{item}\ttext\t{row}" for item, row in zip(IDS, rows, strict=True)]
    return "\n".join(["ID\tTweet\tanger\tjoy\ttrust", *lines]) + "\n"


# Numbers


def test_numbers_are_read_as_they_are_written():
    assert read(tweets("0.5", "1e-2", "+1."), NUMBER).codes.tolist() == [0.5, 0.01, 1.0]


def test_a_negative_zero_is_the_same_answer_as_zero():
    assert read(tweets("-0.0", "0", "1"), NUMBER).sha256 == read(tweets("0", "0.0", "1"), NUMBER).sha256


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("nan", "number_not_finite"),
        ("NaN", "number_not_finite"),
        ("-inf", "number_not_finite"),
        ("Infinity", "number_not_finite"),
        ("1e309", "number_not_finite"),
        ("1_0", "not_a_number"),
        ("\uff10.\uff15", "not_a_number"),
        ("\u0660.\u0665", "not_a_number"),
        ("0,5", "not_a_number"),
        ("0x1", "not_a_number"),
        (" 0.5", "not_a_number"),
        ("NONE", "not_a_number"),
        ("1.0001", "number_out_of_range"),
        ("-0.1", "number_out_of_range"),
        ("", "empty_label"),
    ],
)
def test_what_is_no_number_in_the_range_is_refused(cell, code):
    assert places(tweets("0.5", cell, "0.5"), NUMBER) == [(code, 3, "Score")]


def test_a_decimal_comma_is_recognised():
    (problem,) = problems_in(tweets("0.5", "0,5", "0.5"), NUMBER)
    assert "point instead of the comma" in problem.message


# Classes


def test_only_the_number_before_the_colon_counts():
    file = tweets("-3: very negative", "0: whatever", "2")
    found = read(file, CLASSES).codes
    assert (found.tolist(), found.dtype.str) == ([-3, 0, 2], "<i2")


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("low", "class_without_number"),
        (": low", "class_without_number"),
        ("1.0", "class_without_number"),
        ("\uff11: fullwidth", "class_without_number"),
        ("1 : low", "class_without_number"),
        ("4: more", "class_out_of_range"),
        ("-4", "class_out_of_range"),
        ("", "empty_label"),
    ],
)
def test_what_is_no_class_is_refused(cell, code):
    assert places(tweets("0", cell, "0"), CLASSES) == [(code, 3, "Score")]


# Subsets


def test_a_subset_is_a_bit_per_label():
    found = read(subsets("1\t0\t0", "0\t1\t1", "0\t0\t0"), SUBSET).codes
    assert (found.tolist(), found.dtype.str) == ([1, 6, 0], "<u8")


@pytest.mark.parametrize("cell", ["2", "1.0", "x", "01", "-1", "\uff11"])
def test_a_cell_that_is_neither_0_nor_1_is_refused(cell):
    assert places(subsets("1\t0\t0", f"0\t{cell}\t1", "0\t0\t0"), SUBSET) == [("not_zero_or_one", 3, "joy")]


def test_every_wrong_cell_of_a_row_is_named():
    found = places(subsets("x\t\t2", "0\t0\t1", "0\t0\t0"), SUBSET)
    assert found == [
        ("not_zero_or_one", 2, "anger"),
        ("empty_label", 2, "joy"),
        ("not_zero_or_one", 2, "trust"),
    ]


# Spans and labels


def test_spans_are_kept_to_the_letter():
    file = 'id,span\na1,the cat\na2,"a, b"\na3, x\n'
    assert read(file, SPANS).codes.tolist() == ["the cat", "a, b", " x"]


def test_an_empty_span_is_refused():
    assert places("id,span\na1,x\na2,\na3,y\n", SPANS) == [("empty_label", 3, "span")]


def test_a_label_that_is_never_right_may_be_predicted():
    file = "ID\tTweet\tStance\na1\tx\tUNKNOWN\na2\ty\tNONE\na3\tz\tFAVOR\n"
    assert read(file, STANCE).codes.tolist() == [3, 2, 1]


def test_a_label_that_is_never_right_may_not_stand_in_the_gold_file():
    result = read_gold_file(b"ID\tTweet\tStance\na1\tx\tUNKNOWN\n", file_name="gold", task=STANCE)
    assert [(problem.code, problem.line) for problem in result.problems] == [("unknown_label", 2)]


@pytest.mark.parametrize(
    ("task", "file"),
    [
        (NUMBER, tweets("0.5", "0.25", "1")),
        (CLASSES, tweets("-3", "0", "3")),
        (SUBSET, subsets("1\t0\t0", "0\t1\t1", "0\t0\t0")),
        (SPANS, "id,span\na1,the cat\na2,b\na3,ü\n"),
    ],
)
def test_answers_of_every_kind_survive_storage(task, file):
    found = read(file, task)
    stored = type(found).from_bytes(found.to_bytes())
    assert stored.codes.dtype == found.codes.dtype
    assert np.array_equal(stored.codes, found.codes)
    assert stored.sha256 == found.sha256


def test_a_gold_file_of_numbers_tells_no_number():
    result = read_gold_file(tweets("0.5", "0.123x", "1").encode(), file_name="gold", task=NUMBER)
    (problem,) = result.problems
    assert (problem.code, problem.line, problem.column) == ("not_a_number", 3, "Score")
    assert "0.123" not in repr(problem)


def test_gold_and_predictions_of_the_same_file_are_the_same_array():
    file = tweets("0.5", "0.25", "1")
    assert gold(file, NUMBER).codes.tolist() == read(file, NUMBER).codes.tolist()


# Several numbers


@pytest.mark.parametrize(
    ("kind", "name"),
    [(Probabilities(("no", "yes"), "yes"), "probabilities"), (SoftLabels(("no", "yes")), "shares")],
)
def test_numbers_that_do_not_add_up_are_called_as_the_kind_calls_them(kind, name):
    task = task_of(kind, FileFormat("s.csv", "id", "no", columns=("id", "no", "yes")), "log_loss")
    (problem,) = problems_in("id,no,yes\na1,0.5,0.5\na2,0.5,0.6\na3,0,1\n", task)

    assert (problem.code, problem.line) == ("probability_sum", 3)
    assert problem.message.startswith(f"The {name} of this item add up to 1.1. Give {name} that add up to 1;")
