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
from django.db.models import CharField, Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from accounts.server.clock import database_now
from benchmarks.models import ItemRenewal, Phase, Split
from catalogue.disclosure.rule import ALL, NOISED
from catalogue.garbage_collection import garbage_collection_paused
from catalogue.metrics.choice import metric_for
from scoring.code_version import code_commit, library_versions
from scoring.core.engine import SCORER_VERSION, ScoreValue
from scoring.core.uncertainty.intervals import Interval
from scoring.disclosure.standings import final_answers
from scoring.gold.rankings import part_that_ranks
from scoring.models import Batch, GoldVersion, JudgedAnswer, RunReplicates, Score, ScoringRun
from scoring.queue.row_writing import insert_rows
from scoring.run_scoring import Compared, Error, RunFailed, score_run, scorer_version
from scoring.uncertainty.resampling import Uncertainty, uncertainties
from submissions.models import Predictions, Submission

logger = logging.getLogger(__name__)

Status = ScoringRun.Status

MAX_ATTEMPTS = 4  # one try and three retries
TAKEN_TOGETHER = 50  # submissions; a lease is long enough for many times as many
# A worker is told of fewer, and where few wait of one, so that each worker has some.
TOLD_TOGETHER, SHARES = 25, 48
LONGEST_TOGETHER = 10.0  # seconds; where it takes longer to score them, those not begun are handed back
DEADLINE = dt.timedelta(hours=6)
# What scoring reads of a run and its predictions; the reading of all columns would take as long as the scoring.
_READ = (
    *("submission", "split", "predictions", "gold_version", "scorer_version", "part"),
    *("predictions__alignment_sha256", "predictions__codes__packed"),
)
_MADE = (
    *("submission", "split", "predictions", "gold_version", "scorer_version", "part", "status", "attempt"),
    *("error", "code_commit", "created_at", "deadline_at"),
)
_SCORED = (
    *("run", "metric", "metric_version", "stratum", "value", "undefined"),
    *("ci_low", "ci_high", "created_at"),
)
_KEPT = ("run", "metrics", "packed", "count", "method", "seed_id")

# Predictions of a set of items that was renewed since: they are scored no more, and stay as they were published.
OF_RETIRED_ITEMS = Exists(
    ItemRenewal.objects.filter(split=OuterRef("split"), renewed_at__gt=OuterRef("submission__received_at"))
)


def current_runs() -> QuerySet[ScoringRun]:
    """Runs under the current gold labels, the current scorer and the task as it is now."""
    version = Concat(Value(f"{SCORER_VERSION}."), Cast("split__task__version", CharField()))
    return ScoringRun.objects.filter(gold_version__in=GoldVersion.objects.current(), scorer_version=version)


def lacking_runs(batch: Batch) -> QuerySet[Submission]:
    """Submissions whose scores belong on a batch's board, but under gold or metrics that have changed since.

    Two plain lists are compared here and not in the database: as one statement with NOT EXISTS, PostgreSQL took
    minutes over it where its statistics were older than the rows.
    """
    waiting = Submission.objects.filter(
        phase__in=Phase.objects.shown_with(batch.phase),
        status__in=(Submission.Status.SCORING, Submission.Status.SCORED, Submission.Status.PUBLISHED),
    )
    scored = set(current_runs().filter(submission__in=waiting).values_list("predictions_id", "part"))
    wanted = Predictions.objects.filter(
        submission__in=waiting,
        split__in=GoldVersion.objects.values("split_id"),
        split__task__is_retired=False,
    )
    parts = WantedParts(batch)
    lacking = {
        submission
        for pk, submission, split in wanted.exclude(OF_RETIRED_ITEMS).values_list(
            "pk", "submission_id", "split_id"
        )
        if any((pk, part) not in scored for part in parts.of(submission, split))
    }
    return Submission.objects.filter(pk__in=lacking)


class WantedParts:
    """The parts of the items that answers are scored on for a batch, but for those that are drawn by lot.

    With the last batch of a phase that keeps items back, the final answers are scored on these as well, and on all
    items, so that what was published elsewhere can be compared.
    """

    def __init__(self, batch: Batch) -> None:
        splits = list(Split.objects.filter(task__benchmark=batch.phase.benchmark_id))
        self._before = {split.pk: batch.part_of(split, at_the_end=False) for split in splits}
        self._at_end: dict[int, str | None] = {}
        self._over_all: dict[int, str | None] = {}
        for split in splits if batch.is_final else ():
            at_end = batch.part_of(split, at_the_end=True)
            self._at_end[split.pk] = part_that_ranks(batch.phase, split, at_end)
            self._over_all[split.pk] = part_that_ranks(batch.phase, split, ALL)
        self._is_final, self._keeps_back = batch.is_final, batch.rule.keeps_back
        self._finals = final_answers(batch) if batch.is_final and batch.rule.keeps_back else set()

    def of(self, submission: uuid.UUID, split: int) -> set[str]:
        before, at_end = self._before.get(split), self._at_end.get(split)
        parts = {before} if not self._is_final or self._keeps_back else {at_end}
        if (submission, split) in self._finals:
            parts |= {at_end, self._over_all[split]}
        return {part for part in parts if part is not None and part != NOISED}


def awaits_runs(batch: Batch) -> bool:
    """Whether something that belongs on a batch's board still has to be scored anew before that board is made."""
    shown = Submission.objects.countable().filter(phase__in=Phase.objects.shown_with(batch.phase))
    anew = ScoringRun.objects.open().filter(submission__in=shown, pk__in=current_runs().values("pk"))
    return lacking_runs(batch).exists() or anew.exists()


def ensure_runs(submissions: Collection[Submission], *, now: dt.datetime, batch: Batch | None = None) -> int:
    """Create the runs that these submissions lack under the current gold labels and scorer.

    Returns how many were created. A run that failed is set going anew. `batch` says on which items; without it, the
    newest batch of each submission's phase.
    """
    phases = {submission.pk: submission.phase_id for submission in submissions}
    ids = list(phases)
    batches = Batch.objects.filter(phase__in=set(phases.values())).select_related("phase")
    newest = {one.phase_id: one for one in batches.order_by("cut_off_at")} if batch is None else {}
    parts = {
        phase: WantedParts(batch or newest[phase]) for phase in {*phases.values()} if batch or phase in newest
    }
    predictions = Predictions.objects.filter(submission__in=ids).order_by("pk")
    scored = set(current_runs().filter(submission__in=ids).values_list("predictions_id", "part"))
    wanted = [
        (pk, part)
        for pk, submission, split in predictions.values_list("pk", "submission_id", "split_id")
        if phases[submission] in parts
        for part in parts[phases[submission]].of(submission, split)
        if (pk, part) not in scored  # as nearly all are that were scored ahead
    ]
    before = ScoringRun.objects.of_submissions(ids).count()
    _make_runs(wanted, now)
    _restart_failed(ids, now)
    return ScoringRun.objects.of_submissions(ids).count() - before


def make_runs(predictions: Collection[int], part: str, *, now: dt.datetime) -> int:
    """Create runs of these predictions, by id, on one part of the items; returns how many."""
    return _make_runs([(pk, part) for pk in sorted(predictions)], now)


def _make_runs(wanted: Sequence[tuple[int, str]], now: dt.datetime) -> int:
    gold = {version.split_id: version for version in GoldVersion.objects.current()}
    offered = Split.objects.filter(task__is_retired=False, pk__in=gold)
    scorers = {split: scorer_version(task) for split, task in offered.values_list("pk", "task__version")}
    known = {
        pk: (submission, split)
        for pk, submission, split in Predictions.objects.filter(
            pk__in={pk for pk, _part in wanted}, split__in=scorers
        )
        .exclude(OF_RETIRED_ITEMS)
        .values_list("pk", "submission_id", "split_id")
    }
    scored = set(current_runs().filter(predictions__in=known).values_list("predictions_id", "part"))
    state = (Status.PENDING, 0, "", "", now, now + DEADLINE)
    rows = [
        (submission, split, pk, gold[split].pk, scorers[split], part, *state)
        for pk, part in wanted
        if pk in known and (pk, part) not in scored
        for submission, split in [known[pk]]
    ]
    insert_rows(ScoringRun, _MADE, rows, ignore_conflicts=True)
    return len(rows)


def _restart_failed(submissions: Iterable[uuid.UUID], now: dt.datetime) -> None:
    """Only what a board could still use: a run under replaced gold labels stays as it ended."""
    ScoringRun.objects.filter(
        pk__in=current_runs().filter(submission_id__in=submissions, status=Status.FAILED).values("pk")
    ).update(
        status=Status.PENDING,
        error="",
        attempt=0,
        lease_token=None,
        lease_expires_at=None,
        hinted_at=None,
        finished_at=None,
        deadline_at=now + DEADLINE,
    )


def take_hints(now: dt.datetime, *, limit: int) -> list[list[uuid.UUID]]:
    """Due submissions that no worker has been told of for the length of a lease; marks them as told.

    Those that one worker is to score together are a group; the more wait, the larger they are.
    """
    unheard = ScoringRun.objects.due(now).filter(
        Q(hinted_at__isnull=True) | Q(hinted_at__lte=now - settings.SCORING_LEASE)
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
    of_items = JudgedAnswer.objects.filter(phase=run.submission.phase_id, split=run.split_id)
    number = (of_items.aggregate(last=Max("number"))["last"] or 0) + 1
    if number > compared.budget:
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
