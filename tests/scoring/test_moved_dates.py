"""Dates are moved after a cut-off has come: nothing is shown too early, and nothing waits longer than announced."""

import datetime as dt

import pytest
from django.urls import reverse

from benchmarks.models import Phase
from leaderboard.models import Release
from leaderboard.publication.services import publish_ready
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.date_shift import CannotShift, shift_dates
from scoring.queue.moved_dates import follow_dates
from scoring.queue.runs import score_all_due
from submissions.models import Submission
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.quiz import make_quiz, new_system, send
from tests.weeks import (
    CUT_OFF,
    HALF_WRONG,
    ONE_WRONG,
    WEEK,
    board,
    run_batch,
    status_of,
    systems_on,
    upload,
)

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
END = CUT_OFF + WEEK


def move_end(phase: Phase, closes_at: dt.datetime, now: dt.datetime) -> int:
    phase.closes_at = closes_at
    phase.save(update_fields=["closes_at"])
    return follow_dates(phase=phase, now=now)


def score_what_closed(now: dt.datetime) -> None:
    """As `run_batch`, without the release."""
    close_due(now)
    for _ in range(2):
        score_all_due(now)
        finish_batches(now)


@pytest.fixture
def sealed(sync, gold_keys) -> Phase:
    phase = make_quiz(sync, "sealed")
    move_end(phase, CUT_OFF, NOW)
    return phase


@pytest.mark.parametrize("closed", [close_due, score_what_closed])
def test_end_moved_before_the_release_shows_nothing_until_the_new_end(sealed, closed):
    send(new_system("Larch"), sealed, range(600), at=CUT_OFF - HOUR)
    closed(CUT_OFF)

    assert move_end(sealed, END, CUT_OFF + HOUR) == 1
    run_batch(CUT_OFF + HOUR)
    assert not Release.objects.exists()

    send(new_system("Oak"), sealed, range(300), at=CUT_OFF + 2 * HOUR)
    run_batch(END)
    assert systems_on(board("/benchmarks/quiz.json")) == ["Oak", "Larch"]
    assert Release.objects.count() == 1


def test_what_was_taken_back_may_be_withdrawn_and_its_slot_is_free(sealed):
    Phase.objects.filter(pk=sealed.pk).update(quota_limit=1)
    sealed.refresh_from_db()
    larch = new_system("Larch")
    first = send(larch, sealed, range(600), at=CUT_OFF - HOUR)
    score_what_closed(CUT_OFF)
    move_end(sealed, END, CUT_OFF + HOUR)

    first.refresh_from_db()
    assert (first.status, first.cut_off_at) == (Submission.Status.ACCEPTED, END)
    withdraw(submission=first, user=first.submitted_by, now=CUT_OFF + HOUR)
    assert send(larch, sealed, range(300), at=CUT_OFF + 2 * HOUR).cut_off_at == END


def test_a_batch_that_was_taken_back_says_so(sealed, client, django_user_model):
    send(new_system("Larch"), sealed, range(600), at=CUT_OFF - HOUR)
    score_what_closed(CUT_OFF)
    move_end(sealed, END, CUT_OFF + HOUR)
    client.force_login(django_user_model.objects.create_superuser(email="root@example.org", password=None))
    page = client.get(reverse("admin:scoring_batch_change", args=[Batch.objects.get().pk])).content.decode()
    assert "taken back, because the phase was opened again" in page


def test_organisers_read_how_many_wait_for_the_new_end(sealed, client, django_user_model, monkeypatch):
    send(new_system("Larch"), sealed, range(600), at=CUT_OFF - HOUR)
    score_what_closed(CUT_OFF)
    answer = extend(client, sealed, django_user_model, monkeypatch, weekday="", disclosure="sealed")
    page = client.get(answer.url).content.decode()
    assert "The last batch was not released. Submissions of it that wait for the new end: 1." in page


def test_last_batch_of_a_weekly_phase_is_not_the_last_one_once_its_end_was_moved(sync, gold_keys):
    phase = make_quiz(sync, "protected")
    move_end(phase, CUT_OFF, NOW)
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    close_due(CUT_OFF)
    move_end(phase, END, CUT_OFF + HOUR)
    run_batch(CUT_OFF + HOUR)
    assert board("/benchmarks/quiz.json")["disclosure"] == "protected"


@pytest.fixture
def ranked(sync, gold_keys) -> Phase:
    """A phase whose items kept back have ranked."""
    phase = make_quiz(sync, "protected")
    move_end(phase, CUT_OFF, NOW)
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return phase


def test_a_phase_whose_items_kept_back_rank_does_not_open_again_with_later_dates(ranked):
    with pytest.raises(CannotShift, match="Main is over, and its final is out or begun"):
        shift_dates(benchmark=ranked.benchmark, by=2 * WEEK, since=CUT_OFF, now=CUT_OFF + HOUR)


def extend(client, phase, users, monkeypatch, **changes):
    """An organiser moves the end to `END` in the admin, an hour after the close."""
    monkeypatch.setattr("scoring.admin.phases.database_now", lambda: CUT_OFF + HOUR)
    client.force_login(users.objects.create_superuser(email="root@example.org", password=None))
    form = {
        "title": "Main",
        "closes_at_0": f"{END:%Y-%m-%d}",
        "closes_at_1": "00:00:00",
        "weekday": "0",
        "time": "00:00:00",
        "timezone": "UTC",
        "quota_limit": "100",
        "editions_per_year": "0",
        "counting": "best",
        "one_per_team": "on",
        "feedback": "none",
        "disclosure": "protected",
        "confirmed": "yes",
    }
    return client.post(reverse("admin:benchmarks_phase_change", args=[phase.pk]), form | changes)


def test_nor_does_it_by_a_later_end_of_its_own(ranked, client, django_user_model, monkeypatch):
    answer = extend(client, ranked, django_user_model, monkeypatch)
    assert "It cannot open again; please add another phase." in " ".join(answer.content.decode().split())
    ranked.refresh_from_db()
    assert ranked.closes_at == CUT_OFF


def test_cut_off_that_no_sweep_has_closed_is_closed_before_the_schedule_changes(system, phase):
    first = upload(system, phase, mood=HALF_WRONG)
    late = upload(system, phase, mood=ONE_WRONG, at=CUT_OFF + HOUR)
    Phase.objects.update(weekday=3)
    follow_dates(phase=phase, now=CUT_OFF + 2 * HOUR)

    assert Batch.objects.get().cut_off_at == CUT_OFF
    assert [status_of(first), status_of(late)] == ["scoring", "accepted"]
    late.refresh_from_db()
    assert late.cut_off_at == CUT_OFF + dt.timedelta(days=3)


def test_one_cut_off_that_no_sweep_has_closed_just_moves(sealed):
    first = send(new_system("Larch"), sealed, range(600), at=CUT_OFF - HOUR)
    move_end(sealed, END, CUT_OFF + HOUR)
    first.refresh_from_db()
    assert (first.cut_off_at, Batch.objects.exists()) == (END, False)


def test_publishing_waits_for_the_new_end_also_at_the_organisers_word(sealed):
    Phase.objects.update(publish_automatically=False)
    send(new_system("Larch"), sealed, range(600), at=CUT_OFF - HOUR)
    score_what_closed(CUT_OFF)
    move_end(sealed, END, CUT_OFF + HOUR)
    Phase.objects.update(publish_automatically=True)
    assert publish_ready(CUT_OFF + HOUR) == []
