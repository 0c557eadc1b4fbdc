"""The published cases of layouts: files that score as their official scorer says, and those refused at their place."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.loader import load_definition
from catalogue.answers import KINDS
from catalogue.metrics import METRICS
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from tests.conftest import CASES

pytestmark = [
    pytest.mark.published,
    pytest.mark.skipif(not CASES.is_dir(), reason="The published cases are no part of the project."),
]

JSON_LINES = {"dialect": "json_lines", "id_column": "idx", "label_column": "label", "numeric_ids": True}
ROWS = {"id_column": "id", "label_column": "label", "headerless": True}
RELATIONS = [
    f"{name}({ends})"
    for name in (
        "Cause-Effect", "Component-Whole", "Content-Container", "Entity-Destination", "Entity-Origin",
        "Instrument-Agency", "Member-Collection", "Message-Topic", "Product-Producer",
    )
    for ends in ("e1,e2", "e2,e1")
]  # fmt: skip
RTE = {"file": JSON_LINES, "labels": ["entailment", "not_entailment"]}
TASKS: dict[str, dict[str, tuple[str, dict[str, Any]]]] = {
    "layouts_one_label": {
        "cola": ("cola_dev.tsv", {"file": ROWS | {"dialect": "tsv"}, "labels": ["0", "1"]}),
        "irony_a": (
            "irony_a.labels",
            {"file": {"dialect": "one_a_line", "label_column": "label"}, "labels": ["0", "1"]},
        ),
        "mrpc": ("mrpc_test.csv", {"file": ROWS, "labels": ["0", "1"]}),
        "relations": ("answer_key.tsv", {"file": ROWS | {"dialect": "tsv"}, "labels": [*RELATIONS, "Other"]}),
    },
    "jsonl_superglue": {
        "RTE": ("RTE.jsonl", RTE),
        "entails": (
            "entails.jsonl",
            {"file": JSON_LINES | {"labels_as": "booleans"}, "labels": ["true", "false"]},
        ),
        "choice": (
            "choice.jsonl",
            {"file": JSON_LINES | {"labels_as": "numbers"}, "labels": ["0", "1", "2", "3"]},
        ),
        "sense": ("sense.jsonl", {"file": JSON_LINES, "labels": ["HARD1", "HARD2", "HARD3"]}),
    },
    "numbers_and_ordered": {
        "sts2014_images": (
            "sts2014_images.tsv",
            {
                "file": {"dialect": "tsv", "id_column": "id", "label_column": "score"},
                "output": {"kind": "number", "low": 0, "high": 5},
            },
        ),
        "sts2014_images_classes": (
            "sts2014_images_classes.tsv",
            {
                "file": ROWS | {"dialect": "tsv"},
                "output": {"kind": "ordered_classes", "low": 0, "high": 5},
            },
        ),
        "diabetes": (
            "diabetes.csv",
            {
                "file": {"id_column": "id", "label_column": "value"},
                "output": {"kind": "number", "low": 0, "high": 1000},
            },
        ),
    },
    "pairs_preferred": {
        "pandalm": (
            "pandalm_test.jsonl",
            {
                "file": {"dialect": "json_lines", "id_column": "id", "label_column": "preferred"},
                "labels": ["1", "2", "tie"],
            },
        ),
    },
}
FILES = {"relations": "proposed_answer.tsv", "pandalm": "preferred.jsonl"}


def expected(case: str, name: str = "expected.json") -> dict:
    return json.loads((CASES / case / name).read_text(encoding="utf-8"))


def definition(case: str) -> BenchmarkSpec:
    """What an organiser would write: its tasks, each with those metrics of the case that the server has."""
    values = expected(case)["systems"].values()
    tasks = []
    for task, (gold, words) in TASKS[case].items():
        wanted = {name for system in values for name in system.get(task, {})}
        kind = KINDS[words.get("output", {}).get("kind", "one_label")]
        known = [metric.name for metric in METRICS if metric.name in wanted and kind in metric.kinds]
        tasks.append(
            {"id": task, "code": "T", "title": task, "summary": "s", "instructions": "i", "licence": "l"}
            | {"citation": "c"}
            | words
            | {"file": words["file"] | {"path": FILES.get(task, f"{task}{Path(gold).suffix}")}}
            | {"metrics": [{"name": name, "title": name} for name in known]}
        )  # fmt: skip
    top = {
        "id": "made", "title": "Made", "summary": "s", "url": "https://example.org", "citation": "c",
        "bundle": {"files": "any"}, "tasks": tasks,
        "phases": [{"id": "main", "title": "Main", "release": {"when": "at-close"}, "lasts_days": 7,
                    "quota": {"per_cut_off": 5}, "counting": "latest"}],
    }  # fmt: skip
    return load_definition(yaml.safe_dump(top), "made.yaml")


def scored(case: str, task: str, file: Path) -> dict:
    spec = definition(case)
    gold = CASES / case / "gold" / TASKS[case][task][0]
    found = evaluate_file(
        spec,
        spec.task(task),
        gold=(gold.name, gold.read_bytes()),
        predictions=(file.name, file.read_bytes()),
    )
    return found.document["tasks"][task]["test"]


def systems() -> list[tuple[str, str, str]]:
    return [
        (case, system, task)
        for case, tasks in TASKS.items()
        if CASES.is_dir()
        for system, by_task in expected(case)["systems"].items()
        for task in by_task
        if task in tasks
    ]


@pytest.mark.parametrize(("case", "system", "task"), systems())
def test_scores_are_those_of_the_official_scorer(case, system, task):
    (file,) = (CASES / case / "predictions" / system).glob(f"{FILES.get(task, task + '.*')}")
    wanted = expected(case)["systems"][system][task]
    found = scored(case, task, file)
    assert found
    for name, cell in found.items():
        if wanted[name] is not None:  # undefined there, of constant answers, and 0 here
            assert cell["value"] == pytest.approx(wanted[name], abs=1e-9), name


def refused() -> list[tuple[str, dict]]:
    return [
        (case, bad)
        for case, tasks in TASKS.items()
        if CASES.is_dir()
        for bad in expected(case, "bad/expected-problems.json")["files"]
        if bad["task"] in tasks
    ]


@pytest.mark.parametrize(
    ("case", "bad"), refused(), ids=lambda value: value["file"] if isinstance(value, dict) else value
)
def test_bad_files_are_refused_at_their_place(case, bad):
    with pytest.raises(FileRefused) as caught:
        scored(case, bad["task"], CASES / case / bad["file"])
    places = {(problem.line, problem.column) for problem in caught.value.problems}
    assert bad["line"] in {line for line, _ in places}
    if bad["column"] and "header" not in bad["file"]:
        assert (bad["line"], bad["column"]) in places
