"""One file that answers several splits or several tasks, and files whose names follow a pattern."""

import io
import zipfile
from dataclasses import replace

import pytest

from benchmarks.spec import BundleRule, SplitSpec
from catalogue.answers import Number
from catalogue.layouts import LAYOUTS, TSV, FileFormat
from submissions.intake import IntakeResult, ItemIds, SplitTarget, read_gold_file, read_upload
from submissions.intake.predictions.file_writer import sample_files
from tests.submissions.intake.kinds import NUMBER, POSTS, RUMOUR, task_of, tweets
from tests.submissions.intake.uploads import ANY

EQUITY = replace(
    NUMBER, splits=(SplitSpec("test", "Test"), SplitSpec("equity", "Equity", ids_with="mystery"))
)
EQUITY_TARGETS = (
    SplitTarget(EQUITY, "test", ItemIds(["a1", "a2", "a3"])),
    SplitTarget(EQUITY, "equity", ItemIds(["mystery-1", "mystery-2"])),
)
WHOLE = tweets("0.1", "0.2", "0.3") + "mystery-2\tx\tjoy\t0.5\nmystery-1\tx\tjoy\t0.4\n"
A = replace(POSTS, id="a")
B = replace(RUMOUR, id="b")
RUMOUR_TARGETS = (
    SplitTarget(A, "test", ItemIds(["x", "y"])),
    SplitTarget(B, "test", ItemIds(["x"])),
)
RUMOURS = '{"subtaska": {"x": "support", "y": "deny"}, "subtaskb": {"x": ["true", 1]}}'


def read(files: dict[str, str], targets: tuple[SplitTarget, ...], **options: object) -> IntakeResult:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    tasks = tuple(dict.fromkeys(target.task for target in targets))
    benchmark = replace(ANY, bundle_root="", tasks=tasks, **options)  # type: ignore[arg-type]
    return read_upload(buffer.getvalue(), file_name="x.zip", benchmark=benchmark, targets=targets)


def codes(result: IntakeResult) -> dict[tuple[str, str], list[object]]:
    return {(found.task, found.split): found.codes.tolist() for found in result.predictions}


def test_rows_go_to_the_split_that_their_ids_belong_to():
    assert codes(read({"tweets.txt": WHOLE}, EQUITY_TARGETS)) == {
        ("task", "test"): [0.1, 0.2, 0.3],
        ("task", "equity"): [0.4, 0.5],
    }


def test_rows_may_be_mixed():
    header, *rows = WHOLE.splitlines()
    mixed = "\n".join([header, *sorted(rows, key=lambda row: row[::-1])])
    assert codes(read({"tweets.txt": mixed}, EQUITY_TARGETS))[("task", "equity")] == [0.4, 0.5]


def test_a_missing_row_of_the_second_split_is_refused():
    cut = WHOLE.replace("mystery-1\tx\tjoy\t0.4\n", "")
    (problem,) = read({"tweets.txt": cut}, EQUITY_TARGETS).problems
    assert (problem.code, problem.expected) == ("missing_ids", "mystery-1")


def test_a_gold_file_is_parted_in_the_same_way():
    result = read_gold_file(WHOLE.encode(), file_name="gold", task=EQUITY)
    assert result.content is not None
    assert result.content.gold.ids.ids == ("a1", "a2", "a3")
    assert [(name, gold.ids.ids) for name, gold in result.content.others] == [
        ("equity", ("mystery-2", "mystery-1"))
    ]


def test_two_tasks_read_one_json_file():
    found = read({"answer.json": RUMOURS}, RUMOUR_TARGETS)
    assert codes(found) == {("a", "test"): [0, 1], ("b", "test"): [(0, 1.0)]}


def test_a_fault_of_the_whole_json_file_is_told_once():
    problems = read({"answer.json": RUMOURS.replace("subtaskb", "subtaskB")}, RUMOUR_TARGETS).problems
    assert [problem.code for problem in problems] == ["json_unknown_key", "json_missing_key"]


def test_broken_json_is_told_once():
    problems = read({"answer.json": RUMOURS[:-1]}, RUMOUR_TARGETS).problems
    assert [problem.code for problem in problems] == ["json_syntax"]


def test_a_shared_file_that_is_missing_is_told_once():
    problems = read({"README.md": ""}, RUMOUR_TARGETS, bundle=BundleRule.COMPLETE).problems
    assert [(problem.code, problem.file) for problem in problems] == [("missing_file", "answer.json")]


# Patterns

PAIRS = replace(NUMBER, file=replace(NUMBER.file, path="Team*_test*"))
SETS = replace(
    PAIRS,
    splits=(SplitSpec("one", "One", file="Team1_test*"), SplitSpec("two", "Two", file="Team2_test*")),
)
SET_TARGETS = (
    SplitTarget(SETS, "one", ItemIds(["a1", "a2", "a3"])),
    SplitTarget(SETS, "two", ItemIds(["a1", "a2", "a3"])),
)
ONE, TWO = tweets("0.1", "0.2", "0.3"), tweets("0.4", "0.5", "0.6")


def test_a_file_is_found_by_the_pattern_of_its_name():
    found = read({"Team1_test.preds": ONE, "Team2_test.tsv": TWO}, SET_TARGETS)
    assert codes(found) == {("task", "one"): [0.1, 0.2, 0.3], ("task", "two"): [0.4, 0.5, 0.6]}


def test_two_files_of_one_pattern_are_refused():
    problems = read({"Team1_test.preds": ONE, "Team1_test.tsv": ONE}, SET_TARGETS).problems
    assert [(problem.code, problem.file) for problem in problems] == [
        ("zip_duplicate_name", "Team1_test.tsv")
    ]


def test_a_pattern_does_not_reach_into_folders():
    problems = read({"Team1_test.d/x.tsv": ONE, "Team2_test.tsv": TWO}, SET_TARGETS).problems
    assert [problem.code for problem in problems] == ["unknown_file"]


def test_the_case_of_a_name_counts():
    problems = read({"team1_test.tsv": ONE, "Team2_test.tsv": TWO}, SET_TARGETS).problems
    assert [problem.code for problem in problems] == ["unknown_file"]


FIRST = task_of(
    Number(0, 1), FileFormat("r.tsv", "ID", "one", layout=TSV, columns=("ID", "one", "two")), "mae"
)
SECOND = replace(FIRST, id="second", file=replace(FIRST.file, label_column="two"))
RATED = tuple(SplitTarget(task, "test", ItemIds(["x", "y"])) for task in (FIRST, SECOND))
RATINGS = "ID\tone\ttwo\ny\t0.1\t0.2\nx\t0.3\t0.4\n"


def alone(text: str, task: str | None = None) -> IntakeResult:
    benchmark = replace(ANY, bundle_root="", tasks=(FIRST, SECOND))
    return read_upload(text.encode(), file_name="r.tsv", benchmark=benchmark, targets=RATED, task=task)


def test_a_table_answers_every_task_that_has_a_column_in_it_in_a_zip_or_alone():
    answers = {("task", "test"): [0.3, 0.1], ("second", "test"): [0.4, 0.2]}
    assert codes(read({"r.tsv": RATINGS}, RATED)) == codes(alone(RATINGS)) == answers
    assert codes(alone(RATINGS, task="second")) == {("second", "test"): [0.4, 0.2]}


def test_a_wrong_cell_of_a_shared_table_is_told_for_its_task_alone():
    found = alone(RATINGS.replace("0.2", "high"))
    assert [(one.task, one.line, one.column, one.code) for one in found.problems] == [
        ("second", 2, "two", "not_a_number")
    ]
    assert found.predictions == ()


@pytest.mark.parametrize(
    "dialect",
    [each.key for each in LAYOUTS if each.may_be_shared and not (each.is_one_value or each.has_tokens)],
)
def test_the_sample_of_a_shared_file_answers_all_its_tasks(dialect):
    layout = LAYOUTS[dialect]
    columns = ("ID", "one", "two") if layout.is_table else ()
    first = replace(FIRST, file=replace(FIRST.file, layout=layout, columns=columns))
    second = replace(first, id="second", output=Number(1, 3), file=replace(first.file, label_column="two"))
    targets = (
        SplitTarget(first, "test", ItemIds(["x", "y"])),
        SplitTarget(second, "test", ItemIds(["y", "x"])),
    )
    files = sample_files(targets)

    assert list(files) == ["r.tsv"]
    assert codes(read({"r.tsv": files["r.tsv"].decode()}, targets)) == {
        ("task", "test"): [0.5, 0.5],
        ("second", "test"): [2, 2],
    }


def test_what_is_wrong_for_all_tasks_of_a_file_is_told_once():
    header, first, second = RATINGS.splitlines()
    found = alone("\n".join([header, first.replace("y", "foreign", 1), second]))
    told = [(one.task, one.code) for one in found.problems]
    assert told == [("task", "unknown_id"), ("task", "missing_ids")]
    assert found.predictions == ()


def test_what_is_wrong_for_one_task_is_told_beside_what_is_wrong_for_all():
    header, first, second = RATINGS.splitlines()
    found = alone(
        "\n".join(
            [header, first.replace("y", "foreign", 1), second.replace("0.4", "high").replace("0.2", "high")]
        )
    )
    assert {(one.task, one.code) for one in found.problems} >= {
        ("task", "unknown_id"),
        ("second", "not_a_number"),
    }
    assert sum(one.code == "unknown_id" for one in found.problems) == 1
