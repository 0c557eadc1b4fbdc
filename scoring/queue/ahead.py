"""What is scored before its cut-off, so that publication alone is left for then. Nothing of it shows before that."""

import datetime as dt
import uuid
from collections import defaultdict

from django.db.models import Exists, OuterRef

from benchmarks.models import Phase, Split
from catalogue.disclosure.rule import NOISED
from scoring.models import GoldVersion, ScoringRun, part_of
from scoring.queue.wanted_runs import current_runs, make_runs
from submissions.models import Predictions, Submission
from submissions.querysets import SubmissionQuerySet
from submissions.systems.status_transitions import Status

TAKEN_AT_ONCE = 200  # submissions of a phase; the next round takes the rest


def score_ahead(now: dt.datetime) -> list[uuid.UUID]:
    """Make the runs of accepted submissions that have none; returns these submissions.

    They stay accepted until their cut-off. What is judged through noise, or on items that the phase keeps to itself
    until its end, waits for its batch.
    """
    has_runs = Exists(ScoringRun.objects.filter(submission=OuterRef("pk")))
    accepted = Submission.objects.not_held_back().filter(~has_runs, status=Status.ACCEPTED)
    made: list[uuid.UUID] = []
    for phase in Phase.objects.filter(pk__in=accepted.order_by().values("phase")):
        answers = Predictions.objects.filter(submission=OuterRef("pk"), split__in=_parts_ahead(phase))
        oldest = accepted.filter(Exists(answers), phase=phase).order_by("received_at")[:TAKEN_AT_ONCE]
        taken = list(oldest.values_list("pk", flat=True))
        made += make_runs_ahead(phase, Submission.objects.filter(pk__in=taken), now)
    return made


def make_runs_ahead(phase: Phase, submissions: SubmissionQuerySet, now: dt.datetime) -> list[uuid.UUID]:
    """Make the runs that these submissions of a phase lack under its rule as it is before its end; returns whose."""
    parts = _parts_ahead(phase)
    known = set(current_runs().filter(submission__in=submissions).values_list("predictions_id", "part"))
    answers = Predictions.objects.filter(submission__in=submissions, split__in=parts)
    lacking: dict[str, dict[int, uuid.UUID]] = defaultdict(dict)
    for key, submission, split in answers.values_list("pk", "submission_id", "split_id"):
        if (key, parts[split]) not in known:
            lacking[parts[split]][key] = submission
    for part, predictions in lacking.items():
        make_runs(predictions, part, now=now)
    return list(dict.fromkeys(submission for some in lacking.values() for submission in some.values()))


def _parts_ahead(phase: Phase) -> dict[int, str]:
    """The part of the items that answers are scored on before the end of a phase, by split with gold labels."""
    splits = Split.objects.filter(
        task__benchmark=phase.benchmark_id,
        task__is_retired=False,
        pk__in=GoldVersion.objects.values("split_id"),
    )
    parts = {split.pk: part_of(phase.rule, split, at_the_end=False) for split in splits}
    return {split: part for split, part in parts.items() if part is not None and part != NOISED}
