"""Scores right after an upload, where a phase gives them: to the team alone, apart from releases."""

import datetime as dt

import pytest

from benchmarks.models import Phase
from benchmarks.spec.document import DefinitionError
from leaderboard.models import Release
from scoring.disclosure.told_answers import feedback_on
from scoring.models import ScoringRun
from scoring.queue.feedback import make_feedback_runs, tell_feedback
from scoring.queue.runs import score_together
from submissions.exceptions import QuotaUsedUp
from submissions.quota.slots import quotas
from submissions.systems.status_transitions import withdraw
from tests.api.conftest import client_of
from tests.conftest import NOW, synced
from tests.pages import browser_of, text_of
from tests.phase_targets.conftest import DEFINITION
from tests.weeks import run_batch

pytestmark = pytest.mark.postgres
SECONDS, HOUR = dt.timedelta(seconds=2), dt.timedelta(hours=1)
FOR_EVALUATION = "    targets: [{task: mood, split: test"


@pytest.fixture
def telling(development):
    Phase.objects.filter(pk=development.pk).update(feedback="immediate")
    development.refresh_from_db()
    return development


def score_at_once(now):
    for submission in make_feedback_runs(now):
        score_together([submission], now=now)
    tell_feedback(now)


def test_a_team_reads_its_scores_before_any_release(send, telling, owner, outsider):
    sent = send("mood", turned=1)
    page = f"/submissions/{sent.pk}/"
    assert "as a rule within ten seconds" in text_of(browser_of(owner).get(page))

    score_at_once(NOW + SECONDS)

    sent.refresh_from_db()
    (score,) = feedback_on(sent) or []
    assert (score.task.slug, score.split, score.metric, score.value) == ("mood", "dev", "accuracy", 0.75)
    assert 'Mood <small>dev</small></th><td class="number">.750' in text_of(browser_of(owner).get(page))
    assert "Only your team reads these." in text_of(browser_of(owner).get(page))
    address = f"/api/v1/submissions/{sent.pk}/"
    assert client_of(owner).get(address).json()["feedback"] == [
        {"task": "mood", "split": "dev", "metric": "accuracy", "value": 0.75, "undefined": ""}
    ]
    assert client_of(outsider).get(address).status_code == 404
    assert not Release.objects.exists()


def test_the_batch_takes_the_scores_that_are_there(send, telling):
    sent = send("mood", turned=1)
    score_at_once(NOW + SECONDS)

    run_batch(dt.datetime(2026, 12, 1, tzinfo=dt.UTC))

    assert ScoringRun.objects.filter(submission=sent).count() == 1
    (release,) = Release.objects.all()
    assert release.boards["mood"]["rows"][0]["cells"]["mood@dev"]["value"] == 0.75


@pytest.mark.sqlite  # the clock of PostgreSQL cannot be set
def test_the_pages_say_what_is_told_when(send, telling, owner, time_machine):
    time_machine.move_to(NOW + 25 * HOUR, tick=False)
    first = send("mood")
    sent = send("mood", at=NOW + 24 * HOUR, turned=1)
    page = text_of(browser_of(owner).get(f"/submissions/{sent.pk}/"))
    assert "Your team reads its scores within seconds; the batch of the cut-off on Tue 1 Dec 2026" in page
    assert "slot is free again" not in page
    assert "replaces it wherever both answer." in text_of(browser_of(owner).get(f"/submissions/{first.pk}/"))


@pytest.mark.sqlite  # the clock of PostgreSQL cannot be set
def test_the_form_lists_the_latest_of_many_files_that_wait(send, telling, owner, time_machine):
    Phase.objects.filter(pk=telling.pk).update(quota_total=20)
    telling.refresh_from_db()
    for day in range(7):
        send("mood", at=NOW + 24 * day * HOUR, turned=day)
    time_machine.move_to(NOW + 7 * 24 * HOUR, tick=False)

    page = text_of(browser_of(owner).get("/submit/?benchmark=mixed"))

    assert page.count("A further file for Larch replaces it") == 5
    assert "And 2 earlier:" in page
    assert "8 <small>of 20 left" not in page
    assert "13 <small>of 20 left in this phase</small>" in page


def test_asking_twice_scores_once_and_other_phases_wait(send, telling, development):
    send("mood")
    assert len(make_feedback_runs(NOW + SECONDS)) == 1
    assert make_feedback_runs(NOW + 2 * SECONDS) == []
    Phase.objects.filter(pk=development.pk).update(feedback="none")
    assert make_feedback_runs(NOW + 2 * SECONDS) == []
    development.refresh_from_db()
    later = send("tone")
    assert (make_feedback_runs(NOW + SECONDS), feedback_on(later)) == ([], None)


def test_withdrawing_what_was_told_gives_no_slot_back(send, telling, owner, system):
    first = send("mood")
    score_at_once(NOW + SECONDS)
    page = text_of(browser_of(owner).get(f"/submissions/{first.pk}/withdraw/"))
    assert "The slot is not given back" in page
    withdraw(submission=first, user=owner, now=NOW + HOUR)

    with pytest.raises(QuotaUsedUp):
        send("mood", turned=1)

    (quota,) = quotas(owner, [system.team], [telling], NOW)
    assert [count.used for count in quota.counts] == [1, 1, 0]


@pytest.mark.parametrize("feedback", ["{when: immediate}", "{when: immediate, to: team}"])
def test_labels_that_are_sealed_are_told_nobody_upload_by_upload(db, feedback):
    with pytest.raises(DefinitionError) as refused:
        synced(DEFINITION.replace(FOR_EVALUATION, f"    feedback: {feedback}\n{FOR_EVALUATION}"))
    assert "Exact scores right after each upload would give the labels of mood/test away." in str(
        refused.value
    )


def test_a_definition_says_who_is_told_and_when(db):
    text = DEFINITION.replace(
        "    quota: {total: 4}\n", "    quota: {total: 4}\n    feedback: {when: immediate}\n"
    )
    assert synced(text).phases.get(slug="development").feedback == "immediate"
    with pytest.raises(DefinitionError, match="expected team: what everybody reads is a release"):
        synced(text.replace("{when: immediate}", "{when: immediate, to: everybody}"))
