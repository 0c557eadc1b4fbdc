"""The next round is drawn in the admin, and leaves as a zip."""

import io
import json
import zipfile
from itertools import product

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from benchmarks.models import Task
from scoring.admin.item_sets import next_round as page_of_rounds
from scoring.gold.responses import load_responses
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.admin.test_responses_upload import client, organiser, task
from tests.conftest import NOW
from tests.responses import labelled, responses_of
from tests.uploads import zip_of

__all__ = ["client", "organiser", "task"]

LABELS = ("positive", "negative", "neutral")
CELLS = [(f"c{number:02}", *cell) for number, cell in enumerate([*product(LABELS, LABELS)] * 2)]
"""Id, gold label and prediction: two of each, enough for nine items of dev and nine of test."""
LETTERS = {"positive": "pppp", "negative": "nnnn", "neutral": "oooo"}
CANDIDATES = responses_of(*[(name, LETTERS[label] + "m") for name, label, _ in CELLS], ("t1", "mmmpn"))
PREDICTIONS = labelled([*((name, predicted) for name, _, predicted in CELLS), ("t1", "neutral")])


def draw(
    client, task, *, responses=CANDIDATES, system=PREDICTIONS, dev="9", test="9", seed="1", submission=""
):
    form = {
        "responses": SimpleUploadedFile("candidates.jsonl", responses),
        "submission": submission,
        **({"system": SimpleUploadedFile("system.csv", system)} if system else {}),
        "dev": dev,
        "test": test,
        "seed": seed,
        "confirmed": "yes",
    }
    return client.post(reverse("admin:benchmarks_task_draw_round", args=[task.pk]), form)


def test_the_parts_come_as_a_zip_that_no_cache_keeps(client, task):
    answer = draw(client, task)

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        report = json.loads(archive.read("report.json"))
        train = [json.loads(line)["text_id"] for line in archive.read("train.jsonl").splitlines()]
        assert sorted(archive.namelist()) == sorted(
            ["dev.jsonl", "test.jsonl", "train.jsonl", "dev-texts.csv", "test-texts.csv", "report.json"]
        )
    assert (report["dev"]["items"], report["test"]["items"], train) == (9, 9, ["t1"])
    assert answer["Content-Disposition"].endswith('round1-next-round.zip"')
    assert "no-store" in answer["Cache-Control"]
    assert LogEntry.objects.get().change_message == "Drew a round after this one, with seed 1."


@pytest.fixture
def submission(task: Task, system: System) -> Submission:
    """What a system answered to the candidates, which are the items of dev here."""
    load_responses(task=task, split_slug="dev", data=CANDIDATES, file_name="c.jsonl", now=NOW)
    answers = labelled([(name, predicted) for name, _, predicted in CELLS])
    return submit_predictions(
        PredictionUpload(
            system=system,
            phase=task.benchmark.phases.get(),
            user=system.team.members.get(),
            data=zip_of({"round1_dev.csv": answers}),
            file_name="upload.zip",
            received_at=NOW,
        )
    ).submission


def test_a_submission_is_chosen_in_place_of_a_file(client, task, submission):
    address = reverse("admin:benchmarks_task_draw_round", args=[task.pk])
    assert "Larch, North, Wed 18 Nov 2026, 12:00 UTC: dev" in client.get(address).content.decode()
    answer = draw(client, task, system=None, submission=str(submission.pk))

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        report = json.loads(archive.read("report.json"))
    assert report["predictions"]["submission"] == str(submission.pk)
    assert report["test"]["scores"]["f1_macro"] == pytest.approx(1 / 3, abs=1e-12)


def test_submissions_of_other_tasks_cannot_be_chosen(client, task, submission):
    other = Task.objects.get(slug="size")
    page = draw(client, other, system=None, submission=str(submission.pk)).content.decode()
    assert "Select a valid choice" in page


@pytest.mark.parametrize(
    ("file", "has_submission", "sentence"),
    [(PREDICTIONS, True, "Give one of the two"), (None, False, "Choose a submission or give a file")],
    ids=["both", "neither"],
)
def test_predictions_come_from_one_place(client, task, submission, file, has_submission, sentence):
    chosen = str(submission.pk) if has_submission else ""
    assert sentence in draw(client, task, system=file, submission=chosen).content.decode()


def test_a_shortage_is_shown_with_what_is_there_and_needed(client, task):
    page = draw(client, task, dev="18").content.decode()
    assert "positive: 2 items with a prompt that the system gets right, and 3 are needed: 1 short." in page
    assert "dev and test together can have 18 items." in page
    assert not LogEntry.objects.exists()


def test_a_task_without_labels_says_that_it_has_no_rounds(client, task):
    page = draw(client, Task.objects.get(slug="size")).content.decode()
    assert "size: rounds are drawn only where an answer is one label of a set." in page


def test_a_faulty_file_is_shown_with_its_line(client, task):
    page = draw(client, task, responses=CANDIDATES + b'{"text_id": "c99"}\n').content.decode()
    assert "candidates.jsonl, line 20, column sentence: The object has no key “sentence”. Add it." in page


def test_whatever_a_candidate_is_called_is_shown_as_text(client, task, submission):
    more = CANDIDATES + responses_of(("<script>n1</script>", "ppppp"))
    page = draw(client, task, responses=more, system=None, submission=str(submission.pk)).content.decode()
    assert "for 1 of the 19 candidates that could be drawn: &lt;script&gt;n1&lt;/script&gt;." in page


@pytest.mark.parametrize("wrong", [{"seed": "-1"}, {"dev": "many"}, {"test": ""}])
def test_numbers_that_are_none_are_asked_for_again(client, task, wrong):
    answer = draw(client, task, **wrong)
    assert answer.status_code == 200
    assert b"Draw and download" in answer.content


def test_a_file_too_large_for_a_browser_to_wait_is_pointed_to_the_command(client, task, monkeypatch):
    monkeypatch.setattr(page_of_rounds, "MAX_CANDIDATES_BYTES", 1024)
    assert "on the command line: manage.py draw_round" in draw(client, task).content.decode()


def test_an_unforeseen_error_shows_and_logs_nothing_of_the_files(client, task, monkeypatch, caplog):
    def fail(**_):
        raise RuntimeError("secret c00 positive")

    monkeypatch.setattr(page_of_rounds, "open_round", fail)
    answer = draw(client, task)
    assert answer.status_code == 200
    assert "unforeseen RuntimeError" in answer.content.decode()
    assert "secret" not in answer.content.decode() + caplog.text
