"""The weekly batch: closed at the cut-off, scored, and handed on to be released."""

import datetime as dt
import logging
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Subquery

from accounts.formats.instants import in_words
from benchmarks.editions import open_next_editions
from benchmarks.models import Phase
from benchmarks.querysets import PhaseQuerySet
from benchmarks.services import end_phase, mark_stale
from catalogue.disclosure.rule import NOISED
from scoring.disclosure.final_choice import choose_final_answers
from scoring.disclosure.judged_answers import judge_scores
from scoring.disclosure.lots import draw_lots
from scoring.item_sets.equity import assess_due
from scoring.log_entries import log_closing
from scoring.models import Batch, BatchEntry, Disclosed, GoldVersion, ScoringRun
from scoring.queue.failure_mail import tell_about_failures
from scoring.queue.quarantine import MOST_BATCHES, OF_THE_SERVER, quarantined
from scoring.queue.runs import give_up_overdue
from scoring.queue.wanted_runs import (
    DEADLINE,
    answers_to_score,
    current_runs,
    ensure_runs,
    lacking_runs,
    make_runs,
)
from submissions.models import Submission
from submissions.querysets import SubmissionQuerySet
from submissions.quota.slots import move_windows, refund_slots
from submissions.systems.status_transitions import Status, move

logger = logging.getLogger(__name__)

# Of runs: what is scored ahead of its cut-off is no batch's yet, and holds up none.
_IS_TAKEN_IN = Q(submission__batch_entries__isnull=False)


class CannotClose(Exception):
    """The phase cannot be closed by hand; the message says why."""


def close_due(now: dt.datetime) -> list[Batch]:
    """Close every phase whose cut-off has come. Asking twice, or from two places at once, closes once.

    After an outage each missed cut-off is closed in turn. What was under way at a cut-off and came in when its batch
    was closed already gets a batch of its own. Editions that follow those that close soon are made before.
    """
    open_next_editions(now)
    closed: list[Batch] = []
    broken: set[int] = set()
    while True:
        due = list(Phase.objects.due(now).exclude(pk__in=broken).select_related("benchmark"))
        if not due:
            break
        for phase in due:
            with _on_its_own(f"closing {phase}", phase.pk, broken):
                closed += [batch] if (batch := close_scheduled(phase, now)) else []
    # In the order of no column, so that each is named once.
    for late in list(_late(now).order_by().values_list("phase", flat=True).distinct()):
        with _on_its_own(f"closing phase {late}", late, broken):
            closed += [batch] if (batch := _close_late(late, now)) else []
    return closed


@contextmanager
def _on_its_own(doing: str, row: int, broken: set[int]) -> Iterator[None]:
    """What fails for one phase or batch is logged, noted in `broken`, and holds up no other."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        logger.error("%s met an unforeseen %s", doing, type(error).__name__)  # noqa: TRY400  # no traceback
        broken.add(row)


def close_scheduled(phase: Phase, now: dt.datetime) -> Batch | None:
    """Close one phase at its next cut-off; None where another process was faster or nothing was left to do.

    Where pairs are handed in there is nothing to score, and the phase just moves on.
    """
    cut_off_at = phase.next_cut_off_at
    with transaction.atomic():
        moved_on = Phase.objects.filter(pk=phase.pk, next_cut_off_at=cut_off_at).update(
            next_cut_off_at=phase.cut_off_after(cut_off_at)
        )
        if not moved_on or phase.kind == Phase.Kind.BREAK:
            return None
        return _close(phase, cut_off_at, now=now, is_release_wanted=False)


def _late(now: dt.datetime) -> SubmissionQuerySet:
    """What waits for a cut-off that has passed; right after every due one was closed, nobody will take it in.

    A phase with one cut-off may have been closed ahead of it while an upload was under way that waits for it now.
    """
    has_passed = Q(cut_off_at__lte=now) | Q(phase__weekday__isnull=True, phase__closes_at__lte=now)
    return Submission.objects.filter(has_passed, status=Status.ACCEPTED)


@transaction.atomic
def _close_late(phase_id: int, now: dt.datetime) -> Batch | None:
    """A batch of the late; None where another process was faster."""
    phase = Phase.objects.select_for_update(of=("self",)).select_related("benchmark").get(pk=phase_id)
    late = _late(now).filter(phase=phase)
    of_this_instant = Batch.objects.filter(phase=phase, cut_off_at=now)
    if phase.next_cut_off_at <= now or not late.exists() or of_this_instant.exists():
        return None  # if that instant's batch is closed, the next sweep opens one
    late.update(cut_off_at=now)
    return _close(phase, now, now=now, is_release_wanted=False)


@transaction.atomic
def close_now(*, phase: Phase, now: dt.datetime) -> Batch | None:
    """Close a phase ahead of its schedule, with everything accepted so far. A release follows in any case.

    A phase whose one cut-off is its close is over from then on, and what was to follow it opens. A phase in which
    pairs are handed in has no batch. Where a phase goes on every week, or is over already, its dates stay.

    Parameters
    ----------
    phase
        As whoever closes it has seen it.

    Raises
    ------
    CannotClose
        If it has not opened yet, is over and has nothing to score, or has been closed or moved by somebody else.
    """
    current = Phase.objects.select_for_update(of=("self",)).select_related("benchmark").get(pk=phase.pk)
    _refuse_to_close(current, phase, now)
    Submission.objects.filter(phase=current, status=Status.ACCEPTED, received_at__lte=now).update(
        cut_off_at=now
    )
    if ends_with_close(current, now):
        end_phase(phase=current, now=now)
        move_windows(phase=current, now=now)
    if current.kind == Phase.Kind.BREAK:
        return None
    batch = _close(current, now, now=now, is_release_wanted=True)
    assert batch is not None  # noqa: S101  # a release is wanted
    return batch


def ends_with_close(phase: Phase, at: dt.datetime) -> bool:
    """Whether closing a phase by hand ends it: one with a single cut-off is over then, unless it was before."""
    return phase.weekday is None and phase.closes_at is not None and at < phase.closes_at


def _refuse_to_close(current: Phase, seen: Phase, now: dt.datetime) -> None:
    if current.weekday is not None:
        return
    if (current.weekday, current.closes_at) != (seen.weekday, seen.closes_at):
        raise CannotClose(
            f"Somebody has closed {current.title} or moved its dates at this very moment. Nothing was done "
            "here; please look at the phase again."
        )
    if current.opens_at is not None and current.opens_at >= now:
        raise CannotClose(
            f"{current.title} opens on {in_words(current.opens_at)}, so there is nothing to close yet. "
            "To leave it out, change its dates."
        )
    if current.kind == Phase.Kind.BREAK and current.closes_at and not ends_with_close(current, now):
        raise CannotClose(f"{current.title} closed on {in_words(current.closes_at)} already.")


def _close(
    phase: Phase, cut_off_at: dt.datetime, *, now: dt.datetime, is_release_wanted: bool
) -> Batch | None:
    """Close a batch; None where a phase that is over has nothing left to score."""
    waiting = Submission.objects.due_at(phase, cut_off_at).exclude(pk__in=quarantined().values("pk"))
    can_be_scored = Exists(answers_to_score().filter(submission=OuterRef("pk")))
    due = list(waiting.exclude(~can_be_scored, status=Status.FAILED))
    is_last = phase.closes_at is not None and phase.closes_at <= cut_off_at
    values = {
        "closed_at": now,
        "status": Batch.Status.SCORING,
        "disclosure": phase.disclosure,
        "is_final": is_last,
    }
    batch, is_new = Batch.objects.get_or_create(phase=phase, cut_off_at=cut_off_at, defaults=values)
    move([submission.pk for submission in due], to=Status.SCORING, come_from=[Status.ACCEPTED, Status.FAILED])
    BatchEntry.objects.bulk_create(
        [BatchEntry(batch=batch, submission=submission) for submission in due], ignore_conflicts=True
    )
    created = ensure_runs([*due, *_to_score_anew(batch)], now=now, batch=batch)
    created += make_runs(draw_lots(batch), NOISED, now=now) if is_new else 0
    has_changed = bool(created) or _changed_since_last_batch(batch)
    # Corrections of a phase in which systems are built go into the releases of the scores, once there are any.
    scored = Batch.objects.filter(phase__benchmark=phase.benchmark_id, phase__kind=Phase.Kind.SCORE)
    is_shown_elsewhere = phase.kind == Phase.Kind.BUILD and scored.exists()
    if not (due or is_release_wanted or (has_changed and not is_shown_elsewhere)):
        if is_new and phase.is_over(cut_off_at):
            batch.delete()
            return None
        Batch.objects.filter(pk=batch.pk).update(status=Batch.Status.EMPTY, scored_at=now)
    mark_stale(phase.benchmark_id)
    batch.refresh_from_db()
    log_closing(batch, due)
    return batch


def _to_score_anew(batch: Batch) -> SubmissionQuerySet:
    """Of what stands on boards, that which lacks a run or has one that failed: after years of weeks hardly any."""
    shown = Submission.objects.countable().filter(phase__in=Phase.objects.shown_with(batch.phase))
    failed = current_runs().filter(status=ScoringRun.Status.FAILED)
    return shown.filter(Q(pk__in=lacking_runs(batch)) | Q(pk__in=failed.values("submission")))


def _changed_since_last_batch(batch: Batch) -> bool:
    """Whether another board follows without anything new: rows leave it, were scored anew, or are shown otherwise."""
    before = Batch.objects.filter(phase=batch.phase, cut_off_at__lt=batch.cut_off_at).first()
    if before is None:
        return False
    last = batch.phase.batches.filter(status__in=[Batch.Status.SCORED, Batch.Status.RELEASED]).first()
    if last and (last.disclosure, last.is_final) != (batch.disclosure, batch.is_final):
        return True
    shown = Phase.objects.shown_with(batch.phase)
    changed = Submission.objects.filter(_moved_since(before.cut_off_at), phase__in=shown)
    # A run's deadline is counted from when it was created or, after a failure, set going again.
    set_going = ScoringRun.objects.filter(
        _IS_TAKEN_IN, submission__phase__in=shown, deadline_at__gt=before.closed_at + DEADLINE
    )
    return changed.exists() or set_going.exists()


def _moved_since(instant: dt.datetime | OuterRef) -> Q:
    """Submissions that boards have lost since, or have again."""
    moved = (
        Q(ended_at__gt=instant)
        | Q(held_back_at__gt=instant, status=Status.PUBLISHED)  # others leave no board
        | Q(let_go_at__gt=instant)
    )
    return moved & Q(batch_entries__isnull=False)


def corrected_since_they_closed(slugs: Collection[str], now: dt.datetime) -> PhaseQuerySet:
    """Phases of these benchmarks that are over and get another release: by a new gold version, or moved submissions."""
    batches = Batch.objects.filter(phase=OuterRef("pk")).order_by("-cut_off_at")
    moved = Submission.objects.filter(_moved_since(OuterRef("last_closed_at")), phase=OuterRef("pk"))
    by_it = ScoringRun.objects.filter(gold_version=OuterRef("pk"), submission__phase=OuterRef(OuterRef("pk")))
    newer = GoldVersion.objects.current().filter(split__runs__submission__phase=OuterRef("pk"))
    over = Phase.objects.filter(benchmark__in=slugs, closes_at__lte=now)
    over = over.annotate(last_closed_at=Subquery(batches.values("closed_at")[:1]))
    corrected: PhaseQuerySet = over.filter(Exists(moved) | Exists(newer.exclude(Exists(by_it))))
    return corrected.select_related("benchmark")


def has_scored_batch() -> bool:
    """Whether a batch is being scored of whose phase no run is open any more: `finish_batches` may hand it on."""
    is_open = ScoringRun.objects.open().filter(_IS_TAKEN_IN, submission__phase=OuterRef("phase"))
    return bool(Batch.objects.scoring().exclude(Exists(is_open)).exists())


def finish_batches(now: dt.datetime) -> list[Batch]:
    """Hand on every batch that has nothing left to score; failed submissions never hold up the others."""
    give_up_overdue(now)
    assess_due(now)
    finished: list[Batch] = []
    broken: set[int] = set()
    for batch in Batch.objects.scoring().select_related("phase__benchmark").order_by("cut_off_at"):
        with _on_its_own(f"finishing {batch}", batch.pk, broken):
            finished += [batch] if _finish_if_scored(batch, now) else []
    return finished


def _finish_if_scored(batch: Batch, now: dt.datetime) -> bool:
    # Gold labels may have been replaced since the cut-off.
    ensure_runs(list(lacking_runs(batch)), now=now, batch=batch)
    shown = Phase.objects.shown_with(batch.phase)
    if ScoringRun.objects.open().filter(_IS_TAKEN_IN, submission__phase__in=shown).exists():
        return False
    # Judged ahead of the transaction: of a thousand systems it takes seconds, in which uploads would have to wait.
    complete = _completely_scored(batch)
    judged = judge_scores(batch, soon=complete, now=now)
    if (
        batch.is_final
        and batch.rule.keeps_back
        and not _are_final_answers_scored(batch, judged, complete, now)
    ):
        return False
    return _finish(batch, complete, judged, now)


@transaction.atomic
def _are_final_answers_scored(
    batch: Batch, judged: Sequence[Disclosed], complete: Collection[uuid.UUID], now: dt.datetime
) -> bool:
    """Choose the final answers once what was displayed is scored; False while these still have to be scored."""
    Disclosed.objects.bulk_create(judged, ignore_conflicts=True)
    choose_final_answers(batch, soon=complete)
    return not ensure_runs(list(lacking_runs(batch)), now=now, batch=batch)


@transaction.atomic
def _finish(
    batch: Batch, complete: Collection[uuid.UUID], judged: Sequence[Disclosed], now: dt.datetime
) -> bool:
    """Move batch and submissions on together, those that are complete as scored, and keep what was judged.

    False where another process was faster.
    """
    won = Batch.objects.filter(pk=batch.pk, status=Batch.Status.SCORING).update(
        status=Batch.Status.SCORED, scored_at=now
    )
    if not won:
        return False
    pending = batch.entries.filter(outcome=BatchEntry.Outcome.PENDING)
    submissions = [entry.submission for entry in pending.select_related("submission__system__team")]
    failed = [submission for submission in submissions if submission.pk not in complete]
    scored = [submission for submission in submissions if submission.pk in complete]
    move([submission.pk for submission in scored], to=Status.SCORED, come_from=[Status.SCORING])
    Disclosed.objects.bulk_create(judged, ignore_conflicts=True)
    failures = BatchEntry.objects.filter(submission__in=failed, outcome=BatchEntry.Outcome.FAILED)
    before = Counter(failures.values_list("submission", flat=True))
    for submission in failed:
        submission.status_reason = _reason(submission, before[submission.pk] + 1)
    # Those that were withdrawn meanwhile are not moved.
    moved = [
        submission
        for submission in failed
        if move(
            [submission.pk], to=Status.FAILED, come_from=[Status.SCORING], reason=submission.status_reason
        )
    ]
    refund_slots(submission for submission in moved if not before[submission.pk])
    pending.filter(submission__in=failed).update(outcome=BatchEntry.Outcome.FAILED)
    pending.filter(submission__in=scored).update(outcome=BatchEntry.Outcome.SCORED)
    tell_about_failures(batch, moved, now)
    return True


def _completely_scored(batch: Batch) -> set[uuid.UUID]:
    """The submissions of a batch that answer something that can be scored, and none of whose runs has failed.

    What has no run yet under the rule of the phase, or was not drawn, is scored as far as it can be.
    """
    answers = answers_to_score().filter(submission__batch_entries__batch=batch)
    failed = current_runs().filter(submission__batch_entries__batch=batch, status=ScoringRun.Status.FAILED)
    return set(answers.values_list("submission_id", flat=True).distinct()) - set(
        failed.values_list("submission_id", flat=True)
    )


def _reason(submission: Submission, batches: int) -> str:
    run = current_runs().filter(submission=submission, status=ScoringRun.Status.FAILED).first()
    if run is None:
        return (
            "No task that it answers can be scored now: it has no gold labels, or was taken out of the benchmark. Your "
            "slot was given back, and it is tried again once that changes."
        )
    fault = run.get_error_display()
    if run.error not in OF_THE_SERVER and batches >= MOST_BATCHES:
        return (
            f"{fault} It failed in {batches} batches and is quarantined: no further batch takes it in "
            "until the organiser has it scored again. Your slot was given back."
        )
    return f"{fault} Your slot was given back, and the next batch tries again."
