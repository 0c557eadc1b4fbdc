"""One CSV file instead of a zip, and uploads that are neither."""

import pytest

from submissions.intake import (
    MAX_UPLOAD_BYTES,
    ItemIds,
    ProblemCode,
    SplitTarget,
    read_labels,
    read_upload,
)
from tests.submissions.intake.kinds import SUBSET
from tests.submissions.intake.uploads import ANY, BANK_CSV, MOOD_CSV, MOOD_TARGET, read


@pytest.mark.parametrize(
    "name", ["mood.csv", "mine/mood.csv", "data/mood/predictions.csv", "C:\\x\\mood\\predictions.csv"]
)
def test_single_file_is_recognised_by_its_name(name: str):
    result = read(MOOD_CSV, file_name=name)
    assert result.tasks_fine == ("mood",)
    assert result.ok


@pytest.mark.parametrize("name", ["bank.csv", "data/bank/predictions.csv"])
def test_single_file_of_a_task_without_ids_is_not_taken_for_the_only_one_that_has_them(name: str):
    targets = [MOOD_TARGET]
    (problem,) = read_upload(MOOD_CSV, file_name=name, benchmark=ANY, targets=targets).problems
    assert problem.code is ProblemCode.UNKNOWN_TASK
    assert "has not loaded the ids of bank yet" in problem.message


def test_single_file_answers_the_task_that_was_chosen():
    assert read(BANK_CSV, file_name="mood.csv", task="bank").tasks_fine == ("bank",)


def test_single_file_without_a_task_is_not_guessed_but_told_how_to_be_named():
    (problem,) = read(BANK_CSV, file_name="predictions.csv").problems
    assert problem.code is ProblemCode.TASK_NOT_NAMED
    assert "name it bank.csv" in problem.message


def test_single_file_that_fits_no_task_is_told_the_names():
    (problem,) = read(b"hello\n", file_name="predictions.csv").problems
    assert problem.code is ProblemCode.TASK_NOT_NAMED
    assert problem.expected == "mood.csv | bank.csv"


def test_unknown_task_is_told_the_nearest():
    (problem,) = read(BANK_CSV, file_name="bank.csv", task="bnak").problems
    assert (problem.code, problem.expected) == (ProblemCode.UNKNOWN_TASK, "bank")


def test_name_of_zip_without_a_zip_inside_is_not_a_zip():
    (problem,) = read(MOOD_CSV, file_name="mood.zip").problems
    assert problem.code is ProblemCode.NOT_A_ZIP


@pytest.mark.parametrize(
    "data",
    [b"BZh91AY&SY", b"7z\xbc\xaf\x27\x1c....", b"Rar!\x1a\x07\x01", bytes(257) + b"ustar  \x00"],
    ids=["bzip2", "7z", "rar", "tar"],
)
def test_other_archives_are_told_apart_from_zip(data: bytes):
    (problem,) = read(data, file_name="mood.csv").problems
    assert problem.code is ProblemCode.NOT_A_ZIP
    assert "Send a zip" in problem.message


def test_picture_is_not_text():
    (problem,) = read(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", file_name="mood.csv").problems
    assert problem.code is ProblemCode.NOT_TEXT


def test_empty_upload_is_refused():
    (problem,) = read(b"").problems
    assert problem.code is ProblemCode.EMPTY_FILE


def test_upload_over_a_hundred_megabytes_is_refused_unread():
    (problem,) = read(bytes(MAX_UPLOAD_BYTES + 1)).problems
    assert (problem.code, problem.expected) == (ProblemCode.FILE_TOO_LARGE, "at most 100 MB")


def test_single_file_far_larger_than_its_task_is_refused():
    (problem,) = read(MOOD_CSV * 10_000, file_name="mood.csv").problems
    assert problem.code is ProblemCode.FILE_TOO_LARGE
    assert "12 answers" in problem.message


def test_of_columns_that_answers_stand_in_no_more_is_read_than_answers_need():
    target = SplitTarget(SUBSET, "test", ItemIds([f"a{number}" for number in range(2_000)]))
    cells = "\t".join(["x" * 900] * 3)
    rows = "".join(f"{item}\ta text\t{cells}\n" for item in target.ids.ids)
    (problem,) = read_labels(
        f"ID\tTweet\tanger\tjoy\ttrust\n{rows}".encode(), file_name="e.txt", target=target
    ).problems
    assert problem.code is ProblemCode.FILE_TOO_LARGE


def test_file_name_may_hold_anything():
    (problem,) = read(b"", file_name="a\x00\udc80\nb").problems
    assert problem.file == r"a\x00\udc80\nb"
