from catalogue.problems import visible
from submissions.intake import MAX_PROBLEMS, RULES, ProblemCode
from tests.submissions.intake.uploads import csv, mood_csv, mood_problem, read


def test_problem_has_exactly_the_keys_of_the_api_in_order():
    problem = mood_problem(mood_csv({3: "51,glad mood"}))
    assert list(problem.as_dict()) == ["file", "line", "column", "code", "found", "expected", "message"]
    assert problem.as_dict()["code"] == "unknown_label"


def test_problem_shows_the_line_between_its_neighbours():
    problem = mood_problem(mood_csv({3: "51,glad mood"}))
    assert problem.excerpt == ((2, "50,happy mood"), (3, "51,glad mood"), (4, "52,happy mood"))


def test_problem_on_the_first_line_has_no_line_before():
    problem = mood_problem(mood_csv({1: "ID;Label"}))
    assert [number for number, _ in problem.excerpt] == [1, 2]


def test_problems_beyond_fifty_are_counted():
    rows = [f"{number},happy mood" for number in range(1000, 1070)]
    result = read(csv(rows), file_name="mood.csv")
    assert len(result.problems) == MAX_PROBLEMS
    assert result.more == 70 + 1 - MAX_PROBLEMS  # 70 unknown ids and one list of missing ids


def test_every_code_has_a_rule():
    assert set(RULES) == set(ProblemCode)


def test_shown_text_spells_out_control_characters():
    assert visible("a\x00b\u2028c\td") == r"a\x00b\u2028c\td"


def test_shown_text_is_shortened():
    assert visible("x" * 1_000, limit=10) == "x" * 10 + "…"
