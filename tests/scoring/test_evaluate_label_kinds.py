"""Probabilities, lists of labels and preferences through `manage.py evaluate`, by the examples of the documents.

On the published cases every number is the official scorer's, and every bad file is refused at its place.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.management.commands import evaluate as evaluate_command
from tests.conftest import CASES
from tests.scoring.test_evaluate import as_json

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SYSTEMS = {
    "probabilities": ["logreg", "gaussian_nb", "forest", "uniform", "logreg_all_sure"],
    "many_labels": ["logreg", "logreg_threshold_0.2", "most_frequent", "nothing", "labels_in_other_order"],
    "pairs_preferred": ["gpt-3.5-turbo", "pandalm-7b", "longer", "always_1", "always_tie"],
}
BENCHMARKS = {"probabilities": "calibration", "many_labels": "tags", "pairs_preferred": "preferences"}
TASKS = {"tumours": "tumours", "digits": "digits", "bibtex": "tags", "pandalm": "preferences"}
OF_PUBLISHED = pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases")


@pytest.fixture(autouse=True)
def examples(monkeypatch):
    monkeypatch.setattr(evaluate_command, "DEFINITIONS", EXAMPLES)


def values(found: dict[str, Any], task: str) -> dict[str, float]:
    return {name: cell["value"] for name, cell in found["tasks"][task]["test"].items()}


def test_a_table_of_probabilities_is_scored(tmp_path):
    gold, answers = tmp_path / "gold.csv", tmp_path / "tumours.csv"
    gold.write_text("id,label\na,malignant\nb,benign\nc,malignant\nd,benign\n")
    answers.write_text("id,malignant,benign\nd,0.25,0.75\na,1,0\nb,0.5,0.5\nc,0.5,0.5\n")
    found = values(as_json("calibration", "tumours", "--gold", gold, "--predictions", answers), "tumours")
    assert (found["auroc"], found["brier"]) == (0.875, 0.140625)
    assert found["log_loss"] == pytest.approx(0.4184943)


def test_lists_of_labels_are_scored(tmp_path):
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "tags.jsonl"
    gold.write_text('{"id": "a", "labels": ["web", "biology"]}\n{"id": "b", "labels": []}\n')
    answers.write_text('{"id": "b", "labels": []}\n{"labels": ["biology"], "id": "a"}\n')
    found = values(as_json("tags", "tags", "--gold", gold, "--predictions", answers), "tags")
    assert found["f1_micro"] == pytest.approx(2 / 3)
    assert (found["exact_match"], found["hamming_loss"]) == (0.5, 0.1)


def test_ties_of_preferences_count_as_the_formulas_say(tmp_path):
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "preferred.jsonl"
    preferred = {"a": ("1", "1"), "b": ("2", "1"), "c": ("tie", "2"), "d": ("2", "tie"), "e": ("tie", "tie")}
    for file, which in ((gold, 0), (answers, 1)):
        lines = [json.dumps({"id": pair, "preferred": both[which]}) for pair, both in preferred.items()]
        file.write_text("\n".join(lines))
    found = values(
        as_json("preferences", "preferences", "--gold", gold, "--predictions", answers), "preferences"
    )
    assert found["accuracy"] == 0.4
    assert found["accuracy_no_gold_ties"] == pytest.approx(1 / 3)  # a, of a, b and d
    assert found["accuracy_ties_half"] == pytest.approx(3 / 5)  # a and e, and half of c and d
    assert found["agreement_sign"] == 0  # a, against b


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path, monkeypatch) -> Path:
    """The folder of the case; its labels stand in the definition."""
    folder = CASES / str(request.param)
    if (folder / "labels.txt").is_file():
        labels = json.dumps((folder / "labels.txt").read_text("utf-8").split())
        text = (EXAMPLES / "tags.yaml").read_text("utf-8")
        example = "[statistics, networks, biology, programming, web]"
        assert example in text
        (tmp_path / "tags.yaml").write_text(text.replace(example, labels), "utf-8")
        monkeypatch.setattr(evaluate_command, "DEFINITIONS", tmp_path)
    return folder


@pytest.mark.published
@OF_PUBLISHED
@pytest.mark.parametrize(
    ("case", "system"), [(case, one) for case in SYSTEMS for one in SYSTEMS[case]], indirect=["case"]
)
def test_published_files_give_the_official_numbers(case, system):
    official = json.loads((case / "expected.json").read_text("utf-8"))["systems"][system]
    for task, numbers in official.items():
        files = "--gold", case / numbers["gold"], "--predictions", case / numbers["pred"]
        found = values(as_json(BENCHMARKS[case.name], TASKS[task], *files), TASKS[task])
        assert found == {name: pytest.approx(numbers[name], abs=1e-9) for name in found}


@pytest.mark.published
@OF_PUBLISHED
@pytest.mark.parametrize("case", SYSTEMS, indirect=True)
def test_bad_files_are_refused_at_their_places(case):
    tasks = json.loads((case / "expected.json").read_text("utf-8"))["tasks"]
    every = json.loads((case / "bad" / "expected-problems.json").read_text("utf-8"))["files"]
    for bad in (one for one in every if one["task"] in TASKS):
        files = "--gold", case / tasks[bad["task"]]["gold"], "--predictions", case / bad["file"]
        problem = as_json(BENCHMARKS[case.name], TASKS[bad["task"]], *files, status=1)["problems"][0]
        # A missing id stands on no line.
        assert (problem["line"] or bad["line"], problem["column"]) == (bad["line"], bad["column"])
