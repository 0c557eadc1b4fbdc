"""Celery's share: hints that something is due. The database decides what really is.

From a cut-off to its board each step asks for the next at once, so that nobody waits for a round in between; the rounds
make up for a hint that was lost.
"""

import uuid

from celery import current_app, shared_task
from django.conf import settings

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from scoring.gold import deliveries
from scoring.gold.keys import has_private_key
from scoring.queue import ahead, batches, feedback, runs

HINTS_PER_SWEEP = 2000


@shared_task(name="heldout.sweep.close_due")
def close_due() -> None:
    """Is a cut-off due? Two beats asking at once are harmless."""
    closed = batches.close_due(database_now())
    note_round("closing")
    if closed:
        enqueue_due.delay()
        finish_batches.delay()


@shared_task(name="heldout.sweep.enqueue_due")
def enqueue_due() -> None:
    """Tell workers of every due submission that nobody was told of lately."""
    for group in runs.take_hints(database_now(), limit=HINTS_PER_SWEEP):
        score_submissions.delay(*map(str, group))
    note_round("handing out scoring")


@shared_task(name="heldout.sweep.give_feedback")
def give_feedback() -> None:
    """Is a submission there whose team is told its scores before a release, or one that is scored and due?"""
    now = database_now()
    for submission in feedback.make_feedback_runs(now):
        score_submissions.delay(str(submission))
    feedback.tell_feedback(now)
    note_round("giving feedback")


@shared_task(name="heldout.sweep.score_ahead")
def score_ahead() -> None:
    """Is a submission there that waits for its cut-off and nobody has scored?"""
    ahead.score_ahead(database_now())
    note_round("scoring ahead")


@shared_task(name="heldout.sweep.finish_batches")
def finish_batches() -> None:
    """Hand on every batch that has nothing left to score."""
    finished = batches.finish_batches(database_now())
    note_round("finishing batches")
    if finished:
        current_app.send_task("heldout.sweep.publish_ready")


@shared_task(name="heldout.sweep.check_deliveries")
def check_deliveries() -> None:
    """Is there a box of sealed gold labels that nobody has looked into? A worker without a key leaves it to others."""
    deliveries.check_deliveries(database_now())
    note_round("looking into sealed labels")


@shared_task(
    name="heldout.score_submission",
    soft_time_limit=settings.SCORING_SECONDS,
    time_limit=settings.SCORING_SECONDS + 10,
)
def score_submissions(*submission_ids: str) -> None:
    """Score what is due of these submissions. A worker without the private key leaves it to the others."""
    if has_private_key():
        submissions = [uuid.UUID(submission) for submission in submission_ids]
        if runs.score_together(submissions, now=database_now()):
            feedback.tell_feedback(database_now(), submissions)
            if batches.has_scored_batch():
                finish_batches.delay()
