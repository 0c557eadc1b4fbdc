"""Which scoring runs the submissions of a phase are to have, and those that they lack."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Sequence

from django.db.models import CharField, Count, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from benchmarks.models import ItemRenewal, Phase, Split
from catalogue.disclosure.rule import ALL, NOISED
from scoring.core.engine import SCORER_VERSION
from scoring.disclosure.standings import final_answers
from scoring.gold.rankings import part_that_ranks
from scoring.models import Batch, GoldVersion, ScoringRun
from scoring.queue.row_writing import insert_rows
from scoring.run_scoring import scorer_version
from submissions.models import Predictions, Submission

Status = ScoringRun.Status

DEADLINE = dt.timedelta(hours=6)
_MADE = (
    *("submission", "split", "predictions", "gold_version", "scorer_version", "part", "status", "attempt"),
    *("error", "code_commit", "created_at", "deadline_at"),
)

# Predictions of a set of items that was renewed since: they are scored no more, and stay as they were published.
OF_RETIRED_ITEMS = Exists(
    ItemRenewal.objects.filter(split=OuterRef("split"), renewed_at__gt=OuterRef("submission__received_at"))
)


def current_runs() -> QuerySet[ScoringRun]:
    """Runs under the current gold labels, the current scorer and the task as it is now; none of retired tasks."""
    version = Concat(Value(f"{SCORER_VERSION}."), Cast("split__task__version", CharField()))
    current = ScoringRun.objects.filter(
        gold_version__in=GoldVersion.objects.current(), scorer_version=version
    )
    return current.filter(split__task__is_retired=False)


def answers_to_score() -> QuerySet[Predictions]:
    """Those with gold labels, for tasks that are not retired and items that have not been renewed since."""
    splits = {"split__in": GoldVersion.objects.values("split_id"), "split__task__is_retired": False}
    return Predictions.objects.filter(**splits).exclude(OF_RETIRED_ITEMS)


def lacking_runs(batch: Batch) -> QuerySet[Submission]:
    """Submissions whose scores belong on a batch's board, but under gold or metrics that have changed since.

    Of splits of which as many answers are scored as there are none is read. Of the others two plain lists are compared
    here and not in the database: as one statement with NOT EXISTS, PostgreSQL took minutes over it where its statistics
    were older than the rows.
    """
    waiting = Submission.objects.filter(
        phase__in=Phase.objects.shown_with(batch.phase),
        status__in=(Submission.Status.SCORING, Submission.Status.SCORED, Submission.Status.PUBLISHED),
    )
    scored = current_runs().filter(submission__in=waiting).exclude(OF_RETIRED_ITEMS)
    wanted = answers_to_score().filter(submission__in=waiting)
    parts = WantedParts(batch)
    doubtful = _doubtful_splits(wanted, scored, parts)
    if not doubtful:
        return Submission.objects.none()
    known = set(scored.filter(split__in=doubtful).values_list("predictions_id", "part"))
    lacking = {
        submission
        for pk, submission, split in wanted.filter(split__in=doubtful).values_list(
            "pk", "submission_id", "split_id"
        )
        if any((pk, part) not in known for part in parts.of(submission, split))
    }
    return Submission.objects.filter(pk__in=lacking)


def _doubtful_splits(
    wanted: QuerySet[Predictions], scored: QuerySet[ScoringRun], parts: "WantedParts"
) -> set[int]:
    """Splits of which not as many answers are scored as there are, or of which some are scored on more items.

    There is one current run of an answer and a part at most, so that what is scored as often as it is there lacks none.
    """
    answers = dict(wanted.order_by().values_list("split").annotate(Count("pk")))
    groups = scored.order_by().values_list("split", "part").annotate(Count("pk"))
    runs = {(split, part): count for split, part, count in groups}
    return parts.of_some_answers() | {
        split
        for split, count in answers.items()
        if any(runs.get((split, part), 0) != count for part in parts.of_all_answers(split))
    }


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
        parts = self.of_all_answers(split)
        if (submission, split) in self._finals:
            parts |= _scored({self._at_end.get(split), self._over_all[split]})
        return parts

    def of_all_answers(self, split: int) -> set[str]:
        """Those on which every answer for a split is scored."""
        is_displayed = not self._is_final or self._keeps_back
        return _scored({(self._before if is_displayed else self._at_end).get(split)})

    def of_some_answers(self) -> set[int]:
        """The splits of which chosen answers are scored on more."""
        return {split for _submission, split in self._finals}


def _scored(parts: set[str | None]) -> set[str]:
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
