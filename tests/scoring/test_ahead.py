"""What waits for its cut-off is scored before it: publication alone is left for then, and nothing shows earlier."""

import datetime as dt

from leaderboard.models import Release
from leaderboard.publication.services import publish_ready, refresh_stale
from leaderboard.take_home.score_tables import score_rows
from scoring.models import Batch, Score, ScoringRun
from scoring.queue import ahead
from scoring.queue.ahead import score_ahead
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import Predictions, Submission, System
from submissions.systems.status_transitions import withdraw
from tests.api.conftest import client_of
from tests.conftest import NOW
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, HALF_WRONG, WEEK, run_batch, upload

MINUTE = dt.timedelta(minutes=1)


def scored_ahead(now=NOW + MINUTE):
    made = score_ahead(now)
    score_all_due(now)
    return made


def test_at_the_cut_off_nothing_is_left_to_score_and_the_numbers_are_those_of_later(system, phase):
    ahead = upload(system, phase, mood=HALF_WRONG)
    assert scored_ahead() == [ahead.pk]
    other = System.objects.create(team=system.team, name="Other", created_at=NOW)
    later = upload(other, phase, mood=HALF_WRONG, at=CUT_OFF - MINUTE)

    close_due(CUT_OFF)
    assert set(ScoringRun.objects.open().values_list("submission", flat=True)) == {later.pk}
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    publish_ready(CUT_OFF)

    assert Release.objects.count() == 1
    assert numbers_of(ahead) == numbers_of(later) != []


def numbers_of(submission):
    scores = Score.objects.filter(run__submission=submission).order_by("run__split", "metric")
    return list(scores.values_list("run__split", "metric", "value", "undefined", "ci_low", "ci_high"))


def test_nothing_of_it_shows_before_the_cut_off(system, phase, owner):
    submission = upload(system, phase)
    browser, client = browser_of(owner), client_of(owner)
    addresses = [
        f"/submissions/{submission.pk}/",
        "/submissions/",
        f"/systems/{system.pk}/",
        "/benchmarks/toy/",
    ]
    refresh_stale()

    def seen():
        pages = [text_of(answer) for url in addresses if (answer := browser.get(url)).status_code == 200]
        return [*pages, client.get(f"/api/v1/submissions/{submission.pk}/").json()]

    before = seen()
    assert scored_ahead()

    submission.refresh_from_db()
    assert submission.status == Submission.Status.ACCEPTED
    assert Score.objects.exists()
    assert seen() == before
    assert list(score_rows(phase.benchmark)) == []  # what organisers take home


def test_what_is_withdrawn_in_time_leaves_no_trace(system, phase, owner):
    upload(system, phase)
    run_batch(CUT_OFF)
    taken_back = upload(system, phase, mood=HALF_WRONG, at=CUT_OFF + MINUTE)
    assert scored_ahead(CUT_OFF + 2 * MINUTE) == [taken_back.pk]

    withdraw(submission=taken_back, user=owner, now=CUT_OFF + 3 * MINUTE)
    run_batch(CUT_OFF + WEEK)
    refresh_stale()

    assert Release.objects.count() == 1
    assert "ithdrawn" not in text_of(browser_of(owner).get(f"/systems/{system.pk}/"))


def test_what_comes_in_after_a_cut_off_holds_up_no_batch(system, phase):
    upload(system, phase)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    upload(system, phase, mood=HALF_WRONG, at=CUT_OFF + MINUTE)
    assert score_ahead(CUT_OFF + MINUTE)  # which nobody scores

    assert [batch.status for batch in finish_batches(CUT_OFF + MINUTE)]
    assert Batch.objects.get().status == Batch.Status.SCORED


def test_what_cannot_be_scored_yet_keeps_nobody_waiting(system, phase, monkeypatch):
    monkeypatch.setattr(ahead, "TAKEN_AT_ONCE", 1)
    without_gold = upload(system, phase)
    other = System.objects.create(team=system.team, name="Other", created_at=NOW)
    later = upload(other, phase, mood=HALF_WRONG, at=NOW + MINUTE)
    Predictions.objects.filter(submission=without_gold).delete()
    assert scored_ahead(NOW + 2 * MINUTE) == [later.pk]
