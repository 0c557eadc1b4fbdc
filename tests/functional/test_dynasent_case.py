"""DynaSent over HTTP, from the published files to the cells of the boards, with the official numbers."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from math import floor
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from benchmarks.models import Benchmark
from leaderboard.models import Release
from tests.official import (
    accepted,
    accepted_in_browser,
    assert_cells,
    close,
    load_gold_file,
    new_system,
    official_numbers,
    published,
    refusal,
    row_of,
    send,
)
from tests.pages import text_of
from tests.people import appoint
from tests.stage import taken_back

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]

PHASE = "dynasent/main"
GOLD = {
    "round1_test": ("round1", "test", "dynasent-v1.1-round01-yelp-test.jsonl"),
    "round2_test": ("round2", "test", "dynasent-v1.1-round02-dynabench-test.jsonl"),
    "round2_dev": ("round2", "dev", "dynasent-v1.1-round02-dynabench-dev.jsonl"),
}
SYSTEMS = {
    "round1_test": ("majority_positive", "model_0", "never_neutral", "model"),
    "round2_test": ("majority_positive", "model_1", "never_neutral", "model"),
    "round2_dev": ("model_1",),
}
LABELS = ("positive", "negative", "neutral")
ENDINGS = ("", *(f":f1_{label}" for label in LABELS))
"""What follows a set's name in the keys of its columns: macro and per class."""
THIRD = 1 / 3
AFTER = {"positive": "negative", "negative": "neutral", "neutral": "positive"}


@pytest.fixture(scope="module")
def folder(stage: None, cases: Path) -> Iterator[Path]:
    """The benchmark with the gold labels of three sets, from the data set's own files."""
    case = cases / "dynasent_v1_1"
    with taken_back():
        call_command("sync_benchmarks", stdout=io.StringIO())
        for task, split, name in GOLD.values():
            load_gold_file("dynasent", task, case / "gold" / name, split)
        yield case


def predictions(folder: Path, name: str, system: str) -> bytes:
    return (folder / "predictions" / f"{name}.{system}.csv").read_bytes()


@pytest.fixture
def release(folder: Path) -> Path:
    """Every acceptable file sent, one by one, and published; the first one in the browser."""
    systems: dict[str, Any] = {}
    for name, sent in SYSTEMS.items():
        for system in sent:
            take = accepted if systems else accepted_in_browser
            if system not in systems:
                systems[system] = new_system(system)
            take(systems[system], PHASE, predictions(folder, name, system), f"{name}.csv")
    close(PHASE)
    return folder


def official(folder: Path, name: str, system: str) -> Mapping[str, float]:
    """Macro and per class, by the ending of their column's key."""
    numbers = official_numbers(folder)[name]["systems"][system]
    classes = {f":f1_{label}": numbers["per_class"][label]["f1"] for label in LABELS}
    return {"": numbers["macro_f1_over_3_labels"], **classes}


def columns(numbers: Mapping[str, float], place: str) -> dict[str, float | None]:
    return {f"{place}{ending}": value for ending, value in numbers.items()}


@pytest.mark.parametrize("number", [1, 2])
def test_every_cell_of_a_round_s_board_has_the_official_number(release, number):
    wanted: dict[str, dict[str, float | None]] = {}
    for name, sent in SYSTEMS.items():
        task, split, _ = GOLD[name]
        place = task if split == "test" else f"{task}@{split}"
        for system in sent if task == f"round{number}" else ():
            cells = columns(official(release, name, system), place)
            wanted[system] = {**wanted.get(system, {}), **cells}
    assert_cells(f"/benchmarks/dynasent/boards/round-{number}.json", wanted)
    own_page = {
        system: {key.partition(":")[2] or key: value for key, value in cells.items() if "@" not in key}
        for system, cells in wanted.items()
    }
    assert_cells(f"/benchmarks/dynasent/tasks/round{number}.json", own_page)


def test_both_models_are_at_exactly_one_third_on_the_round_made_against_them(release):
    made_against = {
        ("round-1", "model_0"): ["round1"],
        ("round-2", "model_1"): ["round2", "round2@dev"],
    }
    for (board, system), sets in made_against.items():
        cells = row_of(published(f"/benchmarks/dynasent/boards/{board}.json"), system)["cells"]
        for key in (f"{one}{ending}" for one in sets for ending in ENDINGS):
            assert cells[key]["value"] == pytest.approx(THIRD, abs=1e-12), key


def test_the_overall_board_ranks_by_the_mean_of_the_rounds_on_test(release):
    board = published("/benchmarks/dynasent.json")
    both = ("model", "never_neutral", "majority_positive")
    means = {
        system: sum(official(release, name, system)[""] for name in ("round1_test", "round2_test")) / 2
        for system in both
    }
    assert_cells("/benchmarks/dynasent.json", {system: {"rounds": mean} for system, mean in means.items()})
    assert sorted(means, key=lambda system: -means[system]) == list(both)
    assert [row_of(board, system)["rank"] for system in both] == [1, 2, 3]
    # Neither model has files for both rounds, so neither has a mean.
    assert [row_of(board, system)["rank"] for system in ("model_0", "model_1")] == [None, None]
    groups = {column["key"]: column["group"] for column in board["columns"]}
    assert [key for key, group in groups.items() if group == "External, not ranked"] == [
        "sst3", "yelp", "amazon",
    ]  # fmt: skip


def test_published_numbers_stand_beside_them_unranked(release):
    board = published("/benchmarks/dynasent/boards/round-2.json")
    for system, macro, dev_neutral in (("Model 0", 0.568, 0.384), ("Human estimate", 0.9, 0.889)):
        row = row_of(board, system)
        assert row["rank"] is None
        assert (row["cells"]["round2"]["value"], row["cells"]["round2@dev:f1_neutral"]["value"]) == (
            macro,
            dev_neutral,
        )
    assert "not ranked" in text_of(Client().get("/benchmarks/dynasent/"))


def test_a_file_of_the_test_set_says_nothing_of_the_development_set(release):
    cells = row_of(published("/benchmarks/dynasent/boards/round-2.json"), "majority_positive")["cells"]
    assert (cells["round2@dev"]["value"], cells["round2@dev"]["undefined"]) == (None, "not_submitted")


@pytest.mark.parametrize("name", ["round1_test", "round2_test"])
def test_a_label_outside_the_three_is_refused_with_its_line(folder, system, name):
    data = predictions(folder, name, "predicts_mixed_sometimes")
    assert refusal(send(system, PHASE, data, f"{name}.csv")) == ("unknown_label", 2, "prediction")


@pytest.mark.parametrize(
    ("sent_as", "name", "problem"),
    [
        ("round1_test.csv", "round2_test", ("unknown_id", 2, "text_id")),
        ("round2_dev.csv", "round2_test", ("unknown_id", 2, "text_id")),
    ],
)
def test_a_file_of_another_set_is_refused_with_its_line(folder, system, sent_as, name, problem):
    data = predictions(folder, name, "majority_positive")
    assert refusal(send(system, PHASE, data, sent_as)) == problem


def without_rows(data: bytes, numbers: Iterable[int]) -> bytes:
    left_out = set(numbers)
    return b"".join(line for at, line in enumerate(data.splitlines(keepends=True), 1) if at not in left_out)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [([1], ("header_missing", 1, None)), ([3], ("missing_ids", None, "text_id"))],
)
def test_a_file_with_a_line_left_out_is_refused(folder, system, rows, problem):
    data = without_rows(predictions(folder, "round2_test", "model_1"), rows)
    assert refusal(send(system, PHASE, data, "round2_test.csv")) == problem


# Solved by people's own measure


def nearly_right(gold: Path, wrong: int) -> bytes:
    """Predictions that are wrong on so many items of each label, always with the next label.

    Precision and recall of every label are then (240 - wrong) / 240, and so is F1 macro.
    """
    left = dict.fromkeys(LABELS, wrong)
    rows = ["text_id,prediction"]
    for line in gold.read_text("utf-8").splitlines():
        item = json.loads(line)
        label = item["gold_label"]
        rows.append(f"{item['text_id']},{AFTER[label] if left[label] else label}")
        left[label] -= bool(left[label])
    return ("\n".join(rows) + "\n").encode()


@pytest.mark.parametrize("is_solved", [False, True])
def test_round_2_is_solved_above_the_estimate_made_of_its_responses(folder, staff, mailoutbox, is_solved):
    """A published estimate says .900; what counts is what the responses themselves give, in all digits."""
    human = official_numbers(folder)["round2_test"]["human_estimate_random_state_1"]["Macro avg"]["F1"]
    wrong = floor(240 * (1 - human)) + (not is_solved)
    appoint(Benchmark.objects.get(pk="dynasent"), staff)
    gold = folder / "gold" / GOLD["round2_test"][2]
    call_command("load_responses", "dynasent", "round2", "test", str(gold), stdout=io.StringIO())
    accepted(new_system("Wren"), PHASE, nearly_right(gold, wrong), "round2_test.csv")
    close(PHASE)

    assert_cells("/benchmarks/dynasent/boards/round-2.json", {"Wren": {"round2": (240 - wrong) / 240}})
    solved = Release.objects.get().reports.get("solved", {})
    assert list(solved) == (["round-2"] if is_solved else [])
    assert len([one for one in mailoutbox if "solved" in one.subject]) == len(solved)
    page = text_of(Client().get("/benchmarks/dynasent/boards/round-2/"))
    assert ("Round 2 is solved:" in page) == is_solved
    if is_solved:
        assert solved["round-2"]["human"] == pytest.approx(human, abs=1e-9)
        assert solved["round-2"]["score"] == pytest.approx((240 - wrong) / 240, abs=1e-9)
