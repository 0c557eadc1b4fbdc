"""Closing a phase by hand that has one cut-off ends it: one close, one handover, nothing lost."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from benchmarks.models import Benchmark, Phase
from benchmarks.services import follow_close, reschedule
from leaderboard.models import Release
from scoring.gold.versions import load_gold
from scoring.models import Batch, BatchEntry
from scoring.queue.batches import CannotClose, close_due, close_now
from submissions.exceptions import PhaseClosed
from submissions.models import Submission, System
from submissions.systems.status_transitions import follow_schedule
from tests.conftest import NOW
from tests.games import AFTERWARDS, BREAK_CLOSES, BUILD_CLOSES, IN_BREAK, IN_BUILD, IN_SCORE, SCORE_CLOSES
from tests.phases import THREE_RIGHT, TONE_GOLD, answer, build, fresh, labels_file, make_set
from tests.threads import at_once
from tests.weeks import run_batch, status_of

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db]
DAY = dt.timedelta(days=1)


def test_it_is_over_and_what_follows_opens_at_that_instant(games, system):
    submission = build(system, games)
    batch = close_now(phase=fresh(games, "build"), now=IN_BUILD + DAY)
    assert batch is not None
    assert [entry.submission for entry in batch.entries.all()] == [submission]
    assert fresh(games, "build").closes_at == fresh(games, "break").opens_at == IN_BUILD + DAY
    assert fresh(games, "break").closes_at == BREAK_CLOSES
    assert fresh(games, "break").next_cut_off_at == BREAK_CLOSES


def test_nothing_is_taken_afterwards(games, system):
    close_now(phase=fresh(games, "build"), now=IN_BUILD)
    with pytest.raises(PhaseClosed):
        build(system, games, at=IN_BUILD)


def test_its_date_passes_without_another_batch_or_release(games, system):
    games.phases.update(publish_automatically=True)
    build(system, games)
    close_now(phase=fresh(games, "build"), now=IN_BUILD + DAY)
    for day in range(20):
        run_batch(IN_BUILD + day * DAY)
    assert Batch.objects.count() == Release.objects.count() == 1


def test_break_phase_is_closed_without_a_batch(games):
    assert close_now(phase=fresh(games, "break"), now=IN_BREAK) is None
    assert fresh(games, "break").closes_at == fresh(games, "score").opens_at == IN_BREAK
    assert not Batch.objects.exists()


def test_break_phase_that_is_over_cannot_be_closed_again(games):
    with pytest.raises(CannotClose, match="Break closed on Wed 16 Dec 2026, 12:00 UTC already"):
        close_now(phase=fresh(games, "break"), now=IN_SCORE)


def test_phase_that_has_not_opened_cannot_be_closed(games):
    with pytest.raises(CannotClose, match="Score opens on Wed 16 Dec 2026, 12:00 UTC"):
        close_now(phase=fresh(games, "score"), now=IN_BUILD)
    assert fresh(games, "score").closes_at == SCORE_CLOSES


def test_weekly_phase_goes_on(phase):
    before = Phase.objects.values().get()
    close_now(phase=phase, now=NOW)
    assert Phase.objects.values().get() == before


def test_phase_that_is_over_makes_a_batch_of_corrections_and_keeps_its_dates(games, system):
    games.phases.update(publish_automatically=True)
    build(system, games, THREE_RIGHT)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games)
    run_batch(SCORE_CLOSES)
    data = labels_file(TONE_GOLD | {"d4": "1"})
    load_gold(
        task=games.tasks.get(slug="tone"), data=data, file_name="d.csv", now=AFTERWARDS, split_slug="dev"
    )
    close_now(phase=fresh(games, "score"), now=AFTERWARDS)
    run_batch(AFTERWARDS)
    assert Release.objects.latest("number").phase.kind == "score"
    assert Release.objects.count() == 3
    assert fresh(games, "score").closes_at == SCORE_CLOSES


def test_upload_under_way_while_it_is_closed_is_scored_with_the_next_sweep(games, system):
    phase = fresh(games, "build")
    close_now(phase=phase, now=IN_BUILD + DAY)
    late = build(system, games, at=IN_BUILD)  # it was sent before, and had seen the old date
    Submission.objects.update(cut_off_at=BUILD_CLOSES)
    run_batch(IN_BUILD + DAY + dt.timedelta(seconds=10))
    assert status_of(late) == Submission.Status.PUBLISHED


# Two at once


@pytest.mark.django_db(transaction=True)
def test_eight_organisers_at_once_close_once_and_the_others_are_told(games, system):
    submission = build(system, games)
    now = IN_BUILD + DAY
    seen = fresh(games, "build")
    done = at_once([partial(close_now, phase=seen, now=now + n * dt.timedelta(seconds=1)) for n in range(8)])
    assert sorted(type(one).__name__ for one in done) == ["Batch"] + ["CannotClose"] * 7
    assert BatchEntry.objects.get().submission == submission
    assert fresh(games, "build").closes_at == fresh(games, "break").opens_at


@pytest.mark.django_db(transaction=True)
def test_organiser_and_sweep_at_the_close_make_one_handover_and_lose_nothing(games, system):
    submission = build(system, games)
    at = BUILD_CLOSES + dt.timedelta(seconds=1)
    seen = fresh(games, "build")
    at_once([partial(close_due, at)] * 3 + [partial(close_now, phase=seen, now=at)])
    assert BatchEntry.objects.get().submission == submission
    assert fresh(games, "break").opens_at == BUILD_CLOSES == fresh(games, "build").closes_at


def _move(phase: Phase, closes_at: dt.datetime, now: dt.datetime) -> list[Phase]:
    """As the form for a phase does it."""
    with transaction.atomic():
        before = Phase.objects.select_for_update().get(pk=phase.pk)
        Phase.objects.filter(pk=phase.pk).update(closes_at=closes_at)
        phase.refresh_from_db()
        reschedule(phase=phase, now=now)
        phase.refresh_from_db()
        follow_schedule(phase=phase, now=now)
        return follow_close(phase=phase, closed_before=before.closes_at, now=now)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("closing", ["sweep", "organiser"])
def test_date_moved_while_somebody_closes_leaves_one_handover(games, system, closing):
    submission = build(system, games)
    at, later = BUILD_CLOSES + dt.timedelta(seconds=1), BUILD_CLOSES + DAY
    seen = fresh(games, "build")
    act: Callable[[], Any] = partial(close_due, at)
    if closing == "organiser":
        at = BUILD_CLOSES - DAY
        act = partial(close_now, phase=seen, now=at)
    at_once([act, partial(_move, fresh(games, "build"), later, at)])
    for day in range(3):
        run_batch(later + day * DAY)
    build_phase, breaking = fresh(games, "build"), fresh(games, "break")
    assert build_phase.closes_at == breaking.opens_at
    assert build_phase.closes_at in (at, later)
    assert BatchEntry.objects.get().submission == submission
    assert status_of(submission) == Submission.Status.PUBLISHED


@pytest.mark.django_db(transaction=True)
def test_uploads_while_it_is_closed_are_all_scored_or_refused(games: Benchmark, team: Any):
    now = IN_BUILD + DAY
    systems = [System.objects.create(team=team, name=f"S{n}", created_at=NOW) for n in range(4)]
    uploads = [partial(build, one, games, at=now - dt.timedelta(seconds=1)) for one in systems]
    found = at_once([*uploads, partial(close_now, phase=fresh(games, "build"), now=now)])
    run_batch(now + dt.timedelta(seconds=10))
    run_batch(now + dt.timedelta(seconds=20))
    taken = [one for one in found[:-1] if isinstance(one, Submission)]
    assert taken
    assert {status_of(one) for one in taken} == {Submission.Status.PUBLISHED}
