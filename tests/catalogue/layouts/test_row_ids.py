import pytest

from catalogue.suggestions import as_ranges
from submissions.intake import ProblemCode
from tests.submissions.intake.uploads import BANK_ROWS, MOOD_CSV, MOOD_ROWS, csv, mood_csv, mood_problem, read


def test_unknown_id_is_told_the_ids_of_the_split():
    problem = mood_problem(MOOD_CSV + b"62,happy mood\n")
    assert (problem.code, problem.line, problem.column) == (ProblemCode.UNKNOWN_ID, 14, "ID")
    assert (problem.found, problem.expected) == ("62", "50-61")


@pytest.mark.parametrize("written", [" 50", "50 ", "050", "50.0", "50.00", " 0050.0"])
def test_id_changed_by_a_spreadsheet_is_told_the_right_spelling_and_not_called_missing(written: str):
    problem = mood_problem(mood_csv({2: f"{written},happy mood"}))
    assert (problem.code, problem.expected) == (ProblemCode.ID_SPELLING, "50")


def test_empty_id_is_told():
    problem = mood_problem(MOOD_CSV + b",happy mood\n")
    assert (problem.code, problem.found) == (ProblemCode.EMPTY_ID, "")


def test_doubled_id_is_told_the_line_of_the_first_answer():
    problem = mood_problem(MOOD_CSV + b"53,happy mood\n")
    assert (problem.code, problem.line) == (ProblemCode.DUPLICATE_ID, 14)
    assert "line 5" in problem.message


def test_doubled_id_is_told_though_both_answers_agree():
    assert mood_problem(csv([MOOD_ROWS[0], *MOOD_ROWS])).code is ProblemCode.DUPLICATE_ID


def test_missing_ids_are_counted_and_drawn_together():
    rows = [row for row in MOOD_ROWS if row[:2] not in {"51", "52", "53", "60"}]
    problem = mood_problem(csv(rows))
    assert (problem.code, problem.line, problem.column) == (ProblemCode.MISSING_IDS, None, "ID")
    assert problem.message.startswith("4 ids have no answer: 51-53, 60.")


def test_missing_ids_that_are_no_numbers_are_listed():
    (problem,) = read(csv(BANK_ROWS[2:]), file_name="bank.csv").problems
    assert problem.expected == "q-1, q-2"


def test_rows_may_stand_in_any_order():
    shuffled = csv([*MOOD_ROWS[6:], *reversed(MOOD_ROWS[:6])])
    assert read(shuffled, file_name="mood.csv").predictions[0].sha256 == (
        read(MOOD_CSV, file_name="mood.csv").predictions[0].sha256
    )


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        (["3437", "3438", "3439"], "3437-3439"),
        (["1", "3", "4", "a"], "1, 3-4, a"),
        (["01", "02"], "01, 02"),
        (["9", "10"], "9-10"),
        ([], ""),
        ([str(2 * number) for number in range(12)], "0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 2 more"),
    ],
)
def test_ranges_join_following_whole_numbers_only(ids: list[str], text: str):
    assert as_ranges(ids) == text
