import pytest

from submissions.intake import ProblemCode
from tests.submissions.intake.uploads import MOOD_ROWS, csv, mood_csv, mood_problem, mood_problems

WRONG_HEADERS = {
    "id,prediction": ProblemCode.HEADER_NAMES,
    "ID,Label,Score": ProblemCode.HEADER_EXTRA_COLUMN,
    ",ID,Label": ProblemCode.HEADER_EXTRA_COLUMN,
    "id,label": ProblemCode.HEADER_SPELLING,
    "ID, Label": ProblemCode.HEADER_SPELLING,
    "Label,ID": ProblemCode.HEADER_ORDER,
    "ID,ID,Label": ProblemCode.HEADER_DOUBLED_COLUMN,
    "Label,Label": ProblemCode.HEADER_DOUBLED_COLUMN,
    "ID;Label": ProblemCode.HEADER_DELIMITER,
    "ID\tLabel": ProblemCode.HEADER_DELIMITER,
    "ID": ProblemCode.HEADER_NAMES,
    "": ProblemCode.BLANK_LINE,
    '"ID,Label': ProblemCode.UNCLOSED_QUOTE,
}


@pytest.mark.parametrize(("header", "code"), WRONG_HEADERS.items())
def test_wrong_header_has_its_own_code_on_line_1(header: str, code: ProblemCode):
    problem = mood_problem(csv(MOOD_ROWS, header=header))
    assert (problem.code, problem.line, problem.expected) == (code, 1, "ID,Label")


def test_quoted_header_is_the_header():
    assert mood_problems(csv(MOOD_ROWS, header='"ID","Label"')) == ()


def test_missing_header_is_told_and_the_first_line_read_as_a_row():
    problem = mood_problem(csv(MOOD_ROWS[1:], header=MOOD_ROWS[0]))
    assert (problem.code, problem.line) == (ProblemCode.HEADER_MISSING, 1)


def test_misspelt_header_does_not_hide_the_problems_below():
    problems = mood_problems(mood_csv({1: "id,label", 3: "51,glad"}))
    assert [problem.line for problem in problems] == [1, 3]


def test_index_column_of_pandas_is_told_how_to_be_left_out():
    assert "index=False" in mood_problem(csv(MOOD_ROWS, header=",ID,Label")).message


def test_semicolons_are_told_by_name():
    assert "semicolons" in mood_problem(csv(MOOD_ROWS, header="ID;Label")).message


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("ID", "The column “Label” is missing."),
        ("ID,prediction", "“prediction” stands there in place of “Label”."),
        ("item,prediction", "The columns have other names."),
    ],
)
def test_the_one_column_that_is_missing_or_called_otherwise_is_named(header: str, told: str):
    assert mood_problem(csv(MOOD_ROWS, header=header)).message.startswith(told)


def test_header_in_the_middle_is_told_where_files_were_joined():
    problem = mood_problem(csv([*MOOD_ROWS[:4], "ID,Label", *MOOD_ROWS[4:]]))
    assert (problem.code, problem.line) == (ProblemCode.HEADER_REPEATED, 6)


def test_header_without_rows_is_told():
    assert mood_problem(csv([])).code is ProblemCode.NO_ROWS
