"""The published responses of DynaSent through the admin to a release: agreement, human estimate, models at chance."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from benchmarks.models import Benchmark
from scoring.models import ResponseSet
from tests.official import accepted, close, new_system, official_numbers, published, row_of
from tests.pages import browser_of, text_of
from tests.people import appoint

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]

PHASE = "dynasent/main"
LABELS = ("positive", "negative", "neutral")
SETS = {
    "round1_test": ("round1", "test", "dynasent-v1.1-round01-yelp-test.jsonl"),
    "round2_test": ("round2", "test", "dynasent-v1.1-round02-dynabench-test.jsonl"),
    "round2_dev": ("round2", "dev", "dynasent-v1.1-round02-dynabench-dev.jsonl"),
}
MODELS = {"round1_test": "model_0", "round2_test": "model_1", "round2_dev": "model_1"}


@pytest.fixture
def pages(db: None, gold_keys: object, cases: Path, staff: Any) -> dict[str, str]:
    """What the organiser reads after loading each file of responses in the admin."""
    call_command("sync_benchmarks", stdout=io.StringIO())
    appoint(Benchmark.objects.get(pk="dynasent"), staff)
    return {name: loaded(staff, cases, name) for name in SETS}


def loaded(staff: Any, cases: Path, name: str) -> str:
    task, split, file = SETS[name]
    row = Benchmark.objects.get(pk="dynasent").tasks.get(slug=task)
    upload = SimpleUploadedFile(file, (cases / "dynasent_v1_1" / "gold" / file).read_bytes())
    address = reverse("admin:benchmarks_task_load_responses", args=[row.pk])
    answer = browser_of(staff).post(
        address, {"split": split, "file": upload, "confirmed": "yes"}, follow=True
    )
    return text_of(answer)


@pytest.fixture
def release(pages: dict[str, str], cases: Path) -> None:
    """Both models sent over the API against the gold labels that the server has inferred, and published."""
    systems = {name: new_system(name) for name in set(MODELS.values())}
    for name, model in MODELS.items():
        data = (cases / "dynasent_v1_1" / "predictions" / f"{name}.{model}.csv").read_bytes()
        accepted(systems[model], PHASE, data, f"{name}.csv")
    close(PHASE)


def place_of(name: str) -> str:
    task, split, _ = SETS[name]
    return task if split == "test" else f"{task}@{split}"


def test_agreement_is_the_official_one_and_is_told_to_the_organiser(pages, cases):
    for name, (task, split, _) in SETS.items():
        kappa = official_numbers(cases / "dynasent_v1_1")[name]["fleiss_kappa_4cats"]
        found = ResponseSet.objects.get(split__task__slug=task, split__slug=split)
        assert found.report["kappa"] == pytest.approx(kappa, abs=1e-9), name
        assert f"Fleiss kappa {kappa:.3f}." in pages[name]


def test_the_human_estimate_stands_in_the_cells_of_the_boards(release, cases):
    for name in SETS:
        task = SETS[name][0]
        board = published(f"/benchmarks/dynasent/boards/round-{task[-1]}.json")
        (row,) = [one for one in board["rows"] if one["source"].startswith("five synthetic annotators")]
        official = official_numbers(cases / "dynasent_v1_1")[name]["human_estimate_random_state_1"]
        wanted = {"": official["Macro avg"]["F1"]}
        wanted |= {f":f1_{label}": official[label]["F1"] for label in LABELS}
        for ending, value in wanted.items():
            assert row["cells"][f"{place_of(name)}{ending}"]["value"] == pytest.approx(value, abs=1e-9)
        assert row["rank"] is None


def test_each_model_is_at_one_third_against_the_labels_that_responses_give(release):
    for name, model in MODELS.items():
        cells = row_of(published(f"/benchmarks/dynasent/boards/round-{SETS[name][0][-1]}.json"), model)[
            "cells"
        ]
        for ending in ("", *(f":f1_{label}" for label in LABELS)):
            assert cells[f"{place_of(name)}{ending}"]["value"] == pytest.approx(1 / 3, abs=1e-9), (
                name,
                ending,
            )
