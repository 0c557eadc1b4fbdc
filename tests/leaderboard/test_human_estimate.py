"""The human estimate on boards: a row of its own kind, without a rank, in every column that has one."""

from typing import Any

import pytest

from benchmarks.models import Phase, Task
from scoring.gold.responses import load_responses
from scoring.gold.versions import load_gold
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.responses import DEFINITION, labelled, responses_of
from tests.weeks import CUT_OFF, board, run_batch

pytestmark = pytest.mark.thorough

# On the test split one worker of five is wrong about every item, on the development split nobody is.
TEST_SET = [("t1", "ppppn"), ("t2", "nnnno"), ("t3", "oooop")]
DEV_SET = [("d1", "ppppp"), ("d2", "nnnnn"), ("d3", "ooooo")]


@pytest.fixture
def task(sync: Any, gold_keys: Any) -> Task:
    found: Task = sync(DEFINITION).tasks.get(slug="round1")
    return found


@pytest.fixture
def phase(task: Task) -> Phase:
    return task.benchmark.phases.get()


def load(task: Task, split: str, items: list[tuple[str, str]]) -> dict[str, Any]:
    data = responses_of(*items)
    loaded = load_responses(task=task, split_slug=split, data=data, file_name="r.jsonl", now=NOW)
    human: dict[str, Any] = loaded.responses.human
    return human


def publish(phase: Phase, system: System) -> None:
    """A release with one system that has everything right."""
    data = labelled([("t1", "positive"), ("t2", "negative"), ("t3", "neutral")])
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=system.team.members.get(),
            data=data,
            file_name="round1_test.csv",
            task="round1",
            received_at=NOW,
        )
    )
    run_batch(CUT_OFF)


def humans_on(path: str) -> list[dict[str, Any]]:
    return [row for row in board(path)["rows"] if row["kind"] == "human"]


def estimate_on(path: str) -> dict[str, Any]:
    """The row that was scored here."""
    (row,) = [row for row in humans_on(path) if row["source"].startswith("five synthetic")]
    return row


def values(row: dict[str, Any]) -> dict[str, float]:
    return {key: cell["value"] for key, cell in row["cells"].items() if cell["value"] is not None}


def test_the_task_s_board_has_the_estimate_of_its_test_split(task, phase, system):
    human = load(task, "test", TEST_SET)
    load(task, "dev", DEV_SET)
    publish(phase, system)

    row = estimate_on("/benchmarks/toy/tasks/round1.json")

    assert values(row) == {"round1": human["macro"]["f1"], "f1_neutral": human["labels"]["neutral"]["f1"]}
    cell = row["cells"]["round1"]
    assert 0 < cell["ci_low"] < cell["value"] < cell["ci_high"] < 1
    assert (row["system"], row["rank"]) == ("Human estimate", None)
    assert row["source"] == "five synthetic annotators of 15 responses"


def test_the_estimate_in_the_cells_is_the_one_counted_by_hand(task, phase, system):
    """Of five annotators one is wrong on the one positive item: 0 for it, as the others' 1."""
    load(task, "test", [("t1", "ppppm"), ("t2", "nnnnn"), ("t3", "ooooo")])
    publish(phase, system)

    found = values(estimate_on("/benchmarks/toy/tasks/round1.json"))
    assert found == pytest.approx({"round1": (0.8 + 1 + 1) / 3, "f1_neutral": 1.0}, abs=1e-9)


def test_a_declared_board_has_it_for_every_split_it_shows(task, phase, system):
    human = load(task, "test", TEST_SET)
    load(task, "dev", DEV_SET)
    publish(phase, system)

    row = estimate_on("/benchmarks/toy/boards/dev.json")

    assert values(row) == {
        "round1@dev": 1.0,
        "round1@dev:f1_neutral": 1.0,
        "round1": human["macro"]["f1"],
    }
    assert row["source"] == "five synthetic annotators of 30 responses"


def test_what_was_published_elsewhere_stays_beside_it(task, phase, system):
    load(task, "test", TEST_SET)
    publish(phase, system)
    assert {row["source"]: row["cells"]["round1"]["value"] for row in humans_on("/benchmarks/toy.json")} == {
        "Nobody, 2026": 0.9,
        "five synthetic annotators of 15 responses": estimate_on("/benchmarks/toy.json")["cells"]["round1"][
            "value"
        ],
    }


def test_an_estimate_better_than_every_system_takes_no_rank(task, phase, system):
    load(task, "test", [("t1", "ppppp"), ("t2", "nnnnn"), ("t3", "ooooo")])
    publish(phase, system)
    ranks = {row["system"]: row["rank"] for row in board("/benchmarks/toy/tasks/round1.json")["rows"]}
    assert ranks == {"Larch": 1, "Human estimate": None}


def test_gold_labels_from_elsewhere_take_the_row_away(task, phase, system):
    load(task, "test", TEST_SET)
    corrected = labelled([("t1", "positive"), ("t2", "negative"), ("t3", "neutral")])
    load_gold(task=task, data=corrected, file_name="gold.csv", now=NOW)
    publish(phase, system)
    assert [row["source"] for row in humans_on("/benchmarks/toy/tasks/round1.json")] == ["Nobody, 2026"]
