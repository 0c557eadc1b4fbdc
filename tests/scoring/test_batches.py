"""Weekly batches: closed once, at the right instant, with everything that belongs to them."""

import datetime as dt
from functools import partial
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from benchmarks.models import Phase
from leaderboard.models import Release
from scoring.gold.versions import load_gold
from scoring.models import Batch, BatchEntry, ScoringRun
from scoring.queue.batches import close_due, close_now, finish_batches
from scoring.queue.runs import score_all_due
from scoring.queue.wanted_runs import DEADLINE
from submissions.models import PredictionCodes, Submission, System
from submissions.systems.status_transitions import disqualify, withdraw
from tests.conftest import NOW, TOY_GOLD
from tests.post import sent
from tests.slots import slots_used
from tests.threads import at_once
from tests.weeks import CUT_OFF, HALF_WRONG, WEEK, board, run_batch, status_of, systems_on, upload

pytestmark = pytest.mark.postgres

HOUR = dt.timedelta(hours=1)


def batches_closed() -> list[dt.datetime]:
    return list(Batch.objects.order_by("cut_off_at").values_list("cut_off_at", flat=True))


@pytest.mark.django_db(transaction=True)
def test_eight_beats_at_once_close_one_batch(system, phase):
    upload(system, phase)

    closed = at_once([partial(close_due, CUT_OFF)] * 8)

    assert sorted(map(len, closed)) == [0] * 7 + [1]
    assert BatchEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_eight_sweeps_at_once_finish_a_batch_once(system, phase):
    upload(system, phase)
    close_due(CUT_OFF)
    ScoringRun.objects.update(status="failed", error="internal")

    finished = at_once([partial(finish_batches, CUT_OFF)] * 8)

    assert sorted(map(len, finished)) == [0] * 7 + [1]
    assert len(sent()) == 1
    assert slots_used(team=system.team, phase=phase, at=NOW) == 0


def test_all_failures_of_a_batch_are_told_a_person_in_one_mail(system, phase):
    upload(system, phase)
    upload(system, phase, mood=HALF_WRONG)
    close_due(CUT_OFF)
    ScoringRun.objects.update(status="failed", error="internal")

    finish_batches(CUT_OFF)

    assert [message.subject for message in sent()] == ["Toy: 2 submissions could not be scored"]


def test_what_was_withdrawn_while_it_was_scored_is_not_told_as_a_failure(system, phase, owner):
    submission = upload(system, phase)
    close_due(CUT_OFF)
    ScoringRun.objects.update(status="failed", error="internal")
    withdraw(submission=submission, user=owner, now=CUT_OFF)

    finish_batches(CUT_OFF)

    assert sent() == []


def test_nothing_is_closed_a_microsecond_before_the_cut_off(system, phase):
    upload(system, phase)
    assert close_due(CUT_OFF - dt.timedelta(microseconds=1)) == []


def test_an_outage_of_three_weeks_closes_every_cut_off_in_turn(phase):
    close_due(CUT_OFF + 2 * WEEK + HOUR)

    assert batches_closed() == [CUT_OFF, CUT_OFF + WEEK, CUT_OFF + 2 * WEEK]
    phase.refresh_from_db()
    assert phase.next_cut_off_at == CUT_OFF + 3 * WEEK


def test_what_waited_through_an_outage_is_scored_rather_than_overdue(system, phase):
    submission = upload(system, phase)
    after = CUT_OFF + 2 * WEEK + HOUR
    close_due(after)

    finish_batches(after)  # the sweep may look before a worker has begun
    score_all_due(after)
    run_batch(after)

    assert status_of(submission) == Submission.Status.PUBLISHED


def test_a_batch_that_found_no_worker_for_a_day_is_scored_when_one_comes(system, phase):
    submission = upload(system, phase)
    close_due(CUT_OFF)

    finish_batches(CUT_OFF + 24 * HOUR)
    run_batch(CUT_OFF + 24 * HOUR)

    assert status_of(submission) == Submission.Status.PUBLISHED


def test_an_upload_of_each_week_of_an_outage_lands_in_its_own_batch(system, phase):
    first, third = upload(system, phase), upload(system, phase, mood=HALF_WRONG, at=CUT_OFF + WEEK + HOUR)

    close_due(CUT_OFF + 2 * WEEK)

    assert BatchEntry.objects.get(submission=first).batch.cut_off_at == CUT_OFF
    assert BatchEntry.objects.get(submission=third).batch.cut_off_at == CUT_OFF + 2 * WEEK


@pytest.fixture
def berlin(phase: Phase) -> Phase:
    """Closed on Sundays at 02:30 in Berlin: an hour that one Sunday skips and another has twice."""
    phase.timezone, phase.weekday, phase.time = "Europe/Berlin", 6, dt.time(2, 30)
    phase.next_cut_off_at = phase.cut_off_after(dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    phase.save()
    return phase


def ask_again_and_again(weeks: int) -> list[dt.datetime]:
    """Ask every twelve hours whether a cut-off is due; each must be closed at the first question after it."""
    start, pause = dt.datetime(2026, 1, 1, tzinfo=dt.UTC), 12 * HOUR
    for question in range(weeks * 14):
        now = start + question * pause
        assert all(now - pause < batch.cut_off_at <= now for batch in close_due(now))
    return batches_closed()


@pytest.mark.thorough
def test_two_years_of_cut_offs_in_berlin_have_no_gap_and_no_double(berlin):
    closed = [instant.astimezone(ZoneInfo("Europe/Berlin")) for instant in ask_again_and_again(weeks=104)]

    assert len(closed) == 104
    days = [instant.date() for instant in closed]
    assert all(later - earlier == WEEK for earlier, later in pairwise(days))


@pytest.mark.thorough
def test_cut_offs_in_berlin_keep_to_the_clock_on_the_wall(berlin):
    closed = [instant.astimezone(ZoneInfo("Europe/Berlin")) for instant in ask_again_and_again(weeks=44)]

    odd = [instant.isoformat() for instant in closed if instant.time() != dt.time(2, 30) or instant.fold]
    assert odd == ["2026-03-29T03:30:00+02:00"]  # 02:30 does not exist on that day
    assert "2026-10-25T02:30:00+02:00" in [instant.isoformat() for instant in closed]  # the first of two


def test_an_upload_that_began_in_time_and_ended_late_is_taken_into_the_next_batch(system, phase):
    close_due(CUT_OFF)
    late = upload(system, phase, at=CUT_OFF - HOUR)

    run_batch(CUT_OFF + WEEK)

    assert status_of(late) == Submission.Status.PUBLISHED
    assert BatchEntry.objects.get().batch.cut_off_at == CUT_OFF + WEEK


def test_an_upload_at_the_cut_off_waits_for_the_next_one(system, phase):
    upload(system, phase, at=CUT_OFF)
    run_batch(CUT_OFF)
    assert not Release.objects.exists()


def test_a_week_without_uploads_makes_no_release(phase):
    run_batch(CUT_OFF)

    assert Batch.objects.get().status == Batch.Status.EMPTY
    assert not Release.objects.exists()


def test_closing_by_hand_makes_a_release_even_without_uploads(phase):
    close_now(phase=phase, now=NOW)
    run_batch(NOW)
    assert Release.objects.get().number == 1


def test_closing_by_hand_takes_what_was_accepted_so_far(system, phase):
    before, after = upload(system, phase), upload(system, phase, mood=HALF_WRONG, at=NOW + HOUR)

    close_now(phase=phase, now=NOW + HOUR / 2)

    assert (status_of(before), status_of(after)) == (Submission.Status.SCORING, Submission.Status.ACCEPTED)


def test_closing_by_hand_leaves_the_schedule_alone(system, phase):
    close_now(phase=phase, now=NOW)
    upload(system, phase, at=NOW + HOUR)

    run_batch(CUT_OFF)

    assert systems_on(board()) == ["Larch"]


@pytest.mark.parametrize("end", ["withdraw", "disqualify"])
def test_a_submission_ended_before_the_cut_off_is_not_scored(system, phase, owner, end):
    submission = upload(system, phase)
    _end(submission, end, owner, NOW + HOUR)

    run_batch(CUT_OFF)

    assert not ScoringRun.objects.exists()
    assert not Release.objects.exists()


@pytest.mark.parametrize("end", ["withdraw", "disqualify"])
def test_a_submission_ended_after_publication_leaves_the_next_release(system, phase, owner, end):
    submission = upload(system, phase)
    run_batch(CUT_OFF)
    _end(submission, end, owner, CUT_OFF + HOUR)

    run_batch(CUT_OFF + WEEK)

    assert systems_on(board()) == []
    assert systems_on(board("/benchmarks/toy/releases/1.json")) == ["Larch"]


def _end(submission: Submission, end: str, user: Any, now: dt.datetime) -> None:
    if end == "withdraw":
        withdraw(submission=submission, user=user, now=now)
    else:
        disqualify(submission=submission, reason="Copied.", now=now)


def test_a_submission_withdrawn_while_it_is_scored_is_not_published(system, phase, owner):
    submission = upload(system, phase)
    close_due(CUT_OFF)
    withdraw(submission=submission, user=owner, now=CUT_OFF)

    run_batch(CUT_OFF)

    assert status_of(submission) == Submission.Status.WITHDRAWN
    assert systems_on(board()) == []


def test_gold_labels_replaced_during_the_batch_do_not_empty_the_board(system, phase):
    upload(system, phase)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)

    _load_other_gold(phase)
    for _ in range(2):
        run_batch(CUT_OFF + HOUR)

    assert board()["rows"][0]["cells"]["mood"]["value"] < 1


def test_gold_labels_replaced_before_publication_by_hand_do_not_empty_the_board(system, phase):
    Phase.objects.update(publish_automatically=False)
    upload(system, phase)
    run_batch(CUT_OFF)
    _load_other_gold(phase)
    Phase.objects.update(publish_automatically=True)

    for _ in range(3):
        run_batch(CUT_OFF + HOUR)

    assert board()["rows"][0]["cells"]["mood"]["value"] < 1


def test_what_stands_on_a_board_and_could_not_be_scored_anew_is_tried_again_at_the_next_closing(
    system, phase
):
    submission = upload(system, phase)
    run_batch(CUT_OFF)
    codes = PredictionCodes.objects.filter(predictions__submission=submission)
    packed = dict(codes.values_list("pk", "packed"))
    _load_other_gold(phase)
    codes.update(packed=b"x")
    run_batch(CUT_OFF + WEEK)
    assert ScoringRun.objects.filter(status="failed").exists()
    for key, whole in packed.items():
        codes.filter(pk=key).update(packed=whole)

    close_now(phase=phase, now=CUT_OFF + WEEK + WEEK / 2)

    assert not ScoringRun.objects.filter(status="failed").exists()


def _load_other_gold(phase: Phase) -> None:
    task = phase.benchmark.tasks.get(slug="mood")
    data = TOY_GOLD["mood"].replace(b"m6,bad", b"m6,good")
    load_gold(task=task, data=data, file_name="mood.csv", now=CUT_OFF + HOUR)


def test_runs_have_their_whole_time_after_a_late_closing(system, phase):
    upload(system, phase)
    close_due(CUT_OFF + 12 * HOUR)
    assert {run.deadline_at for run in ScoringRun.objects.all()} == {CUT_OFF + 12 * HOUR + DEADLINE}


def test_two_systems_of_a_team_are_scored_in_one_batch(system, phase, team):
    upload(system, phase)
    upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase)

    run_batch(CUT_OFF)

    assert sorted(systems_on(board())) == ["Fir", "Larch"]
