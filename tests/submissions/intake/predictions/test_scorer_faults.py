"""Files that other servers score silently and wrongly; here each is refused or scored right."""

from submissions.intake import ProblemCode
from tests.submissions.intake.uploads import (
    FILES,
    MOOD_CODES,
    MOOD_CSV,
    MOOD_ROWS,
    csv,
    mood_problem,
    mood_problems,
    read,
    zipped,
)


def test_one_missing_and_one_doubled_id_do_not_shift_the_answers():
    rows = [*MOOD_ROWS[:4], MOOD_ROWS[3], *MOOD_ROWS[5:]]
    problems = mood_problems(csv(rows))
    assert [(problem.code, problem.line) for problem in problems] == [
        (ProblemCode.DUPLICATE_ID, 6),
        (ProblemCode.MISSING_IDS, None),
    ]


def test_reordered_rows_are_aligned_by_id():
    result = read(csv(reversed(MOOD_ROWS)), file_name="mood.csv")
    assert result.predictions[0].codes.tolist() == MOOD_CODES


def test_file_truncated_after_a_row_is_refused():
    assert mood_problem(csv(MOOD_ROWS[:-1])).code is ProblemCode.MISSING_IDS


def test_file_truncated_inside_a_label_is_refused():
    problem = mood_problem(MOOD_CSV[:-4])
    assert (problem.code, problem.line) == (ProblemCode.UNKNOWN_LABEL, 13)


def test_file_truncated_inside_an_id_is_refused():
    last = MOOD_CSV.rindex(b"61,")
    assert mood_problem(MOOD_CSV[: last + 1]).code is ProblemCode.SHORT_ROW
    before = MOOD_CSV.rindex(b"60,")
    codes = [problem.code for problem in mood_problems(MOOD_CSV[: before + 1])]
    assert codes == [ProblemCode.SHORT_ROW, ProblemCode.MISSING_IDS]  # one row cannot hold both ids


def test_every_truncation_of_a_file_is_refused():
    whole = MOOD_CSV.removesuffix(b"\n")
    assert all(mood_problems(whole[:size]) for size in range(len(whole)))


def test_one_row_too_many_is_refused():
    assert mood_problem(csv([*MOOD_ROWS, "62,happy mood"])).code is ProblemCode.UNKNOWN_ID


def test_training_ids_in_the_file_are_refused():
    rows = [f"{number},happy mood" for number in range(3)] + MOOD_ROWS
    assert {problem.code for problem in mood_problems(csv(rows))} == {ProblemCode.UNKNOWN_ID}


def test_wrong_task_file_is_refused_rather_than_scored():
    swapped = {name: FILES[other] for name, other in zip(FILES, reversed(FILES), strict=True)}
    result = read(zipped(swapped))
    assert not result.ok
    assert result.tasks_fine == ()


def test_missing_task_is_not_scored_as_zero_but_refused():
    (problem,) = read(zipped({"data/mood/predictions.csv": MOOD_CSV})).problems
    assert (problem.code, problem.task) == (ProblemCode.MISSING_FILE, "bank")
