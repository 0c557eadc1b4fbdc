"""The 50 public items of every RAFT task: five systems, with the numbers of the official scorer."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.spec import AverageSpec, MissingTask
from benchmarks.spec.averages import averages
from catalogue.answers import Label
from scoring.core import ScoreReport, score

SYSTEMS = ("model", "model_shuffled", "gold_as_pred", "majority", "random")
OFFICIAL_KEYS = {
    "accuracy": "accuracy",
    "f1_macro": "f1_macro_official_sklearn_labels_seen",
    "f1_macro_declared": "f1_macro_over_full_label_set",
}

pytestmark = pytest.mark.cases


@pytest.fixture
def raft(cases: Path) -> Path:
    return cases / "raft_public_train50"


@pytest.fixture
def expected(raft: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((raft / "expected.json").read_text())
    return content


def read_labels(path: Path) -> dict[str, str]:
    with path.open(newline="", encoding="utf-8") as file:
        return {row["ID"]: row["Label"] for row in csv.DictReader(file)}


def score_task(raft: Path, system: str, task: str, label_names: list[str]) -> ScoreReport:
    gold = read_labels(raft / "gold" / f"{task}.csv")
    predictions = read_labels(raft / "predictions" / system / "data" / task / "predictions.csv")
    y_true = np.array([label_names.index(gold[item]) for item in gold], dtype=np.uint8)
    y_pred = np.array([label_names.index(predictions[item]) for item in gold], dtype=np.uint8)
    return score(Label(names=tuple(label_names)), list(OFFICIAL_KEYS), y_true, y_pred)


def score_all(raft: Path, system: str, expected: dict[str, Any]) -> dict[str, ScoreReport]:
    return {
        task: score_task(raft, system, task, meta["label_set"]) for task, meta in expected["meta"].items()
    }


def test_cases_hold_the_five_systems(expected):
    assert tuple(expected["systems"]) == SYSTEMS


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_task_scores_as_the_official_scorer_says(raft, expected, system):
    reports = score_all(raft, system, expected)

    assert len(reports) == 11
    for task, report in reports.items():
        official = expected["systems"][system][task]
        for metric, key in OFFICIAL_KEYS.items():
            assert report[metric].value == pytest.approx(official[key], abs=1e-9), (task, metric)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("metric", "key"),
    [("f1_macro", "_mean_over_11_tasks"), ("f1_macro_declared", "_mean_over_11_tasks_full_label_set")],
)
def test_overall_is_the_mean_of_the_eleven_tasks(raft, expected, system, metric, key):
    values = {task: report[metric].value for task, report in score_all(raft, system, expected).items()}
    overall = AverageSpec(id="overall", title="Overall", of=tuple(values), missing=MissingTask.UNRANKED)

    result = averages([overall], values)["overall"]

    assert result.value == pytest.approx(expected["systems"][system][key], abs=1e-9)
