"""RAFT as its organisers and participants run it: over HTTP, from upload to release, with the official numbers."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from accounts.models import ApiToken, User
from benchmarks.models import Phase
from submissions.models import System
from submissions.participants import GroupUse
from tests import official
from tests.conftest import NOW
from tests.uploads import zip_folder, zip_of
from tests.weeks import run_batch

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]


@pytest.fixture
def raft(db, gold_keys):
    """Its running edition, with exact scores over all items and a row for each system: the official evaluation."""
    call_command("sync_benchmarks", stdout=io.StringIO())
    Phase.objects.filter(benchmark="raft").update(disclosure="exact", one_per_team=False)


@pytest.fixture
def api(owner: User) -> Client:
    _, token = ApiToken.objects.create(owner)
    return Client(headers={"Authorization": f"Token {token}"})


def load_gold(folder: Path) -> None:
    for path in sorted(folder.glob("*.csv")):
        arguments = ("load_gold", "raft", path.stem, str(path), "--confirm-clues")
        call_command(*arguments, stdout=io.StringIO(), stderr=io.StringIO())


def upload(api: Client, system: System, data: bytes, name: str = "predictions.zip") -> Any:
    form = {"phase": "raft/main", "system": str(system.pk), "file": SimpleUploadedFile(name, data)}
    answer = api.post("/api/v1/submissions/", form)
    assert answer.status_code == 201, answer.content
    return answer.json()


def close() -> None:
    official.close("raft/main")


def row_of(board: Any, system: str) -> Any:
    return next(row for row in board["rows"] if row["system"] == system)


def test_official_numbers_come_out_of_the_whole_path(raft, api, team, cases):
    folder = cases / "raft_public_train50"
    expected = json.loads((folder / "expected.json").read_text())["systems"]
    load_gold(folder / "gold")
    for name in expected:
        system = System.objects.create(team=team, name=name, created_at=NOW)
        # Another quota window for each, so that one team may send all five.
        GroupUse.objects.update(used=0)
        upload(api, system, zip_folder(folder / "predictions" / name))

    close()

    board = api.get("/benchmarks/raft.json").json()
    shown = {"model_shuffled", "gold_as_pred", "majority", "random", "model"} & {
        row["system"] for row in board["rows"]
    }
    assert shown == set(expected)
    for name, numbers in expected.items():
        cells = row_of(board, name)["cells"]
        assert cells["overall"]["value"] == pytest.approx(numbers["_mean_over_11_tasks"], abs=1e-9)
        for task, values in numbers.items():
            if not task.startswith("_"):
                wanted = values["f1_macro_official_sklearn_labels_seen"]
                assert cells[task]["value"] == pytest.approx(wanted, abs=1e-9), (name, task)


def test_official_numbers_stand_beside_the_final_of_an_edition(raft, api, system, cases):
    Phase.objects.filter(benchmark="raft").update(disclosure="open", one_per_team=True)
    folder = cases / "raft_public_train50"
    expected = json.loads((folder / "expected.json").read_text())["systems"]["model"]
    load_gold(folder / "gold")
    upload(api, system, zip_folder(folder / "predictions" / "model"))
    close()
    before = api.get("/benchmarks/raft.json").json()

    edition = Phase.objects.get(benchmark="raft")
    assert edition.closes_at is not None
    run_batch(edition.closes_at)

    final = api.get("/benchmarks/raft.json").json()
    cells = row_of(final, "Larch")["cells"]
    assert (before["part"], final["part"]) == ("displayed", "remainder")
    assert cells["overall"]["beside"] == pytest.approx(expected["_mean_over_11_tasks"], abs=1e-4)
    for task in (name for name in expected if not name.startswith("_")):
        wanted = expected[task]["f1_macro_official_sklearn_labels_seen"]
        assert cells[task]["beside"] == pytest.approx(wanted, abs=1e-4), task
    assert cells["overall"]["value"] != cells["overall"]["beside"]
    following = Phase.objects.exclude(pk=edition.pk).get(benchmark="raft")
    assert following.opens_at == edition.closes_at
    assert str(Phase.objects.named(f"raft/{following.slug}")) == f"raft/{following.slug}"


def test_accuracy_on_the_task_board_is_the_official_one(raft, api, system, cases):
    folder = cases / "raft_public_train50"
    expected = json.loads((folder / "expected.json").read_text())["systems"]["model"]
    load_gold(folder / "gold")
    upload(api, system, zip_folder(folder / "predictions" / "model"))

    close()

    board = api.get("/benchmarks/raft/tasks/banking_77.json").json()
    accuracy = row_of(board, "Larch")["cells"]["accuracy"]["value"]
    assert accuracy == pytest.approx(expected["banking_77"]["accuracy"], abs=1e-9)


@pytest.fixture
def template_gold(cases: Path, tmp_path: Path) -> Path:
    """Made-up gold labels for the ids of the real template: every label in turn."""
    for folder in (cases / "raft_submission_template" / "data").iterdir():
        labels = json.loads((folder / "task.json").read_text())["label_columns"]["Label"]
        with (folder / "predictions.csv").open(encoding="utf-8", newline="") as file:
            ids = [row["ID"] for row in csv.DictReader(file)]
        rows = "".join(f"{item},{labels[number % len(labels)]}\n" for number, item in enumerate(ids))
        (tmp_path / f"{folder.name}.csv").write_text(f"ID,Label\n{rows}", encoding="utf-8")
    return tmp_path


def test_the_real_template_goes_through_to_a_release(raft, api, system, cases, template_gold):
    load_gold(template_gold)
    receipt = upload(api, system, zip_folder(cases / "raft_submission_template"), "template.zip")
    assert receipt["labels_read"] == 28_715

    close()

    board = api.get("/benchmarks/raft.json").json()
    row = row_of(board, "Larch")
    assert (board["release"], row["rank"]) == (1, 1)
    assert len([cell for cell in row["cells"].values() if cell["value"] is not None]) == 12
    assert row["cells"]["banking_77"]["submission"] == receipt["id"]


def test_the_template_with_one_wrong_label_is_refused_with_its_line(raft, api, system, cases, template_gold):
    load_gold(template_gold)
    folder = cases / "raft_submission_template"
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.csv")}
    path = "data/banking_77/predictions.csv"
    lines = files[path].split(b"\n")
    lines[16] = lines[16].split(b",")[0] + b",card arrival"
    files[path] = b"\n".join(lines)

    answer = api.post(
        "/api/v1/submissions/",
        {
            "phase": "raft/main",
            "system": str(system.pk),
            "file": SimpleUploadedFile("x.zip", zip_of(files)),
        },
    )

    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert (problem["file"], problem["line"], problem["column"]) == (path, 17, "Label")
    assert (problem["found"], problem["expected"]) == ("card arrival", "card_arrival")
