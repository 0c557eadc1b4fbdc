"""A release says row by row what happened since the one before it, and why."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.services import create_team
from benchmarks.models import Benchmark
from leaderboard.models import Page, Release
from leaderboard.publication.visibility import hide_names
from scoring.gold.versions import load_gold
from submissions.models import System
from submissions.systems.status_transitions import disqualify, withdraw
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.pages import text_of
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

BETWEEN = CUT_OFF + WEEK / 7
PATH = "/benchmarks/toy/releases/2/"


def log() -> dict[str, list[dict[str, Any]]]:
    """The changes of the second release by the name of the system, as its file tells them."""
    found = json.loads(bytes(Page.objects.get(pk=f"{PATH}changes.json").body))
    assert found["since"] == 1
    return {row["system"]: row["changes"] for row in found["systems"]}


def change(kind: str, *tasks: str, step: str = "", reason: str = "") -> dict[str, Any]:
    return {"kind": kind, "step": step, "reason": reason, "tasks": list(tasks)}


@pytest.fixture
def rival(outsider: Any) -> System:
    team = create_team(name="South", founder=outsider, now=NOW)
    return System.objects.create(team=team, name="Birch", created_at=NOW)


@pytest.fixture
def first(toy: Benchmark, phase: Any, system: System) -> Any:
    """One release with Larch on it."""
    sent = upload(system, phase)
    run_batch(CUT_OFF)
    return sent


def test_a_first_release_has_no_log(first):
    assert "changes" not in Release.objects.get().reports
    assert "change-log" not in text_of(Client().get("/benchmarks/toy/releases/1/"))


def test_a_new_row_entered_and_one_that_stays_is_not_named(first, phase, rival):
    upload(rival, phase, at=BETWEEN)
    run_batch(CUT_OFF + WEEK)
    assert log() == {"Birch": [change("entered", "mood", "colour")]}


def test_another_submission_is_told_as_such_with_both_ranks_and_is_no_correction(first, phase, system):
    upload(system, phase, mood=ONE_WRONG, at=BETWEEN)
    run_batch(CUT_OFF + WEEK)
    assert log() == {"Larch": [change("replaced", "mood", "colour")]}
    (row,) = Release.objects.get(number=2).reports["changes"]["systems"]
    assert (row["rank_before"], row["rank"]) == (1, 1)
    told = text_of(Client().get(PATH)).partition('id="change-log"')[2]
    assert ">another submission</td>" in told
    assert "corrected" not in told
    assert ">Reason<" not in told


def test_a_withdrawn_row_is_named(first, phase, system, rival, owner):
    upload(rival, phase, at=BETWEEN)
    withdraw(submission=first, user=owner, now=BETWEEN)
    run_batch(CUT_OFF + WEEK)
    assert log()["Larch"] == [change("withdrawn", "mood", "colour")]
    page = text_of(Client().get(PATH))
    assert ">withdrawn</td>" in page.partition('id="change-log"')[2]


def test_a_disqualified_answer_is_told_beside_the_one_that_took_its_place(first, phase, system):
    upload(system, phase, mood=ONE_WRONG, at=BETWEEN)
    disqualify(submission=first, reason="Copied.", now=BETWEEN)
    run_batch(CUT_OFF + WEEK)
    assert log()["Larch"] == [
        change("disqualified", "mood", "colour", reason="Copied."),
        change("replaced", "mood", "colour"),
    ]


def test_new_gold_labels_score_anew_with_the_note_of_the_organiser(first, toy):
    corrected = TOY_GOLD["mood"].replace(b"m5,good", b"m5,bad")
    task = toy.tasks.get(slug="mood")
    load_gold(task=task, data=corrected, file_name="g.csv", now=BETWEEN, note="Read wrongly.")
    run_batch(CUT_OFF + WEEK)
    assert log() == {"Larch": [change("gold", "mood", step="1 → 2", reason="Read wrongly.")]}
    assert "re-scored: gold labels, version 1 → 2" in text_of(Client().get(PATH))
    assert ">Read wrongly.</td>" in text_of(Client().get(PATH))


def test_another_metric_of_a_task_scores_anew(first, sync):
    sync(TOY_DEFINITION.replace("{id: mood,", "{id: mood, metrics: [{name: accuracy, title: Accuracy}],"))
    run_batch(CUT_OFF + WEEK)
    assert log() == {"Larch": [change("scorer", "mood", step="1.1 → 1.2")]}


def test_of_an_anonymous_system_neither_name_nor_reason_is_told(toy, phase, system, rival):
    hide_names(toy)
    phase.refresh_from_db()
    sent = upload(system, phase)
    upload(rival, phase)
    run_batch(CUT_OFF)
    disqualify(submission=sent, reason="North copied it.", now=BETWEEN)
    run_batch(CUT_OFF + WEEK)
    told = bytes(Page.objects.get(pk=f"{PATH}changes.json").body).decode() + text_of(Client().get(PATH))
    assert "disqualified" in told
    assert [one for one in ("North", "Larch", str(system.pk)) if one in told] == []
    assert set(log()) <= {"System 1", "System 2"}


def test_a_log_stays_as_it_was_frozen(first, phase, system, owner):
    sent = upload(system, phase, mood=ONE_WRONG, at=BETWEEN)
    run_batch(CUT_OFF + WEEK)
    before = log()
    withdraw(submission=sent, user=owner, now=CUT_OFF + WEEK)
    run_batch(CUT_OFF + 2 * WEEK)
    assert log() == before
