"""A zip with a JSON file for each item, as PAN's tasks ask for: its names say which item each file answers."""

import json
from dataclasses import replace

import pytest
import yaml
from sklearn.metrics import f1_score

from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from submissions.intake import ItemIds, SplitTarget, read_upload
from submissions.intake.predictions.file_writer import sample_files, zip_of
from tests.scoring.test_shared_task_shapes import FRAME, WORDS, benchmark

FORM = {"dialect": "json_files", "id_column": "problem", "label_column": "changes", "labels_as": "numbers"}
SPEC = benchmark(
    ["f1_macro"],
    labels=["0", "1"],
    output={"kind": "token_labels"},
    file=FORM | {"path": "solution-*.json"},
    gold_file=FORM | {"path": "truth-*.json"},
)
GOLD = {f"problem-{at}": [0, 1, at % 2] for at in range(1, 12)}
ANSWERS = {f"problem-{at}": [0, at % 3 == 0, 0] for at in range(1, 12)}
FILES = {f"solution-{item}.json": json.dumps({"changes": list(map(int, of))}) for item, of in ANSWERS.items()}
TRUTH = {f"truth-{item}.json": json.dumps({"authors": 2, "changes": of}) for item, of in GOLD.items()}


def zipped(files):
    return zip_of({name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()})


def score(files, *, gold=None, name="solutions.zip"):
    found = evaluate_file(
        SPEC,
        SPEC.tasks[0],
        gold=("truth.zip", gold or zipped(TRUTH)),
        predictions=(name, files if isinstance(files, bytes) else zipped(files)),
    )
    return found.document["tasks"]["task"]["test"]["f1_macro"]["value"]


def problems(files, **others):
    with pytest.raises(FileRefused) as refused:
        score(files, **others)
    return [(one.file, one.line, one.column, one.code) for one in refused.value.problems]


WANTED = pytest.approx(
    f1_score(
        [label for labels in GOLD.values() for label in labels],
        [int(label) for labels in ANSWERS.values() for label in labels],
        average="macro",
    ),
    abs=1e-12,
)
MADE_OTHERWISE = {
    "plain": FILES,
    "in any order": dict(reversed(FILES.items())),
    "in folders, with what macOS adds": {f"team/run 1/{name}": text for name, text in FILES.items()}
    | {f"__MACOSX/team/run 1/._{name}": b"\0\5" for name in FILES},
    "indented, with CRLF and a mark of byte order": {
        name: "\ufeff" + json.dumps(json.loads(text), indent=2).replace("\n", "\r\n")
        for name, text in FILES.items()
    },
    "answers alone": {name: json.dumps(json.loads(text)["changes"]) for name, text in FILES.items()},
    "with the id in them": {
        name: json.dumps({"problem": name[len("solution-") : -len(".json")], **json.loads(text)})
        for name, text in FILES.items()
    },
    "with other keys": {name: text.replace("{", '{"authors": 2, ') for name, text in FILES.items()},
}


@pytest.mark.parametrize("how", MADE_OTHERWISE)
def test_every_file_answers_the_item_of_its_name(how):
    assert score(MADE_OTHERWISE[how]) == WANTED


def test_one_file_of_json_lines_says_the_same():
    lines = "".join(
        f"{json.dumps({'problem': item, 'changes': list(map(int, of))})}\n" for item, of in ANSWERS.items()
    )
    assert score(lines.encode(), name="answers.jsonl") == WANTED
    assert score({"solution-all.json": lines}) == WANTED


BAD = {
    "is no JSON": ("{changes: [0]}", None, "json_syntax"),
    "is empty": ("", None, "empty_file"),
    "lacks the key": ("{}", "changes", "json_missing_key"),
    "has too few labels": ('{"changes": [0]}', "changes", "token_count"),
    "has another label": ('{"changes": [0, 7, 0]}', "changes", "unknown_label"),
    "has an answer twice": ('{"changes": [0, 0, 0], "changes": [0, 0, 1]}', "changes", "json_doubled_key"),
    "is UTF-16": ('{"changes": [0, 0, 0]}'.encode("utf-16"), None, "utf_16_or_32"),
    "says another id": ('{"problem": "problem-1", "changes": [0, 0, 0]}', "problem", "json_doubled_key"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_named_once(what):
    text, column, code = BAD[what]
    name = "solution-problem-3.json"
    assert problems(FILES | {name: text}) == [(name, None, column, code)]


def test_files_for_no_item_or_an_item_twice_are_named_and_missing_ones_told():
    stray, again = "solution-problem-99.json", "twice/solution-problem-3.json"
    some = {name: text for name, text in FILES.items() if name != "solution-problem-2.json"}

    assert problems(FILES | {stray: FILES["solution-problem-1.json"]}) == [
        (stray, None, "problem", "unknown_id")
    ]
    assert problems(FILES | {again: FILES["solution-problem-3.json"]}) == [
        (again, None, "problem", "duplicate_id")
    ]
    assert problems(some) == [("solutions.zip", None, "problem", "missing_ids")]


def test_a_file_that_is_answered_twice_is_told_by_the_name_of_the_first():
    with pytest.raises(FileRefused) as refused:
        score(FILES | {"twice/solution-problem-3.json": FILES["solution-problem-3.json"]})
    (problem,) = refused.value.problems
    assert "was already answered in “solution-problem-3.json”" in problem.message


def test_bad_gold_files_are_named_without_their_values():
    gold = TRUTH | {"truth-problem-4.json": '{"changes": [0, 7, 0]}'}
    assert problems(FILES, gold=zipped(gold)) == [("truth-problem-4.json", None, "changes", "unknown_label")]


def test_the_sample_is_taken_as_it_is():
    task = SPEC.tasks[0]
    tokens = tuple(("p1", "p2", "p3") for _ in GOLD)
    targets = [SplitTarget(task, "test", ItemIds(tuple(GOLD), tokens))]
    files = sample_files(targets)

    for name, data in (("sample.zip", zip_of(files)), *files.items()):
        assert read_upload(data, file_name=name, benchmark=SPEC, targets=targets).ok


@pytest.mark.parametrize("path", ["solution.json", "*/solution.json", "solution-*-*.json"])
def test_a_path_has_one_star_in_the_name_of_the_file(path):
    with pytest.raises(DefinitionError, match=r"expected one \*"):
        benchmark(["f1_macro"], labels=["0", "1"], file=FORM | {"path": path})


# Several tasks in one zip

LEVELS = ("easy", "medium", "hard")
CHANGES = {
    "labels": ["0", "1"],
    "output": {"kind": "token_labels"},
    "metrics": [{"name": "f1_macro", "title": "F1"}],
}
COLUMNS = {"path": "names.csv", "id_column": "id", "label_column": "label"}
DOCUMENT = FRAME | {
    "tasks": [
        *(
            WORDS | CHANGES | {"id": level, "file": FORM | {"path": f"{level}/solution-*.json"}}
            for level in LEVELS
        ),
        WORDS
        | CHANGES
        | {"id": "names", "labels": ["A", "B"], "output": {"kind": "one_label"}, "file": COLUMNS},
    ]
}
SEVERAL = load_definition(yaml.safe_dump(DOCUMENT), "several.yaml")
TOKENS = tuple(tuple(f"p{at}" for at in range(3)) for _ in GOLD)
TARGETS = [
    *(SplitTarget(SEVERAL.task(level), "test", ItemIds(tuple(GOLD), TOKENS)) for level in LEVELS),
    SplitTarget(SEVERAL.task("names"), "test", ItemIds(("x", "y"))),
]
IN_FOLDERS = {f"{level}/{name}": text for level in LEVELS for name, text in FILES.items()}
NAMES = {"names.csv": "id,label\nx,A\ny,B\n"}


def read(files, **named):
    return read_upload(zipped(files), file_name="run.zip", benchmark=SEVERAL, targets=TARGETS, **named)


@pytest.mark.parametrize("around", ["", "team-7/", "team-7/run 1/"])
def test_a_zip_may_have_a_folder_of_such_files_for_each_task_beside_other_files(around):
    read_here = read({around + name: text for name, text in (IN_FOLDERS | NAMES).items()})
    assert [one.task for one in read_here.predictions] == [*LEVELS, "names"]
    assert read_here.labels_read == 3 * len(GOLD) + 2
    alone = read(FILES, task="easy")
    easy = read_here.predictions[0]
    assert easy.sha256 == alone.predictions[0].sha256


def test_a_folder_for_one_of_them_answers_that_one():
    assert read(IN_FOLDERS).tasks_fine == LEVELS
    hard = {name: text for name, text in IN_FOLDERS.items() if name.startswith("hard")}
    assert read(hard).tasks_fine == ("hard",)


def test_files_beside_those_of_one_task_are_not_left_out_in_silence():
    spec = replace(SEVERAL, tasks=(SEVERAL.task("easy"), SEVERAL.task("names")))
    one = [TARGETS[0], TARGETS[3]]
    easy = {name: text for name, text in IN_FOLDERS.items() if name.startswith("easy")}
    both = read_upload(zipped(easy | NAMES), file_name="run.zip", benchmark=spec, targets=one)
    assert both.tasks_fine == ("easy", "names")
    wrong = read_upload(
        zipped(easy | {"names.csv": "id,label\nx,A\n"}), file_name="run.zip", benchmark=spec, targets=one
    )
    assert [(one.file, one.code) for one in wrong.problems] == [("names.csv", "missing_ids")]


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_in_a_folder_is_named_once(what):
    text, column, code = BAD[what]
    name = "medium/solution-problem-3.json"
    found = read(IN_FOLDERS | NAMES | {name: text}).problems
    assert [(one.file, one.line, one.column, one.code) for one in found] == [(name, None, column, code)]


def test_missing_and_further_items_are_told_by_folder():
    some = {name: text for name, text in IN_FOLDERS.items() if name != "hard/solution-problem-2.json"}
    stray = "easy/solution-problem-99.json"
    found = read(some | {stray: FILES["solution-problem-1.json"]}).problems
    assert [(one.file, one.task, one.code) for one in found] == [
        (stray, "easy", "unknown_id"),
        ("hard/solution-*.json", "hard", "missing_ids"),
    ]


def test_more_items_than_a_zip_has_entries_otherwise_are_read():
    many = tuple(f"problem-{at}" for at in range(300))
    targets = [
        SplitTarget(SEVERAL.task(level), "test", ItemIds(many, tuple(("p1",) for _ in many)))
        for level in LEVELS
    ]
    files = {f"{level}/solution-{item}.json": '{"changes": [1]}' for level in LEVELS for item in many}
    found = read_upload(zipped(files), file_name="run.zip", benchmark=SEVERAL, targets=targets)
    assert found.tasks_fine == LEVELS


def test_the_sample_of_several_is_taken_as_it_is():
    files = sample_files(TARGETS)
    assert read_upload(zip_of(files), file_name="sample.zip", benchmark=SEVERAL, targets=TARGETS).ok


@pytest.mark.parametrize("path", ["*.json", "solution-*.json"])
def test_what_macos_adds_makes_no_zip_of_several(path):
    """`._7.json` fits `*.json` as well as `7.json` does."""
    paths = {"easy": path, "hard": "hard/answer-*.json"}
    tasks = [WORDS | CHANGES | {"id": name, "file": FORM | {"path": of}} for name, of in paths.items()]
    document = FRAME | {"tasks": tasks}
    spec = load_definition(yaml.safe_dump(document), "several.yaml")
    targets = [SplitTarget(task, "test", ItemIds(tuple(GOLD), TOKENS)) for task in spec.tasks]
    files = {f"run/{path.replace('*', item)}": FILES[f"solution-{item}.json"] for item in GOLD}
    litter = {f"__MACOSX/run/._{name[4:]}": b"\0\5" for name in files}
    found = read_upload(zipped(files | litter), file_name="run.zip", benchmark=spec, targets=targets)
    assert found.tasks_fine == ("easy",)
