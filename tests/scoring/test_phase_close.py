"""A phase whose only cut-off is its close, as Affect in Tweets has it: one batch, one release, and then silence."""

import datetime as dt
from collections.abc import Callable

import pytest

from benchmarks.models import Benchmark, Phase
from leaderboard.models import Release
from scoring.gold.versions import load_gold
from scoring.models import Batch, ScoringRun
from scoring.queue.batches import close_due
from submissions.exceptions import PhaseClosed
from submissions.models import Submission
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.weeks import HALF_WRONG, WEEK, board, row_of, run_batch, status_of, systems_on, upload

pytestmark = pytest.mark.thorough

DAY = dt.timedelta(days=1)
CLOSE = NOW + 10 * DAY
WEEKLY = 'cut_off: {weekday: monday, time: "00:00", timezone: UTC}'
AT_CLOSE = "cut_off: {at: close, timezone: UTC}\n    lasts_days: 10"


@pytest.fixture
def contest(sync: Callable[[str], Benchmark], gold_keys: object) -> Phase:
    """The toy benchmark in a phase that lasts ten days from NOW and is closed once."""
    benchmark = sync(TOY_DEFINITION.replace(WEEKLY, AT_CLOSE))
    for task in benchmark.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name=f"{task.slug}.csv", now=NOW)
    return benchmark.phases.get()


def sweep(begin: dt.datetime, *, weeks: int) -> None:
    """Ask every day whether anything is due."""
    for day in range(7 * weeks):
        run_batch(begin + day * DAY)


def test_nothing_is_closed_before_the_close(system, contest):
    upload(system, contest)
    sweep(NOW, weeks=1)
    assert not Batch.objects.exists()


def test_the_close_closes_scores_and_publishes_once(system, contest):
    upload(system, contest)
    run_batch(CLOSE)
    run_batch(CLOSE)
    assert list(Batch.objects.values_list("cut_off_at", "status")) == [(CLOSE, Batch.Status.RELEASED)]
    assert [release.number for release in Release.objects.all()] == [1]
    assert systems_on(board()) == ["Larch"]


def test_after_the_close_no_batch_follows(system, contest):
    upload(system, contest)
    sweep(CLOSE, weeks=8)
    assert Batch.objects.count() == 1
    assert Release.objects.count() == 1


def test_a_close_without_uploads_leaves_one_empty_batch(contest):
    sweep(CLOSE, weeks=8)
    assert [batch.status for batch in Batch.objects.all()] == [Batch.Status.EMPTY]


def test_an_outage_over_the_close_and_months_after_closes_once(system, contest):
    upload(system, contest)
    close_due(CLOSE + 20 * WEEK)
    assert [batch.cut_off_at for batch in Batch.objects.all()] == [CLOSE]


def test_a_weekly_phase_that_has_closed_gathers_no_empty_batches(system, phase):
    Phase.objects.update(closes_at=CLOSE)
    phase.refresh_from_db()
    upload(system, phase)
    sweep(NOW, weeks=12)
    assert [batch.cut_off_at for batch in Batch.objects.order_by("cut_off_at")] == [
        dt.datetime(2026, 11, 23, tzinfo=dt.UTC),
        CLOSE,
    ]


def test_the_last_microsecond_counts_and_the_close_itself_does_not(system, contest):
    upload(system, contest, at=CLOSE - dt.timedelta(microseconds=1))
    with pytest.raises(PhaseClosed, match="closed on"):
        upload(system, contest, mood=HALF_WRONG, at=CLOSE)
    run_batch(CLOSE)
    assert row_of(board(), "Larch")["cells"]["overall"]["value"] == 1.0


def test_an_upload_that_was_under_way_at_the_close_is_scored_and_published(system, contest):
    run_batch(CLOSE)
    late = upload(system, contest, at=CLOSE - dt.timedelta(seconds=1))
    sweep(CLOSE, weeks=2)
    assert status_of(late) == Submission.Status.PUBLISHED
    assert systems_on(board()) == ["Larch"]


def test_gold_labels_replaced_after_the_close_are_released_and_then_it_is_silent_again(system, contest):
    upload(system, contest)
    run_batch(CLOSE)
    task = contest.benchmark.tasks.get(slug="mood")
    data = TOY_GOLD["mood"].replace(b"m6,bad", b"m6,good")
    load_gold(task=task, data=data, file_name="mood.csv", now=CLOSE + DAY)
    sweep(CLOSE + DAY, weeks=6)
    assert [release.number for release in Release.objects.order_by("number")] == [1, 2]
    assert row_of(board(), "Larch")["cells"]["mood"]["value"] < 1


def test_a_submission_that_failed_at_the_close_is_tried_again(system, contest, mailoutbox):
    submission = upload(system, contest)
    close_due(CLOSE)
    ScoringRun.objects.update(status="failed", error="internal")
    run_batch(CLOSE)
    assert status_of(submission) == Submission.Status.FAILED
    sweep(CLOSE + DAY, weeks=2)
    assert status_of(submission) == Submission.Status.PUBLISHED
