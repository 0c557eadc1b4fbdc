"""What organisers decide about breakers' pairs and sets. None of it needs, or shows, a label."""

import datetime as dt
from collections.abc import Collection
from dataclasses import replace

from django.db import transaction

from accounts.models import User
from benchmarks.services import keep_made_split
from breaking.models import BreakerSet, Pair, PairFile
from breaking.querysets import lock_task
from catalogue.problems import quoted

Decision = Pair.Decision
_LONGEST_REASON = 500


class CannotDecide(Exception):
    """Nothing was changed; the message says why."""


def decide_pairs(
    *, pairs: Collection[Pair], admit: bool, reason: str, user: User | None, now: dt.datetime
) -> int:
    """Admit pairs that wait, or leave them out of their sets; returns how many were decided about.

    What was decided alike before stays as it is.

    Raises
    ------
    CannotDecide
        If a pair is left out without a reason, does not wait, or was decided about otherwise.
    """
    reason = _reason(reason, is_needed=not admit)
    decision = Decision.ADMITTED if admit else Decision.LEFT_OUT
    with transaction.atomic():
        rows = _locked(pairs)
        other = next((row for row in rows if row.decision not in (Decision.WAITING, decision)), None)
        if other is not None:
            raise CannotDecide(
                f"{quoted(other.changed_item)} of {other.pair_file.breaker} was "
                f"{other.get_decision_display()} {other.decided_by or ''} already. Have it wait again "
                "first."
            )
        waiting = Pair.objects.filter(pk__in=[row.pk for row in rows], decision=Decision.WAITING)
        return waiting.update(decision=decision, decision_reason=reason, decided_by=user, decided_at=now)


def undo_decisions(*, pairs: Collection[Pair], now: dt.datetime) -> int:
    """Have pairs wait again, as long as the phase is open; returns how many do now. CannotDecide."""
    with transaction.atomic():
        rows = _locked(pairs)
        for row in rows:
            phase = row.pair_file.phase
            if phase.closes_at is not None and phase.closes_at <= now:
                raise CannotDecide(f"{phase.title} is closed, so what was decided about its pairs stands.")
        decided = Pair.objects.filter(pk__in=[row.pk for row in rows]).exclude(decision=Decision.WAITING)
        return decided.update(decision=Decision.WAITING, decision_reason="", decided_by=None, decided_at=None)


def withdraw_file(*, pair_file: PairFile, reason: str, now: dt.datetime) -> PairFile:
    """Take a breaker's file out before a set is made of it. CannotDecide without a reason, or if that is too late."""
    reason = _reason(reason, is_needed=True)
    with transaction.atomic():
        lock_task(pair_file.task_id)
        row: PairFile = PairFile.objects.select_for_update().get(pk=pair_file.pk)
        if row.status != PairFile.Status.ACCEPTED:
            raise CannotDecide(f"The file is not counted any more: it was {row.get_status_display()}.")
        if BreakerSet.objects.filter(pair_file=row).exists():
            raise CannotDecide("A set was made of the file. Withdraw the set instead.")
        row.end(PairFile.Status.WITHDRAWN, reason, now)
        return row


def withdraw_set(*, breaker_set: BreakerSet, reason: str, now: dt.datetime, user: User | None) -> BreakerSet:
    """Have a set count in no score from the next release on.

    The set and what systems answered stay, and files of predictions that hold it are taken as before. `user` is None
    where its team has taken the pairs back. CannotDecide without a reason, or if it was withdrawn before.
    """
    reason = _reason(reason, is_needed=True)
    with transaction.atomic():
        row = _locked_set(breaker_set)
        if row.withdrawn_at is not None:
            raise CannotDecide(f"The set was withdrawn before: {row.withdrawal_reason}")
        mark_withdrawn(row, at=now, reason=reason, user=user)
        return row


@transaction.atomic
def restore_set(*, breaker_set: BreakerSet) -> BreakerSet:
    """Have a withdrawn set count again from the next release on. CannotDecide if it was not withdrawn."""
    row = _locked_set(breaker_set)
    if row.withdrawn_at is None:
        raise CannotDecide("The set counts already.")
    mark_withdrawn(row, at=None, reason="")
    return row


def _locked_set(breaker_set: BreakerSet) -> BreakerSet:
    lock_task(breaker_set.split.task_id)
    row: BreakerSet = BreakerSet.objects.select_for_update().get(pk=breaker_set.pk)
    return row


def mark_withdrawn(
    breaker_set: BreakerSet, *, at: dt.datetime | None, reason: str, user: User | None = None
) -> None:
    """Note since when a set is withdrawn, None if it is not; its task's row is held."""
    breaker_set.withdrawn_at, breaker_set.withdrawal_reason, breaker_set.withdrawn_by = at, reason, user
    breaker_set.save(update_fields=["withdrawn_at", "withdrawal_reason", "withdrawn_by"])
    split = breaker_set.split
    spec = replace(split.task.spec.split(split.slug), withdrawn=at is not None)
    keep_made_split(task=split.task, split=spec)


def _reason(reason: str, *, is_needed: bool) -> str:
    reason = " ".join(reason.split())
    if is_needed and not reason:
        raise CannotDecide("Say why: the team reads it.")
    if len(reason) > _LONGEST_REASON:
        raise CannotDecide(f"The reason has {len(reason)} characters; at most {_LONGEST_REASON} fit.")
    return reason


def _locked(pairs: Collection[Pair]) -> list[Pair]:
    """The rows as they are now, none of which others change meanwhile. CannotDecide if one is not to be decided."""
    wanted = Pair.objects.filter(pk__in=[pair.pk for pair in pairs]).order_by("pk")
    for task in sorted(set(wanted.values_list("pair_file__task", flat=True))):
        lock_task(task)
    related = wanted.select_related("pair_file__phase", "pair_file__breaker_set", "decided_by")
    rows = list(related.defer("pair_file__sealed"))
    for row in rows:
        file, name = row.pair_file, f"{quoted(row.changed_item)} of {row.pair_file.breaker}"
        if row.decision == Decision.FINE:
            raise CannotDecide(f"{name} is within the rule; there is nothing to decide about.")
        if file.status != PairFile.Status.ACCEPTED:
            status = file.get_status_display()
            raise CannotDecide(f"The file of {name} is not counted any more: it was {status}.")
        if hasattr(file, "breaker_set"):
            raise CannotDecide(f"A set was made of the file of {name}, so what was decided stands.")
    return rows
