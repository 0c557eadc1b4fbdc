import unicodedata

import pytest

from catalogue.answers.label_names import LabelNames
from catalogue.problems import MAX_PROBLEMS
from catalogue.suggestions import nearest
from submissions.intake import ProblemCode
from tests.submissions.intake.uploads import BANK_ROWS, csv, mood_csv, mood_problem, read


def bank_problem(label: str):
    (problem,) = read(csv([f"q-1,{label}", *BANK_ROWS[1:]]), file_name="bank.csv").problems
    return problem


@pytest.mark.parametrize(
    ("label", "code", "expected"),
    [
        ("card_arival", ProblemCode.UNKNOWN_LABEL, "card_arrival"),
        ("refund_late", ProblemCode.LABEL_CASE, "Refund_late"),
        ("TOP_UP", ProblemCode.LABEL_CASE, "top_up"),
        ("card arrival", ProblemCode.LABEL_SPACING, "card_arrival"),
        (" top_up", ProblemCode.LABEL_SPACING, "top_up"),
        ("top_up ", ProblemCode.LABEL_SPACING, "top_up"),
        ("Card Arrival", ProblemCode.LABEL_SPACING, "card_arrival"),
        ("top-up", ProblemCode.LABEL_SPACING, "top_up"),
        ("\xa0top_up", ProblemCode.LABEL_SPACING, "top_up"),
        ("\t", ProblemCode.UNKNOWN_LABEL, None),
    ],
)
def test_wrong_label_is_told_how_it_differs_and_from_which_label(label, code, expected):
    problem = bank_problem(label)
    assert (problem.code, problem.line, problem.column) == (code, 2, "Label")
    if expected:
        assert problem.expected == expected
        assert expected in problem.message


@pytest.mark.parametrize(("label", "written"), [("1", "-1"), ("A-", "A"), ("A", "A-")])
def test_a_sign_is_more_than_spelling(label, written):
    names = LabelNames((label, "x"))
    assert names.explain(written).code is ProblemCode.UNKNOWN_LABEL
    assert not names.nearly(written)


def test_accents_that_look_alike_are_told_apart_in_words():
    found = LabelNames(("éloge", "blâme")).explain(unicodedata.normalize("NFD", "éloge"))
    assert (found.pattern, found.expected) == ("accents", "éloge | blâme")
    assert "NFC and NFD" in found.message


def test_few_labels_are_all_told():
    problem = mood_problem(mood_csv({2: "50,glad mood"}))
    assert problem.expected == "happy mood | sad mood | neither, or both"
    assert "Nearest: “sad mood”" in problem.message


def test_the_nearest_label_is_told_whatever_many_files_had_before():
    for _ in range(MAX_PROBLEMS):
        mood_problem(mood_csv({2: "50,glad mood"}))
    assert "Nearest: “sad mood”" in mood_problem(mood_csv({2: "50,glad mood"})).message


def test_empty_label_has_its_own_code():
    problem = mood_problem(mood_csv({2: "50,"}))
    assert (problem.code, problem.found) == (ProblemCode.EMPTY_LABEL, "")


def test_numbered_label_is_told_that_labels_are_written_out():
    assert "not numbered" in bank_problem("1").message


def test_no_label_is_called_nearest_where_none_is_near():
    problem = bank_problem("1")
    assert "Nearest" not in problem.message
    assert "card_arrival | card_lost" in problem.message, "seven labels can be named"
    assert LabelNames(tuple("abcdefghi")).explain("1").expected == "one of 9 labels"


@pytest.mark.parametrize("found", ["-1", "+1", "1e0", "2"])
def test_no_label_is_called_nearest_to_a_number(found):
    assert LabelNames(("0", "1")).explain(found).message.endswith("Expected: 0 | 1.")


def test_a_whole_number_with_decimals_is_told_which_label_it_is():
    found = LabelNames(("0", "1")).explain("1.0")
    assert (found.code, found.pattern, found.expected) == (ProblemCode.UNKNOWN_LABEL, "decimal", "0 | 1")
    assert "“1” is. Write whole numbers as such." in found.message


def test_found_label_is_shortened():
    assert len(bank_problem("x" * 900).found or "") < 100


def test_wrong_label_and_wrong_id_on_one_line_are_both_told():
    result = read(mood_csv({2: "49,glad"}), file_name="mood.csv")
    codes = [problem.code for problem in result.problems]
    assert codes == [ProblemCode.UNKNOWN_ID, ProblemCode.UNKNOWN_LABEL, ProblemCode.MISSING_IDS]


def test_nearest_is_always_one_of_the_choices():
    assert nearest("", ["alpha", "beta"]) in {"alpha", "beta"}
    assert nearest("ALPHA!", ["beta", "Alpha"]) == "Alpha"
