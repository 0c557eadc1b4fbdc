"""Scoring runs as a queue in the database: claimed with a lease, completed only by whoever holds it."""

import datetime as dt
import logging
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from accounts.server.clock import database_now, has_come
from benchmarks.models import Split
from catalogue.garbage_collection import garbage_collection_paused
from catalogue.metrics.choice import metric_for
from scoring.code_version import code_commit, library_versions
from scoring.core.engine import ScoreValue
from scoring.core.uncertainty.intervals import Interval
from scoring.gold.rankings import retired_twins
from scoring.models import JudgedAnswer, RunReplicates, Score, ScoringRun
from scoring.queue.row_writing import insert_rows
from scoring.run_scoring import Compared, Error, RunFailed, score_run
from scoring.uncertainty.resampling import Uncertainty, uncertainties
from submissions.models import Submission

logger = logging.getLogger(__name__)

Status = ScoringRun.Status

MAX_ATTEMPTS = 4  # one try and three retries
TAKEN_TOGETHER = 50  # submissions; a lease is long enough for many times as many
# A worker is told of fewer, and where few wait of one, so that each worker has some.
TOLD_TOGETHER, SHARES = 50, 24
LONGEST_TOGETHER = 10.0  # seconds; where it takes longer to score them, those not begun are handed back
# What scoring reads of a run and its predictions; the reading of all columns would take as long as the scoring.
_READ = (
    *("submission", "split", "predictions", "gold_version", "scorer_version", "part"),
    *("predictions__alignment_sha256", "predictions__codes__packed"),
)
_SCORED = (
    *("run", "metric", "metric_version", "stratum", "value", "undefined"),
    *("ci_low", "ci_high", "created_at"),
)
_KEPT = ("run", "metrics", "packed", "count", "method", "seed_id")


def take_hints(now: dt.datetime, *, limit: int) -> list[list[uuid.UUID]]:
    """Due submissions that no worker has been told of for the length of a lease; marks them as told.

    Those that one worker is to score together are a group; the more wait, the larger they are.
    """
    unheard = ScoringRun.objects.due(now).filter(
        Q(hinted_at__isnull=True)
        | has_come("hinted_at", now - settings.SCORING_LEASE, longest=2 * settings.SCORING_LEASE)
    )
    groups = _groups(unheard, lambda waiting: min(TOLD_TOGETHER, max(1, waiting // SHARES)), limit)
    told = [submission for group in groups for submission in group]
    unheard.filter(submission_id__in=told).update(hinted_at=now)
    return groups


def _groups(
    due: QuerySet[ScoringRun], size_of: Callable[[int], int], limit: int | None = None
) -> list[list[uuid.UUID]]:
    """The submissions of these runs, the oldest first, in groups to be scored together: of so many that wait, so large.

    What was tried before goes by itself: should it end the process again, nothing else loses an attempt with it.
    """
    oldest_first = due.order_by("created_at", "submission_id").values_list("submission_id", flat=True)
    submissions = list(dict.fromkeys(oldest_first))[:limit]
    tried = set(due.filter(attempt__gte=1).values_list("submission_id", flat=True))
    untried = [submission for submission in submissions if submission not in tried]
    size = size_of(len(untried))
    groups = [untried[start : start + size] for start in range(0, len(untried), size)]
    return groups + [[submission] for submission in submissions if submission in tried]


@garbage_collection_paused()
def score_together(submissions: Sequence[uuid.UUID], *, now: dt.datetime) -> int:
    """Claim every due run of these submissions, score them, and commit all their scores together.

    Returns how many runs were completed; 0 where another worker was faster. Submissions that have not been begun after
    LONGEST_TOGETHER are handed back.
    """
    token = uuid.uuid4()
    claimed = (
        ScoringRun.objects.of_submissions(submissions)
        .due(now)
        .filter(attempt__lt=MAX_ATTEMPTS)
        .update(
            status=Status.RUNNING,
            attempt=F("attempt") + 1,
            lease_token=token,
            lease_expires_at=now + settings.SCORING_LEASE,
        )
    )
    if not claimed:
        return 0
    compared: dict[int, Compared] = {}
    failures: dict[int, ScoringRun.Error] = {}
    begun: set[uuid.UUID] = set()
    ends = time.monotonic() + LONGEST_TOGETHER
    for run in _claimed_runs(token, submissions):
        if begun and run.submission_id not in begun and time.monotonic() > ends:
            _hand_back(token, but=begun)
            break
        begun.add(run.submission_id)
        try:
            compared[run.pk] = score_run(run)
        except RunFailed as failure:
            failures[run.pk] = failure.error
        except Exception:  # such as memory that is used up
            _hand_back(token, but={run.submission_id})
            raise
    return _complete(token, compared, uncertainties(compared.values()), failures, now)


def _hand_back(token: uuid.UUID, *, but: Collection[uuid.UUID]) -> None:
    """Let others have at once what is claimed under that token and not done, but for these submissions."""
    held = ScoringRun.objects.filter(lease_token=token, status=Status.RUNNING)
    held.exclude(submission__in=but).update(
        status=Status.PENDING,
        attempt=F("attempt") - 1,
        lease_token=None,
        lease_expires_at=None,
        hinted_at=None,
    )


def _claimed_runs(token: uuid.UUID, order: Sequence[uuid.UUID]) -> Iterator[ScoringRun]:
    """The runs under a lease with what scoring needs of them, one submission after the other in that order.

    Runs of a split or submission share one row of it.
    """
    leased = ScoringRun.objects.filter(lease_token=token)
    runs = list(leased.select_related("predictions__codes").only(*_READ))
    place = {submission: number for number, submission in enumerate(order)}
    runs.sort(key=lambda run: (place[run.submission_id], run.pk))
    splits = Split.objects.select_related("task__benchmark").in_bulk({run.split_id for run in runs})
    submissions = Submission.objects.select_related("phase").in_bulk({run.submission_id for run in runs})
    for run in runs:
        run.split, run.submission = splits[run.split_id], submissions[run.submission_id]
        yield run


@transaction.atomic
def _complete(
    token: uuid.UUID,
    compared: Mapping[int, Compared],
    unsure: Mapping[int, Uncertainty],
    failures: dict[int, ScoringRun.Error],
    now: dt.datetime,
) -> int:
    """Write scores and outcomes, but only for runs whose lease is still ours."""
    finished = database_now()
    leased = ScoringRun.objects.select_for_update().filter(lease_token=token, status=Status.RUNNING)
    attempts = dict(leased.values_list("pk", "attempt"))
    done = [pk for pk in compared if pk in attempts and _is_within_budget(compared[pk], failures)]
    for (count, libraries), pks in _made_alike(compared, done).items():
        ScoringRun.objects.filter(pk__in=pks).update(
            status=Status.DONE,
            finished_at=finished,
            code_commit=code_commit(),
            libraries=dict(libraries),
            item_count=count,
        )
    scores = (
        (pk, value, unsure[pk].intervals.get(value.metric))
        for pk in done
        for value in compared[pk].report.values
    )
    insert_rows(Score, _SCORED, (_score_row(*score, finished) for score in scores))
    kept = [row for pk in done if (row := unsure[pk].replicates)]
    insert_rows(RunReplicates, _KEPT, map(attrgetter("run_id", *_KEPT[1:]), kept))
    for pk, error in failures.items():
        if pk in attempts:
            _fail(pk, attempts[pk], error, now)
    return len(done)


def _score_row(
    pk: int, score: ScoreValue, interval: Interval | None, finished: dt.datetime
) -> tuple[object, ...]:
    ends = (interval.low, interval.high) if interval else (None, None)
    return pk, score.metric, score.metric_version, "", score.value, score.undefined or "", *ends, finished


def _made_alike(
    compared: Mapping[int, Compared], done: Iterable[int]
) -> Mapping[tuple[int, tuple[tuple[str, str], ...]], list[int]]:
    """The runs by their number of items and the versions of the libraries that made their scores."""
    of_splits: dict[int, list[int]] = defaultdict(list)
    for pk in done:
        of_splits[compared[pk].run.split_id].append(pk)
    alike: dict[tuple[int, tuple[tuple[str, str], ...]], list[int]] = defaultdict(list)
    for pks in of_splits.values():
        task = compared[pks[0]].run.split.task.spec
        libraries = library_versions(metric_for(task.output, use.name) for use in task.metrics)
        for pk in pks:
            alike[compared[pk].report.item_count, tuple(libraries.items())].append(pk)
    return alike


def _is_within_budget(compared: Compared, failures: dict[int, ScoringRun.Error]) -> bool:
    """Count an answer that was judged through noise; where the budget is spent it is no score, whoever asked for it."""
    if compared.budget is None:
        return True
    run = compared.run
    of_phase = JudgedAnswer.objects.filter(phase=run.submission.phase_id)
    number = (of_phase.filter(split=run.split_id).aggregate(last=Max("number"))["last"] or 0) + 1
    if number + of_phase.filter(split__in=retired_twins(run.split)).count() > compared.budget:
        failures[run.pk] = Error.BUDGET_SPENT
        return False
    # Two workers at once would count alike: the database takes one of them, and the other tries again.
    JudgedAnswer.objects.create(
        phase_id=run.submission.phase_id, split_id=run.split_id, number=number, run_id=run.pk
    )
    return True


def _fail(pk: int, attempt: int, error: ScoringRun.Error, now: dt.datetime) -> None:
    """Only an unforeseen fault is worth another try, after a pause that grows."""
    if error == Error.INTERNAL and attempt < MAX_ATTEMPTS:
        ScoringRun.objects.filter(pk=pk).update(
            status=Status.PENDING,
            lease_token=None,
            lease_expires_at=now + settings.SCORING_LEASE * attempt,
        )
    else:
        ScoringRun.objects.filter(pk=pk).update(status=Status.FAILED, error=error, finished_at=now)


def give_up_overdue(now: dt.datetime) -> int:
    """Fail what was tried too often, or was tried and is past its deadline; returns how many runs.

    What nobody has tried yet waits on: no worker was there, which is no fault of the submission.
    """
    return (
        ScoringRun.objects.due(now)
        .filter(Q(attempt__gte=MAX_ATTEMPTS) | Q(attempt__gte=1, deadline_at__lte=now))
        .update(status=Status.FAILED, error=Error.OVERDUE, finished_at=now)
    )


def score_all_due(now: dt.datetime) -> int:
    """Score everything due in this process; returns how many runs were completed."""
    groups = _groups(ScoringRun.objects.due(now), lambda _: TAKEN_TOGETHER)
    return sum(score_together(group, now=now) for group in groups)
