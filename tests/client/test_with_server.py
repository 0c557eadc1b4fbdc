"""The command against a running server."""

import json
import os
import stat
from pathlib import Path

import pytest
from typer.testing import Result

from leaderboard.publication.services import publish_ready
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import FactSheet, Refusal, Submission
from submissions.quota.registration_codes import set_code
from tests.api.conftest import CUT_OFF
from tests.client.conftest import MOOD, Run

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]


def publish_at_cut_off() -> None:
    Submission.objects.update(received_at="2026-11-18T12:00:00Z", cut_off_at=CUT_OFF)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    publish_ready(CUT_OFF)


def submit(run: Run, predictions: Path, *more: str) -> Result:
    return run("submit", predictions, "--phase", "toy/main", "--system", "Larch", *more)


@pytest.fixture
def sheet(tmp_path, fact_lists):
    file = tmp_path / "sheet.json"
    file.write_text('{\n"algorithms": ["LSTM"],\n"lexicons": []}\n')
    return file


def test_login_stores_the_token_for_its_owner_alone(run, live_server, owner, home):
    result = run("login", live_server.url, input="owner@example.org\nowner-password\n")
    assert result.exit_code == 0, result.output
    stored = home / "login.json"
    token = json.loads(stored.read_text())["token"]
    assert stat.S_IMODE(os.stat(stored).st_mode) == 0o600
    assert token not in result.output
    assert run("status").exit_code == 0


def test_wrong_password_is_told(run, live_server, owner, home):
    result = run("login", live_server.url, input="owner@example.org\nwrong\n")
    assert (result.exit_code, "password is wrong" in result.stderr) == (2, True)
    assert not home.exists()


def test_check_fetches_definition_and_ids_once(run, server, predictions, toy):
    assert run("check", predictions, "--benchmark", "toy").exit_code == 0
    toy.tasks.get(slug="mood").splits.update(slug="gone")
    result = run("check", predictions, "--benchmark", "toy")
    assert result.exit_code == 0, result.output


def test_submit_gives_a_receipt(run, signed_in, predictions, system):
    result = submit(run, predictions)
    assert result.exit_code == 0, result.output
    submission = Submission.objects.get()
    assert f"/submissions/{submission.pk}/" in result.stdout
    assert "2 tasks, 10 labels" in result.stdout
    assert "1 of 5 submissions" in result.stdout


def test_submit_without_a_fact_sheet_says_that_it_is_missing(run, signed_in, predictions, system, sheet):
    result = submit(run, predictions)
    assert (result.exit_code, "fact sheet is missing" in result.stdout) == (0, True)


def test_fact_sheet_is_sent_along(run, signed_in, predictions, system, sheet):
    result = submit(run, predictions, "--fact-sheet", str(sheet))
    assert result.exit_code == 0, result.output
    assert FactSheet.objects.get().answers == {"algorithms": ["LSTM"], "lexicons": []}
    assert "missing" not in result.stdout


def test_malformed_fact_sheet_is_told_and_nothing_is_sent(run, signed_in, predictions, system, sheet):
    sheet.write_text(sheet.read_text().replace("LSTM", "LTSM"))
    result = submit(run, predictions, "--fact-sheet", str(sheet))
    assert result.exit_code == 1
    assert "sheet.json:2:algorithms: The list “algorithms” has no option “LTSM”" in result.stderr
    assert not Submission.objects.exists()
    assert not Refusal.objects.exists()


def test_folder_is_no_fact_sheet(run, signed_in, predictions, system, sheet):
    result = submit(run, predictions, "--fact-sheet", str(sheet.parent))
    assert (result.exit_code, "is one JSON file" in result.stderr) == (2, True)


def test_submitting_again_says_that_nothing_was_used(run, signed_in, predictions, system):
    submit(run, predictions)
    assert "sent before" in submit(run, predictions).stdout


def test_bad_predictions_are_not_sent(run, signed_in, predictions, system):
    (predictions / "data/mood/predictions.csv").write_bytes(MOOD.replace(b"m3,bad", b"m3,Bad"))
    assert submit(run, predictions).exit_code == 1
    assert not Submission.objects.exists()
    assert not Refusal.objects.exists()


def test_submit_brings_stale_ids_up_to_date(run, signed_in, predictions, system, toy, home):
    assert run("check", predictions, "--benchmark", "toy").exit_code == 0
    (stored,) = home.rglob("ids-mood.json")
    stored.write_text(json.dumps({"ids": ["old"], "sha256": "old"}))
    assert submit(run, predictions).exit_code == 0


def test_damaged_store_is_fetched_anew(run, server, predictions, home):
    run("check", predictions, "--benchmark", "toy")
    for file in home.rglob("*.json"):
        file.write_text("{")
    assert run("check", predictions, "--benchmark", "toy").exit_code == 0


def test_single_file_is_submitted_for_its_task(run, signed_in, predictions, system):
    file = predictions / "data/mood/predictions.csv"
    assert submit(run, file, "--task", "mood").exit_code == 0
    assert Submission.objects.get().predictions.get().split.task.slug == "mood"


def test_status_says_what_happens_next(run, signed_in, predictions, system):
    submit(run, predictions)
    submission = Submission.objects.get()
    result = run("status", submission.pk)
    assert result.exit_code == 0, result.output
    assert "cut-off" in result.stdout
    assert f"{submission.pk}  accepted\n  {system.name}, toy/main, received " in run("status").stdout


def test_status_shows_the_scores_once_published(run, signed_in, predictions, system):
    submit(run, predictions)
    publish_at_cut_off()
    result = run("status", Submission.objects.get().pk)
    assert "1.0000" in result.stdout


def test_used_up_quota_is_told_with_the_next_slot(run, signed_in, predictions, system, phase):
    type(phase).objects.update(quota_limit=1)
    submit(run, predictions)
    (predictions / "data/mood/predictions.csv").write_bytes(MOOD.replace(b"m3,bad", b"m3,good"))
    result = submit(run, predictions)
    assert (result.exit_code, "next slot opens" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "words", [["--phase", "toy/none", "--system", "Larch"], ["--phase", "toy/main", "--system", "X"]]
)
def test_unknown_phase_or_system_is_told(words, run, signed_in, predictions, system):
    result = run("submit", predictions, *words)
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)


@pytest.mark.parametrize("command", [["check"], ["texts"], ["ids"], ["terms"]])
def test_of_an_unknown_benchmark_it_is_said_which_there_are(command, run, signed_in, predictions, toy):
    what = [predictions] if command == ["check"] else []
    result = run(*command, *what, *(["toi"] if command == ["terms"] else ["--benchmark", "toi"]))
    assert result.exit_code == 2
    assert "shows you no benchmark toi. It shows: toy." in result.stderr


def test_wrong_token_is_told(run, server, predictions, monkeypatch):
    monkeypatch.setenv("HELDOUT_TOKEN", "0" * 64)
    result = run("status")
    assert (result.exit_code, "heldout login" in result.stderr) == (2, True)


def test_no_token_is_told(run, server):
    result = run("status")
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)


@pytest.mark.parametrize("submission", ["none", "../teams", "00000000-0000-4000-8000-000000000000", ""])
def test_unknown_submission_is_told(submission, run, signed_in):
    result = run("status", submission)
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)


def test_benchmarks_and_ids_are_listed(run, server):
    assert "toy/main" in run("benchmarks").stdout
    assert "mood: 6 ids" in run("ids", "--benchmark", "toy").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("benchmarks",),
        ("ids", "--benchmark", "toy"),
        ("texts", "--benchmark", "toy"),
        ("status",),
        ("terms", "toy"),
        ("result", "00000000-0000-4000-8000-000000000000"),
        ("status", "not an id"),
        ("check", "nowhere", "--benchmark", "toy"),
    ],
)
def test_every_command_prints_one_json_document_and_nothing_else(run, signed_in, words):
    result = run(*words, "--json")

    told = json.loads(result.stdout)
    assert told["ok"] == (result.exit_code == 0)
    assert (result.exit_code == 2) == ("error" in told)
    assert not result.stderr


def test_a_submission_its_status_and_its_result_come_as_json(run, signed_in, system, predictions):
    sent = json.loads(submit(run, predictions, "--json").stdout)
    assert (sent["ok"], sent["status"], sent["is_repeat"]) == (True, "accepted", False)
    assert json.loads(run("status", sent["id"], "--json").stdout)["id"] == sent["id"]

    early = run("result", sent["id"], "--json")
    assert (early.exit_code, json.loads(early.stdout)["result"]) == (1, None)


def test_result_tells_where_the_system_stands(run, signed_in, system, predictions):
    sent = json.loads(submit(run, predictions, "--json").stdout)
    publish_at_cut_off()

    told = run("result", sent["id"])
    assert told.exit_code == 0, told.output
    assert "Larch leads." in told.stdout
    assert json.loads(run("result", sent["id"], "--json").stdout)["result"]["rank"] == 1


def test_a_team_registers_with_the_code_and_hands_in_afterwards(run, signed_in, predictions, system, toy):
    set_code(benchmark=toy, code="Spring-2027")
    refused = submit(run, predictions)
    assert (refused.exit_code, "code" in refused.stderr) == (2, True), refused.stderr

    wrong = run("register", "toy", system.team.name, "--code", "Autumn")
    assert (wrong.exit_code, "This is not the code of a benchmark called toy." in wrong.stderr) == (2, True)

    asked = run("register", "toy", system.team.name, input="Spring-2027\n")
    assert asked.exit_code == 0, asked.output
    assert f"{system.team.name} takes part in toy." in asked.stdout
    assert submit(run, predictions).exit_code == 0
