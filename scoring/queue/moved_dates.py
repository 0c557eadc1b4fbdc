"""Dates of a phase that organisers have moved: what waits follows them, and so do batches that are not out."""

import datetime as dt

from django.db import transaction

from benchmarks.models import Phase
from benchmarks.services import reschedule
from scoring.disclosure.final_choice import is_chosen
from scoring.models import Batch, BatchEntry
from scoring.queue.batches import close_scheduled
from submissions.systems.status_transitions import Status, follow_schedule, move


def would_rank_again(phase: Phase, closes_at: dt.datetime | None, now: dt.datetime) -> bool:
    """Whether that end would open a phase again behind its final, which tells of labels that it hid until then.

    Teams that know it would be ranked by these labels once more.
    """
    if _goes_on(phase.closes_at, now) or not _goes_on(closes_at, now) or phase.rule.shows_everything():
        return False
    return (
        is_chosen(phase)
        or Batch.objects.filter(phase=phase, is_final=True, status=Batch.Status.RELEASED).exists()
    )


def _goes_on(closes_at: dt.datetime | None, now: dt.datetime) -> bool:
    return closes_at is None or closes_at > now


@transaction.atomic
def follow_dates(*, phase: Phase, now: dt.datetime) -> int:
    """Have everything follow the dates of a phase as they are stored now, and read them anew into `phase`.

    A cut-off that had come, and that no sweep has closed yet, is closed as it was announced. Where a phase is open
    again whose last batch is not released, nothing may show what was to be shown at the end: a batch of a weekly phase
    is not the last one any more, and what a phase with one cut-off had taken in waits for the new one. Returns how many
    submissions do.
    """
    phase.refresh_from_db()
    is_open, has_one_cut_off = _goes_on(phase.closes_at, now), phase.weekday is None
    taken_back = _take_back(phase, now) if is_open else 0  # batch before benchmark, as publications lock them
    if phase.next_cut_off_at <= now and not (is_open and has_one_cut_off):
        close_scheduled(phase, now)
    reschedule(phase=phase, now=max(now, phase.opens_at or now))
    phase.refresh_from_db()
    follow_schedule(phase=phase, now=now)
    return taken_back


def _take_back(phase: Phase, now: dt.datetime) -> int:
    """The batches stay, with what they took in, because the log has them."""
    unreleased = Batch.objects.filter(phase=phase, is_final=True).exclude(status=Batch.Status.RELEASED)
    batches = list(unreleased.select_for_update().values_list("pk", flat=True))
    rows = Batch.objects.filter(pk__in=batches)
    if phase.weekday is not None:
        rows.update(is_final=False)
        return 0
    rows.update(is_final=False, status=Batch.Status.EMPTY, scored_at=now, set_aside_because="")
    entries = BatchEntry.objects.filter(batch__in=batches).values_list("submission", flat=True)
    return move([*entries], to=Status.ACCEPTED, come_from=[Status.SCORING, Status.SCORED])
