"""Which files a zip may hold, and under which names."""

import pytest

from submissions.intake import ProblemCode
from tests.submissions.intake.uploads import (
    ANY,
    BANK_CSV,
    FILES,
    MOOD_CODES,
    MOOD_CSV,
    mood_csv,
    read,
    zip_problem,
    zipped,
)


def renamed(old: str, new: str) -> dict[str, bytes]:
    return {name.replace(old, new): content for name, content in FILES.items()}


def test_zip_gives_codes_for_every_task():
    result = read(zipped(FILES))
    assert result.ok
    assert [item.task for item in result.predictions] == ["mood", "bank"]
    assert result.predictions[0].codes.tolist() == MOOD_CODES
    assert result.labels_read == 20


@pytest.mark.parametrize(
    "files",
    [
        renamed("data/", ""),
        renamed("data/", "my system/data/"),
        renamed("data/", "my-system/"),
        {**FILES, "data/": b"", "data/mood/": b""},
        {**FILES, "data/mood/task.json": b"{}", "README.md": b"Hello"},
        {
            **renamed("data/", "sub/data/"),
            "sub/data/mood/task.json": b"{}",
            "sub/README.md": b"",
            "sub/": b"",
        },
        {**renamed("data/", ""), "mood/task.json": b"{}"},
        {**FILES, "__MACOSX/data/._x": b"\x00", "data/.DS_Store": b"\x00", "Thumbs.db": b"\x00"},
        {**renamed("data/", "sub/"), "__MACOSX/sub/._mood": b""},
    ],
    ids=["contents", "folder", "folder-contents", "folders", "extras", "all", "extras-bare", "litter", "mac"],
)
def test_zip_may_be_packed_in_any_usual_way(files: dict[str, bytes]):
    assert read(zipped(files)).content_sha256 == read(zipped(FILES)).content_sha256


def test_packing_and_writing_do_not_change_the_content_digest():
    shuffled = b"ID,Label\r\n" + b"\r\n".join(reversed(MOOD_CSV.splitlines()[1:])) + b"\r\n"
    other = zipped({"bank/predictions.csv": BANK_CSV, "mood/predictions.csv": shuffled})
    assert read(other).content_sha256 == read(zipped(FILES)).content_sha256


def test_another_answer_changes_the_content_digest():
    other = zipped({**FILES, "data/mood/predictions.csv": mood_csv({2: "50,sad mood"})})
    assert read(other).ok
    assert read(other).content_sha256 != read(zipped(FILES)).content_sha256


def test_complete_bundle_names_each_missing_file_and_the_way_out():
    problem = zip_problem(zipped({"data/mood/predictions.csv": MOOD_CSV}))
    assert (problem.code, problem.file, problem.task) == (
        ProblemCode.MISSING_FILE,
        "data/bank/predictions.csv",
        "bank",
    )
    assert "without a zip" in problem.message


def test_incomplete_bundle_is_accepted_where_any_file_will_do():
    assert read(zipped({"data/mood/predictions.csv": MOOD_CSV}), benchmark=ANY).ok


def test_bundle_without_any_task_file_is_refused():
    (problem,) = read(zipped({"README.md": b""}), benchmark=ANY).problems
    assert problem.code is ProblemCode.MISSING_FILE


def test_unknown_file_is_named_with_the_nearest_path():
    problem = zip_problem(zipped({**FILES, "data/mood/prediction.csv": b"x"}))
    assert (problem.code, problem.file) == (ProblemCode.UNKNOWN_FILE, "data/mood/prediction.csv")
    assert problem.expected == "data/mood/predictions.csv"


def test_task_file_at_an_unknown_place_finds_its_task_by_name():
    problems = read(zipped({"bank.csv": BANK_CSV, "data/mood/predictions.csv": MOOD_CSV})).problems
    assert [(p.code, p.expected) for p in problems] == [
        (ProblemCode.UNKNOWN_FILE, "data/bank/predictions.csv"),
    ]


def test_same_task_with_and_without_the_root_is_doubled():
    problem = zip_problem(zipped({**FILES, "mood/predictions.csv": MOOD_CSV}))
    assert problem.code is ProblemCode.ZIP_DUPLICATE_NAME
    assert "data/mood/predictions.csv" in problem.message


@pytest.mark.parametrize(
    "parts",
    [
        {"[Content_Types].xml": b"", "xl/workbook.xml": b""},
        {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": b""},
    ],
    ids=["xlsx", "ods"],
)
def test_spreadsheet_is_recognised(parts):
    problem = zip_problem(zipped(parts))
    assert problem.code is ProblemCode.SPREADSHEET


def test_tasks_without_a_problem_are_named_though_nothing_is_accepted():
    result = read(zipped({**FILES, "data/bank/predictions.csv": b"ID,Label\n"}))
    assert (result.tasks_fine, result.labels_read, result.predictions) == (("mood",), 12, ())


def test_problem_in_a_zip_names_the_entry_and_its_task():
    bad = zipped({**FILES, "data/mood/predictions.csv": mood_csv({5: "53,Happy mood"})})
    problem = zip_problem(bad)
    assert (problem.file, problem.task, problem.line) == ("data/mood/predictions.csv", "mood", 5)
