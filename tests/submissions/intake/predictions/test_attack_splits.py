"""Files of splits that stand beside the test split, in folders of their own."""

from dataclasses import replace

import pytest

from benchmarks.spec import BenchmarkSpec, FileFormat, SplitSpec
from submissions.intake import IntakeResult, ItemIds, ProblemCode, SplitTarget, read_upload
from tests.submissions.intake.uploads import ANY, csv, task_spec, zipped

IDS = ItemIds(["a1", "a2"])


def dataset(name: str, file: str) -> BenchmarkSpec:
    task = replace(
        task_spec(name, ("con", "pro")),
        file=FileFormat(file, "id", "label"),
        splits=tuple(
            SplitSpec(split, split, file="" if split == "test" else f"{split}/{file}")
            for split in ("test", "negation", "spelling")
        ),
    )
    return replace(ANY, bundle_root="", tasks=(task,), seeds=5)


ARC = dataset("arc", "arc.csv")
TOPIC = dataset("topic", "stances.txt")
BOTH = replace(ARC, tasks=(*ARC.tasks, *TOPIC.tasks))


def targets(benchmark: BenchmarkSpec, *splits: str) -> list[SplitTarget]:
    return [SplitTarget(task, split, IDS) for task in benchmark.tasks for split in splits]


def answers(labels: str) -> bytes:
    return csv([f"a{number},{label}" for number, label in enumerate(labels.split(), 1)], header="id,label")


TEST, NEGATION, SPELLING = answers("pro con"), answers("con con"), answers("pro pro")


def read(
    data: bytes,
    file_name: str,
    *,
    splits: str = "test negation spelling",
    task: str | None = None,
    split: str | None = None,
) -> IntakeResult:
    return read_upload(
        data,
        file_name=file_name,
        benchmark=BOTH,
        targets=targets(BOTH, *splits.split()),
        task=task,
        split=split,
    )


def found(result: IntakeResult) -> list[tuple[str, str, int]]:
    assert result.ok, result.problems
    return [(one.task, one.split, one.seed) for one in result.predictions]


def test_folders_of_a_zip_say_the_split():
    files = {"arc.csv": TEST, "spelling/arc.csv": SPELLING, "negation/arc.csv": NEGATION}
    result = read(zipped(files), "all.zip")
    assert {one.split: one.codes.tolist() for one in result.predictions} == {
        "test": [1, 0],
        "spelling": [1, 1],
        "negation": [0, 0],
    }


def test_a_seeds_folder_holds_the_splits_folders():
    files = {f"seed{seed}/spelling/arc.csv": SPELLING for seed in (1, 3)}
    assert found(read(zipped(files), "all.zip")) == [("arc", "spelling", 1), ("arc", "spelling", 3)]


def test_a_split_alone_in_a_zip_is_not_taken_for_the_test_split():
    assert found(read(zipped({"spelling/arc.csv": SPELLING}), "all.zip")) == [("arc", "spelling", 1)]


def test_a_split_that_has_no_ids_yet_is_not_taken_for_the_test_split():
    (problem, *_) = read(zipped({"spelling/arc.csv": SPELLING}), "all.zip", splits="test negation").problems
    assert (problem.code, problem.file) == (ProblemCode.UNKNOWN_FILE, "spelling/arc.csv")
    assert "has not loaded the ids" in problem.message


@pytest.mark.parametrize(
    ("file_name", "split"),
    [
        ("arc.csv", "test"),
        ("mine/arc.csv", "test"),
        ("spelling/arc.csv", "spelling"),
        ("mine\\negation\\arc.csv", "negation"),
        ("negation/stances.txt", "negation"),
    ],
)
def test_a_single_file_says_its_split_by_its_folder(file_name: str, split: str):
    assert [one[1:] for one in found(read(SPELLING, file_name))] == [(split, 1)]


@pytest.mark.parametrize("file_name", ["arc.csv", "predictions.csv", "negation/arc.csv", "stances.txt"])
def test_a_single_file_answers_what_was_chosen(file_name: str):
    assert found(read(SPELLING, file_name, task="arc", split="spelling")) == [("arc", "spelling", 1)]


@pytest.mark.parametrize(
    ("file_name", "task"), [("arc.csv", "arc"), ("stances.txt", "topic"), ("topic.csv", "topic")]
)
def test_a_chosen_split_leaves_the_task_to_the_name(file_name: str, task: str):
    assert found(read(SPELLING, file_name, split="spelling")) == [(task, "spelling", 1)]


def test_a_chosen_task_without_a_split_means_the_first():
    assert found(read(TEST, "predictions.csv", task="topic")) == [("topic", "test", 1)]


def test_a_chosen_split_does_not_name_the_task():
    (problem,) = read(TEST, "predictions.csv", split="spelling").problems
    assert (problem.code, problem.expected) == (ProblemCode.TASK_NOT_NAMED, "arc.csv | topic.csv")


def test_an_unknown_split_is_told_the_nearest():
    (problem,) = read(TEST, "arc.csv", task="arc", split="speling").problems
    assert (problem.code, problem.expected) == (ProblemCode.UNKNOWN_SPLIT, "spelling")
    assert "test, negation, spelling" in problem.message


def test_a_task_that_has_no_ids_yet_is_not_called_unknown():
    only_arc = targets(ARC, "test")
    result = read_upload(TEST, file_name="x.txt", benchmark=BOTH, targets=only_arc, task="topic")
    (problem,) = result.problems
    assert (problem.code, problem.expected) == (ProblemCode.UNKNOWN_TASK, "arc")
    assert "has not loaded the ids of topic yet" in problem.message
