"""A clock that was a year ahead for a while, and is right again: nothing waits until that year has passed."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from accounts.mail.outbox import Letter, put_in_post, send_due
from accounts.models import Mail, MailKind, Sweep
from accounts.server.worker_rounds import late_rounds
from leaderboard import jobs
from leaderboard.models import Release, Webhook, WebhookDelivery
from leaderboard.webhooks.messages import write_messages
from operations.models import Begun
from operations.rounds import BACKUP, begin
from scoring.models import ScoringRun
from scoring.queue.batches import close_due
from scoring.queue.runs import score_all_due, take_hints
from submissions.models import Submission
from tests.conftest import NOW
from tests.weeks import CUT_OFF, run_batch, upload

pytestmark = pytest.mark.django_db
AHEAD = NOW + dt.timedelta(days=365)
MINUTE = dt.timedelta(minutes=1)


def note(name: str, at: dt.datetime) -> None:
    Sweep.objects.create(name=name, seen_at=at, late_after_seconds=60)


def test_a_backup_is_made_although_one_seems_to_have_been_made_in_a_year():
    note(BACKUP, AHEAD)
    Begun.objects.create(name=BACKUP, at=AHEAD)
    assert begin(BACKUP, NOW)
    assert not begin(BACKUP, NOW + MINUTE)


@pytest.fixture
def forget_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.datetime], None]:
    """A round of forgetting while the database's clock says so."""

    def forget(now: dt.datetime) -> None:
        monkeypatch.setattr(jobs, "database_now", lambda: now)
        jobs.forget()

    return forget


def sign_in(ends: dt.datetime) -> None:
    Session.objects.create(session_key=f"{ends:%s}", session_data="", expire_date=ends)


def test_what_ends_in_weeks_outlives_hours_in_which_the_clock_was_a_year_ahead(db, forget_at):
    forget_at(NOW)
    sign_in(NOW + dt.timedelta(days=14))
    for hours in range(6):
        forget_at(AHEAD + dt.timedelta(hours=hours))
    forget_at(NOW + dt.timedelta(hours=6))
    assert Session.objects.exists()
    forget_at(NOW + dt.timedelta(hours=7))
    assert not late_rounds(NOW + dt.timedelta(hours=7))


def test_what_has_ended_is_forgotten_although_no_worker_ran_for_weeks(db, forget_at):
    forget_at(NOW)
    sign_in(NOW + dt.timedelta(days=14))
    back = NOW + dt.timedelta(days=20)
    for hours in range(20):
        forget_at(back + dt.timedelta(hours=hours))
    assert not Session.objects.exists()


def test_a_withdrawn_file_outlives_hours_in_which_the_clock_was_ahead(db, forget_at, monkeypatch):
    forget_at(NOW)
    asked: list[dt.datetime] = []
    monkeypatch.setattr(jobs, "remove_withdrawn", asked.append)
    monkeypatch.setattr(jobs, "database_now", lambda: AHEAD)
    jobs.remove_files()
    assert asked[0] < NOW + dt.timedelta(days=2)


def test_mail_that_was_written_or_refused_then_is_sent_now(owner, mailoutbox):
    letters = [Letter(owner, "Toy, release 1", "Text.")]
    put_in_post(kind=MailKind.PUBLICATION, about="publication:toy:1", letters=letters, now=AHEAD)
    assert send_due(NOW) == 1
    assert len(mailoutbox) == 1


def test_a_mail_that_was_being_sent_then_is_given_up_as_ever(owner, mailoutbox):
    letters = [Letter(owner, "Toy, release 1", "Text.")]
    put_in_post(kind=MailKind.PUBLICATION, about="publication:toy:1", letters=letters, now=NOW)
    Mail.objects.update(status="sending", due_at=AHEAD)
    send_due(NOW)
    assert (Mail.objects.get().status, mailoutbox) == ("failed", [])


def test_a_run_that_a_worker_took_then_is_scored_now(toy: Any, system: Any):
    upload(system, toy.phases.get())
    close_due(CUT_OFF)
    ScoringRun.objects.update(hinted_at=AHEAD, lease_expires_at=AHEAD)
    assert take_hints(CUT_OFF, limit=10)
    assert score_all_due(CUT_OFF)
    assert not ScoringRun.objects.open().exists()


def test_webhooks_are_told_of_what_happens_now(toy: Any, system: Any):
    before = NOW - MINUTE
    hook = Webhook.objects.create(
        benchmark=toy, url="https://example.org/", made_at=before, looked_until=before
    )
    write_messages(AHEAD)
    upload(system, toy.phases.get())
    write_messages(NOW + MINUTE)
    assert WebhookDelivery.objects.filter(webhook=hook).count() == 1


def test_a_cut_off_that_was_closed_too_early_is_released_once_and_takes_no_later_upload_away(
    toy: Any, system: Any
):
    phase = toy.phases.get()
    upload(system, phase)
    run_batch(CUT_OFF + MINUTE)
    assert Release.objects.count() == 1
    late = upload(system, phase, mood="bad bad bad bad bad bad", at=NOW + MINUTE)
    run_batch(NOW + 2 * MINUTE)
    assert Release.objects.count() == 1
    run_batch(CUT_OFF + MINUTE)
    run_batch(CUT_OFF + dt.timedelta(days=8))
    assert Submission.objects.get(pk=late.pk).status == "published"
