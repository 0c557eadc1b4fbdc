"""One mistake is told once, over all files of an upload, with its true count."""

from catalogue.problems import ProblemCode
from submissions.intake import MAX_PROBLEMS, ItemIds, SplitTarget, read_upload
from tests.submissions.intake.uploads import (
    ANY,
    BANK_CSV,
    BANK_ROWS,
    MOOD,
    MOOD_CSV,
    MOOD_IDS,
    MOOD_ROWS,
    csv,
    read,
    zipped,
)

PATHS = ("data/mood/predictions.csv", "data/bank/predictions.csv")


def upper(rows):
    return csv([row.upper() for row in rows])


def test_a_mistake_of_all_files_is_one_cause_with_a_true_count():
    bank = csv([item + "," + label.upper() for item, _, label in (row.partition(",") for row in BANK_ROWS)])
    result = read(zipped({PATHS[0]: upper(MOOD_ROWS), PATHS[1]: bank}))
    (cause,) = result.causes
    assert (cause.code, cause.file_count) == (ProblemCode.LABEL_CASE, 2)
    assert cause.count == len(MOOD_ROWS) + len(BANK_ROWS) == len(result.problems) + result.more
    assert [(each.file, each.count) for each in cause.files] == [
        (PATHS[0], len(MOOD_ROWS)),
        (PATHS[1], len(BANK_ROWS)),
    ]


def test_every_file_shows_its_first_lines_although_fifty_problems_are_listed():
    ids = [str(number) for number in range(1000)]
    task = SplitTarget(MOOD, "test", ItemIds(ids))
    result = read_upload(
        csv(f"{item},HAPPY MOOD" for item in ids), file_name="mood.csv", benchmark=ANY, targets=(task,)
    )
    (cause,) = result.causes
    assert (cause.count, len(result.problems)) == (1000, MAX_PROBLEMS)
    assert [problem.line for problem in cause.examples] == [2, 3, 4, 5, 6]


def test_causes_that_share_a_code_are_told_apart_by_their_pattern():
    ids = [f"{item}.0" if int(item) % 2 else f"0{item}" for item in MOOD_IDS]
    rows = [f"{item},{row.partition(',')[2]}" for item, row in zip(ids, MOOD_ROWS, strict=True)]
    causes = read(csv(rows), file_name="mood.csv").causes
    assert {(cause.pattern, cause.count) for cause in causes} == {("decimal", 6), ("zeros", 6)}


def test_class_numbers_have_no_nearest_label():
    rows = [f"{item},1" for item in MOOD_IDS]
    result = read(csv(rows), file_name="mood.csv")
    assert all("Nearest" not in problem.message for problem in result.problems)
    assert [(cause.pattern, cause.count) for cause in result.causes] == [("numbered", len(MOOD_IDS))]


def test_flat_names_are_one_cause_and_the_files_are_read():
    result = read(zipped({"mood.csv": upper(MOOD_ROWS), "bank.csv": BANK_CSV}))
    assert [(cause.code, cause.pattern, cause.count) for cause in result.causes] == [
        (ProblemCode.UNKNOWN_FILE, "recognised", 2),
        (ProblemCode.LABEL_CASE, "", len(MOOD_ROWS)),
    ]


def test_names_with_backslashes_are_one_cause():
    names = [path.replace("/", "\\") for path in PATHS]
    result = read(zipped(dict(zip(names, (MOOD_CSV, BANK_CSV), strict=True))))
    (cause,) = result.causes
    assert (cause.code, cause.pattern, cause.count) == (ProblemCode.ZIP_UNSAFE_NAME, "backslash", 2)


def test_file_with_a_name_of_its_own_is_recognised_by_its_rows():
    result = read(zipped({PATHS[0]: MOOD_CSV, "other.csv": BANK_CSV}))
    (problem,) = result.problems
    assert (problem.file, problem.expected) == ("other.csv", PATHS[1])


def test_two_files_that_could_be_the_same_tasks_are_not_guessed():
    result = read(zipped({PATHS[0]: MOOD_CSV, "bank1.csv": BANK_CSV, "bank2.csv": BANK_CSV}))
    assert {cause.code for cause in result.causes} == {ProblemCode.UNKNOWN_FILE, ProblemCode.MISSING_FILE}


def test_official_set_with_far_more_rows_is_named_and_its_rows_are_not_told_one_by_one():
    rows = [*MOOD_ROWS, *(f"{number},happy mood" for number in range(1000, 2000))]
    (cause,) = read(csv(rows), file_name="mood.csv").causes
    assert (cause.code, cause.pattern, cause.count) == (ProblemCode.TOO_MANY_ROWS, "full set", 1)
    assert cause.title == "This looks like the full official set"
    assert "1,012 rows" in cause.examples[0].message
    assert "not read further" in cause.remarks[-1]


def test_official_set_with_some_more_rows_is_named_beside_its_foreign_ids():
    rows = [*MOOD_ROWS, *(f"{number},happy mood" for number in range(1000, 1005))]
    (cause,) = read(csv(rows), file_name="mood.csv").causes
    assert (cause.code, cause.count) == (ProblemCode.UNKNOWN_ID, 5)
    assert "full official set" in cause.remarks[0]


def test_reading_that_stopped_says_so():
    rows = [f"{number},happy mood" for number in range(1000, 2000)]
    cause = read(csv(rows), file_name="mood.csv").causes[-1]
    assert cause.code is ProblemCode.TOO_MANY_ROWS
    assert "not read further" in cause.remarks[0]
