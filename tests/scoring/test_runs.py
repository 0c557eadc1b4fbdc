"""Scoring runs as a queue: claimed with a lease, completed once, failed with a fixed word."""

import datetime as dt
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings as django_settings

from benchmarks.models import Benchmark, Phase
from scoring import run_scoring
from scoring.gold.versions import load_gold
from scoring.models import Batch, GoldVersion, Score, ScoringRun
from scoring.queue import runs
from scoring.queue.batches import close_due, close_now, finish_batches
from scoring.queue.runs import give_up_overdue, score_all_due, score_together, take_hints
from scoring.queue.wanted_runs import DEADLINE, ensure_runs
from scoring.run_scoring import score_run
from submissions.intake.sealing import generate_keypair
from submissions.models import PredictionCodes, Submission, System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.dump import database_dump
from tests.gold_versions import second_version
from tests.people import appoint
from tests.post import sent
from tests.slots import slots_used
from tests.threads import at_once
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, WEEK, board, run_batch, status_of, systems_on, upload

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]

LEASE = django_settings.SCORING_LEASE
Error = ScoringRun.Error


class PowerCut(BaseException):
    """The worker's process ends in the middle."""


@pytest.fixture
def closed(system: System, phase: Phase) -> Submission:
    """A submission whose cut-off has just come."""
    submission = upload(system, phase)
    close_due(CUT_OFF)
    return submission


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], None]:
    """Have something happen once, while a worker is scoring."""

    def _meanwhile(action: Callable[[], Any]) -> None:
        actions: Iterator[Callable[[], Any]] = iter([action])

        def _interrupted(run: ScoringRun) -> Any:
            next(actions, lambda: None)()
            return score_run(run)

        monkeypatch.setattr(runs, "score_run", _interrupted)

    return _meanwhile


def errors() -> set[str]:
    return set(ScoringRun.objects.values_list("error", flat=True))


def test_a_claimed_submission_is_not_scored_by_a_second_worker(closed, meanwhile):
    second = []
    meanwhile(lambda: second.append(score_together([closed.pk], now=CUT_OFF)))

    assert score_together([closed.pk], now=CUT_OFF) == 2
    assert second == [0]


@pytest.mark.django_db(transaction=True)
def test_eight_workers_at_once_write_one_set_of_scores(closed):
    completed = at_once([partial(score_together, [closed.pk], now=CUT_OFF)] * 8)

    assert sorted(completed) == [0] * 7 + [2]
    assert Score.objects.count() == 4


def test_an_expired_lease_is_taken_over_and_the_late_finisher_writes_nothing(closed, meanwhile):
    second = []
    meanwhile(lambda: second.append(score_together([closed.pk], now=CUT_OFF + LEASE)))

    assert score_together([closed.pk], now=CUT_OFF) == 0
    assert second == [2]
    assert Score.objects.count() == 4
    assert set(ScoringRun.objects.values_list("attempt", flat=True)) == {2}


def test_a_lease_that_still_runs_is_not_taken_over(closed, meanwhile):
    second = []
    almost = CUT_OFF + LEASE - dt.timedelta(microseconds=1)
    meanwhile(lambda: second.append(score_together([closed.pk], now=almost)))

    score_together([closed.pk], now=CUT_OFF)

    assert second == [0]


def test_a_late_finisher_leaves_a_run_that_was_given_up_failed(closed, meanwhile):
    meanwhile(lambda: give_up_overdue(CUT_OFF + DEADLINE))

    assert score_together([closed.pk], now=CUT_OFF) == 0
    assert errors() == {Error.OVERDUE}
    assert not Score.objects.exists()


def test_a_worker_that_dies_leaves_no_score(closed, monkeypatch):
    die_while_scoring(monkeypatch)

    with pytest.raises(PowerCut):
        score_together([closed.pk], now=CUT_OFF)

    assert not Score.objects.exists()
    assert score_together([closed.pk], now=CUT_OFF) == 0  # its lease still runs


def die_while_scoring(monkeypatch: pytest.MonkeyPatch, submission: Submission | None = None) -> None:

    def _die(run: ScoringRun) -> Any:
        if submission is None or run.submission_id == submission.pk:
            raise PowerCut
        return score_run(run)

    monkeypatch.setattr(runs, "score_run", _die)


@pytest.fixture
def doomed(closed: Submission, monkeypatch: pytest.MonkeyPatch, staff: Any) -> Submission:
    """A submission at which every worker dies, after they have tried as often as they may."""
    appoint(closed.phase.benchmark, staff)
    with monkeypatch.context() as patch:
        die_while_scoring(patch, closed)
        for attempt in range(runs.MAX_ATTEMPTS):
            with pytest.raises(PowerCut):
                score_together([closed.pk], now=CUT_OFF + attempt * LEASE)
    return closed


AFTER_ALL_ATTEMPTS = CUT_OFF + runs.MAX_ATTEMPTS * LEASE


def test_a_submission_that_kills_workers_fails_after_four_attempts(doomed):
    assert score_all_due(AFTER_ALL_ATTEMPTS) == 0

    finish_batches(AFTER_ALL_ATTEMPTS)

    assert errors() == {Error.OVERDUE}
    assert status_of(doomed) == Submission.Status.FAILED
    assert "The run was not finished in time." in doomed.status_reason


@pytest.fixture
def neighbour(team: Any, phase: Phase) -> Submission:
    """A submission that is taken in at the same cut-off as `closed`."""
    return upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase)


def test_a_submission_that_kills_workers_costs_its_neighbours_one_attempt(neighbour, closed, monkeypatch):
    die_while_scoring(monkeypatch, closed)
    for attempt in range(runs.MAX_ATTEMPTS):
        with pytest.raises(PowerCut):
            score_all_due(CUT_OFF + attempt * LEASE)

    score_all_due(AFTER_ALL_ATTEMPTS)

    assert set(neighbour.runs.values_list("status", "attempt")) == {(ScoringRun.Status.DONE, 2)}


def test_damaged_predictions_fail_alone_among_those_scored_with_them(neighbour, closed):
    PredictionCodes.objects.filter(predictions__submission=closed).update(packed=b"damaged")

    assert score_all_due(CUT_OFF) == 2

    assert set(neighbour.runs.values_list("status", flat=True)) == {ScoringRun.Status.DONE}
    assert set(closed.runs.values_list("error", flat=True)) == {Error.PREDICTIONS_DAMAGED}


def test_a_failure_gives_the_slot_back(doomed):
    assert slots_used(team=doomed.system.team, phase=doomed.phase, at=NOW) == 1

    finish_batches(AFTER_ALL_ATTEMPTS)

    assert slots_used(team=doomed.system.team, phase=doomed.phase, at=NOW) == 0


def test_a_second_failure_does_not_give_a_second_slot_back(system, phase):
    damaged = upload(system, phase, mood=HALF_WRONG)
    PredictionCodes.objects.filter(predictions__submission=damaged).update(packed=b"damaged")
    close_and_score(phase, NOW)
    assert slots_used(team=system.team, phase=phase, at=NOW) == 0
    upload(system, phase)

    close_and_score(phase, NOW + dt.timedelta(hours=1))  # the same window: it was closed ahead of its time

    assert slots_used(team=system.team, phase=phase, at=NOW) == 1


def close_and_score(phase: Phase, now: dt.datetime) -> None:
    close_now(phase=phase, now=now)
    score_all_due(now)
    finish_batches(now)


def test_a_failure_is_mailed_to_the_team_and_to_organisers_each_with_the_page_that_they_may_see(
    doomed, teammate
):
    finish_batches(AFTER_ALL_ATTEMPTS)

    mails = {message.to[0]: message for message in sent()}
    assert mails.keys() == {"owner@example.org", "teammate@example.org", "staff@example.org"}
    assert {message.subject for message in mails.values()} == {"Toy: Larch could not be scored"}
    assert all("Your slot was given back" in message.body for message in mails.values())
    assert f"/submissions/{doomed.pk}/\n" in mails["teammate@example.org"].body
    assert f"/admin/submissions/submission/{doomed.pk}/change/\n" in mails["staff@example.org"].body


def test_a_line_break_in_a_name_does_not_hold_the_mail_up(doomed):
    System.objects.update(name="Larch\nBcc: everyone@example.org")

    finish_batches(AFTER_ALL_ATTEMPTS)

    assert len(sent()) == 2
    assert all("\n" not in message.subject for message in sent())


def test_a_failed_submission_does_not_hold_up_the_others(closed, team, phase):
    PredictionCodes.objects.update(packed=b"damaged")
    other = upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase)

    run_batch(CUT_OFF + WEEK)

    assert (status_of(closed), status_of(other)) == (Submission.Status.FAILED, Submission.Status.PUBLISHED)
    assert systems_on(board()) == ["Fir"]


def test_a_failed_submission_is_scored_in_the_next_batch(doomed):
    run_batch(AFTER_ALL_ATTEMPTS)

    run_batch(CUT_OFF + WEEK)

    assert status_of(doomed) == Submission.Status.PUBLISHED
    assert systems_on(board()) == ["Larch"]


def test_a_missing_key_fails_with_its_word(closed, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    score_all_due(CUT_OFF)
    assert errors() == {Error.KEY_MISSING}


def test_a_wrong_key_fails_with_its_word(closed, settings, tmp_path):
    other = tmp_path / "other.private"
    other.write_text(generate_keypair().private)
    settings.GOLD_PRIVATE_KEY_FILE = str(other)

    score_all_due(CUT_OFF)

    assert errors() == {Error.KEY_WRONG}


def test_damaged_gold_labels_fail_with_their_word(system, phase):
    for version in GoldVersion.objects.all():
        *start, last = bytes(version.sealed.ciphertext)
        second_version(version, bytes([*start, last ^ 1]))
    upload(system, phase)

    run_batch(CUT_OFF)

    assert errors() == {Error.GOLD_DAMAGED}


def test_gold_labels_of_another_commitment_fail_as_damaged(system, phase):
    for version in GoldVersion.objects.all():
        second_version(version, version.sealed.ciphertext, commitment="0" * 64)
    upload(system, phase)

    run_batch(CUT_OFF)

    assert errors() == {Error.GOLD_DAMAGED}


def test_damaged_predictions_fail_with_their_word(closed):
    PredictionCodes.objects.update(packed=b"damaged")
    score_all_due(CUT_OFF)
    assert errors() == {Error.PREDICTIONS_DAMAGED}


def test_a_changed_label_set_fails_rather_than_scores_wrongly(closed, sync):
    sync(TOY_DEFINITION.replace("labels: [bad, good]", "labels: [good, bad]"))

    score_all_due(CUT_OFF)

    assert ScoringRun.objects.get(split__task__slug="mood").error == Error.TASK_CHANGED
    assert ScoringRun.objects.get(split__task__slug="colour").status == ScoringRun.Status.DONE


def test_new_gold_labels_repair_what_failed_under_damaged_ones(system, phase, gold_keys):
    mood = phase.benchmark.tasks.get(slug="mood")
    version = GoldVersion.objects.get(split__task=mood)
    second_version(version, b"damaged")
    submission = upload(system, phase)
    run_batch(CUT_OFF)
    assert status_of(submission) == Submission.Status.FAILED

    load_gold(task=mood, data=TOY_GOLD["mood"], file_name="mood.csv", now=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert status_of(submission) == Submission.Status.PUBLISHED
    replaced = ScoringRun.objects.get(split__task=mood, gold_version__number=2)
    assert (replaced.error, replaced.deadline_at) == (
        Error.GOLD_DAMAGED,
        CUT_OFF + DEADLINE,
    )  # not tried again


SPOKEN = "y_true was good good bad bad good bad"


@pytest.fixture
def talkative_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    """A metric whose exception says what the gold labels are."""

    def _score(*arguments: Any) -> Any:
        raise ValueError(f"cannot average: {SPOKEN}") from KeyError(SPOKEN)

    monkeypatch.setattr(run_scoring, "score_comparison", _score)


def test_an_unforeseen_fault_is_tried_again_after_a_pause(closed, talkative_metric, monkeypatch):
    score_all_due(CUT_OFF)
    assert errors() == {""}
    monkeypatch.undo()

    assert score_all_due(CUT_OFF + LEASE / 2) == 0
    assert score_all_due(CUT_OFF + LEASE) == 2


def test_an_unforeseen_fault_ends_as_internal(closed, talkative_metric):
    for hour in range(runs.MAX_ATTEMPTS):
        score_all_due(CUT_OFF + dt.timedelta(hours=hour))
    assert errors() == {Error.INTERNAL}


def test_what_a_metric_says_stays_in_the_worker(closed, talkative_metric, caplog):
    for hour in range(runs.MAX_ATTEMPTS):
        score_all_due(CUT_OFF + dt.timedelta(hours=hour))
        finish_batches(CUT_OFF + dt.timedelta(hours=hour))

    told = [caplog.text, *(str(record.__dict__) for record in caplog.records)]
    told += [f"{message.subject}{message.body}" for message in sent()]
    assert sent()
    assert any("ValueError" in record.getMessage() for record in caplog.records)
    assert "y_true" not in "".join(told)
    assert b"y_true" not in database_dump()


def test_a_worker_is_told_once_per_lease(closed):
    assert take_hints(CUT_OFF, limit=10) == [[closed.pk]]
    assert take_hints(CUT_OFF + LEASE / 2, limit=10) == []
    assert take_hints(CUT_OFF + LEASE, limit=10) == [[closed.pk]]


def test_no_more_workers_are_told_than_the_limit(closed, team, phase):
    other = System.objects.create(team=team, name="Fir", created_at=NOW)
    upload(other, phase, at=CUT_OFF + dt.timedelta(hours=1))
    close_due(CUT_OFF + WEEK)

    assert take_hints(CUT_OFF + WEEK, limit=1) == [[closed.pk]]
    assert len(take_hints(CUT_OFF + WEEK, limit=1)) == 1


@pytest.fixture
def crowd(closed: Submission, team: Any, phase: Phase) -> list[Submission]:
    """Five submissions of one cut-off, the oldest first."""
    systems = [System.objects.create(team=team, name=f"Fir {number}", created_at=NOW) for number in range(4)]
    others = [
        upload(system, phase, at=NOW + dt.timedelta(hours=number)) for number, system in enumerate(systems, 1)
    ]
    for number, submission in enumerate(others, 1):
        ensure_runs([submission], now=CUT_OFF + dt.timedelta(seconds=number), batch=Batch.objects.get())
    return [closed, *others]


def test_each_worker_is_told_of_some_where_few_wait_and_of_more_where_many_do(crowd, monkeypatch):
    assert take_hints(CUT_OFF, limit=10) == [[submission.pk] for submission in crowd]
    monkeypatch.setattr(runs, "SHARES", 2)
    assert [len(group) for group in take_hints(CUT_OFF + LEASE, limit=10)] == [2, 2, 1]
    monkeypatch.setattr(runs, "TOLD_TOGETHER", 1)
    assert [len(group) for group in take_hints(CUT_OFF + 2 * LEASE, limit=10)] == [1] * 5


def test_what_was_tried_before_is_told_of_by_itself(crowd, monkeypatch):
    monkeypatch.setattr(runs, "SHARES", 1)
    crowd[0].runs.update(attempt=1)
    assert take_hints(CUT_OFF, limit=10) == [[one.pk for one in crowd[1:]], [crowd[0].pk]]


def test_where_scoring_takes_long_those_not_begun_are_handed_back_at_once(crowd, monkeypatch):
    monkeypatch.setattr(runs, "SHARES", 1)
    monkeypatch.setattr(runs, "LONGEST_TOGETHER", 0.0)
    (told,) = take_hints(CUT_OFF, limit=10)

    assert score_together(told, now=CUT_OFF) == 2

    assert set(crowd[0].runs.values_list("status", flat=True)) == {ScoringRun.Status.DONE}
    left = ScoringRun.objects.exclude(submission=crowd[0])
    assert set(left.values_list("status", "attempt")) == {(ScoringRun.Status.PENDING, 0)}
    assert take_hints(CUT_OFF, limit=10) == [[one.pk for one in crowd[1:]]]


def test_what_was_taken_together_with_a_fault_is_told_of_again_at_once(crowd, monkeypatch):
    def fails(run: ScoringRun) -> Any:
        if run.submission_id == crowd[2].pk:
            raise MemoryError
        return score_run(run)

    monkeypatch.setattr(runs, "score_run", fails)
    monkeypatch.setattr(runs, "SHARES", 1)
    (told,) = take_hints(CUT_OFF, limit=10)
    with pytest.raises(MemoryError):
        score_together(told, now=CUT_OFF)

    assert take_hints(CUT_OFF, limit=10) == [[one.pk for one in crowd if one != crowd[2]]]


def test_the_same_answers_get_the_same_scores_together_and_alone(crowd):
    score_together([crowd[0].pk], now=CUT_OFF)
    score_together([submission.pk for submission in crowd[1:]], now=CUT_OFF)

    columns = ("run__split", "metric", "value", "ci_low", "ci_high")
    scores = [[*Score.objects.filter(run__submission=one).values_list(*columns)] for one in crowd]
    assert scores[0]
    assert all(sorted(of_one) == sorted(scores[0]) for of_one in scores[1:])


def test_scores_are_those_of_the_predictions(system, phase):
    upload(system, phase, mood=ALL_RIGHT.replace("good", "bad"))

    run_batch(CUT_OFF)

    accuracy = Score.objects.get(run__split__task__slug="mood", metric="accuracy")
    assert accuracy.value == 0.5


def test_a_run_of_an_older_task_is_not_recorded_with_new_metrics(
    closed: Submission, sync: Callable[[str], Benchmark]
) -> None:
    sync(TOY_DEFINITION.replace("metrics: [{name: f1_macro, title: F1 macro}, ", "metrics: ["))

    score_all_due(CUT_OFF)

    assert errors() == {Error.TASK_CHANGED}
