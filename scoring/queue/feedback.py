"""Feedback before a release: what is scored for it, and when a team is told. Each answer is charged before."""

import datetime as dt
import logging
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce

from benchmarks.models import Phase
from benchmarks.spec import DEV
from benchmarks.spec.schedule import calendar_window
from catalogue.disclosure.rule import NOISY
from scoring.core.figure_bits import PublishedFigure
from scoring.core.ledger import Ledger
from scoring.models import Batch, ScoringRun, ToldAnswer, part_of
from scoring.queue.ahead import make_runs_ahead
from submissions.models import Submission
from submissions.querysets import SubmissionQuerySet
from submissions.systems.status_transitions import Status

logger = logging.getLogger(__name__)

# What is older has its runs, or waits for its batch.
LOOKED_BACK = dt.timedelta(days=3)
TOLD_TOGETHER = 200  # runs; the next sweep tells the rest
Moment = Phase.FeedbackMoment


def make_feedback_runs(now: dt.datetime) -> list[uuid.UUID]:
    """Have what is due for feedback before its batch scored now; returns the submissions whose runs were made.

    Asked every two seconds. What is judged through noise waits for the lot of its batch.
    """
    made: list[uuid.UUID] = []
    for phase in Phase.objects.filter(feedback__in=[Moment.IMMEDIATE, Moment.DAILY]):
        waiting = _due(phase, now).filter(status=Status.ACCEPTED, received_at__gt=now - LOOKED_BACK)
        try:
            made += make_runs_ahead(phase, waiting, now)
        except Exception:  # other phases do not wait for it
            logger.exception("feedback in the phase %s could not be prepared", phase.pk)
    return made


def tell_feedback(now: dt.datetime, submissions: Collection[uuid.UUID] | None = None) -> int:
    """Tell teams what is scored and due, of these submissions or of all; returns how many answers were told.

    What an answer can tell of the labels is written down in the transaction that lets the team read it. What cannot be
    told keeps nothing else waiting.
    """
    told = 0
    for phase in Phase.objects.exclude(feedback=Moment.NONE).select_related("benchmark"):
        due = _due(phase, now)
        if submissions is not None:
            due = due.filter(pk__in=submissions)
        being_scored = ScoringRun.objects.open().filter(submission=OuterRef("submission"))
        runs = ScoringRun.objects.filter(
            ~Exists(being_scored),
            submission__in=due,
            status=ScoringRun.Status.DONE,
            told__isnull=True,
            split__task__is_retired=False,
        )
        by_submission: dict[uuid.UUID, list[ScoringRun]] = defaultdict(list)
        beside = ("split__task__benchmark", "predictions__codes")
        for run in runs.select_related(*beside).order_by("pk")[:TOLD_TOGETHER]:
            if run.part == part_of(phase.rule, run.split, at_the_end=False):
                by_submission[run.submission_id].append(run)
        for submission, own in by_submission.items():
            try:
                told += _tell(submission, own, now)
            except Exception:
                logger.exception("feedback on the submission %s could not be told", submission)
    return told


def _due(phase: Phase, now: dt.datetime) -> SubmissionQuerySet:
    """The submissions of a phase whose teams may be told by now."""
    active = Submission.objects.live().not_held_back().filter(phase=phase)
    if phase.feedback == Moment.DAILY:
        midnight, _ = calendar_window(phase.timezone, now)
        return active.filter(received_at__lt=midnight)
    if phase.feedback == Moment.AT_CUT_OFF:
        scored = Batch.objects.filter(phase=phase, status__in=[Batch.Status.SCORED, Batch.Status.RELEASED])
        return active.filter(batch_entries__batch__in=scored).distinct()
    return active


@transaction.atomic
def _tell(submission: uuid.UUID, runs: Iterable[ScoringRun], now: dt.datetime) -> int:
    # A submission that is withdrawn at this moment waits here, or has its slot back and is told nothing.
    active = Submission.objects.live().not_held_back().filter(pk=submission)
    if not active.update(told_at=Coalesce("told_at", now)):
        return 0
    rows = [ToldAnswer(run=run, told_at=now, bits=_bits(run)) for run in runs]
    return len(ToldAnswer.objects.bulk_create(rows, ignore_conflicts=True))


def _bits(run: ScoringRun) -> float:
    """What the primary score of an answer carries by itself, at most; as the ledger counts it.

    0 for development data, which guard nothing, and for what was judged through noise: that was charged when it was.
    """
    if run.part in NOISY or run.split.slug == DEV:
        return 0.0
    spec = run.split.task.spec
    ledger = Ledger(
        spec.output,
        run.split.item_count,
        [PublishedFigure(spec.primary_metric.name)],
        scored_count=run.item_count if run.part else None,
        in_clusters=bool(spec.gold.cluster_column),
    )
    return ledger.add(run.predictions.canonical().codes).bound
