"""Slots of a team's quota, which are taken and given back."""

from __future__ import annotations

import datetime as dt

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from submissions.exceptions import QuotaUsedUp
from submissions.models import QuotaUse, Submission, System
from submissions.quota import window_of
from submissions.utc import day_in_utc, time_in_utc


def quota_window(system: System, phase: Phase, user: User, at: dt.datetime) -> dt.datetime | None:
    """The end of the window that the upload takes a slot of; None for baselines from the benchmark's organisers.

    The quota keeps teams from learning about the gold labels by trying. Organisers hold those themselves.
    """
    organised = Benchmark.objects.organised_by(user).filter(pk=phase.benchmark_id)
    if system.kind == System.Kind.BASELINE and organised.exists():
        return None
    return phase.cut_off_after(at)


def take_slot(submission: Submission) -> None:
    """One conditional UPDATE: of any number of uploads at once, exactly the quota gets through."""
    if submission.quota_window_ends_at is None:
        return
    phase = submission.phase
    key = {
        "team": submission.system.team,
        "phase": phase,
        "window_ends_at": submission.quota_window_ends_at,
    }
    QuotaUse.objects.bulk_create([QuotaUse(**key)], ignore_conflicts=True)
    taken = QuotaUse.objects.filter(**key, used__lt=phase.quota_limit).update(used=F("used") + 1)
    if not taken:
        raise QuotaUsedUp(
            _(
                "Your team has used all %(limit)s submissions %(window)s. The next slot opens at the cut-off, "
                "%(day)s, %(time)s UTC."
            )
            % {
                "limit": phase.quota_limit,
                "window": window_of(phase),
                "day": day_in_utc(submission.quota_window_ends_at),
                "time": time_in_utc(submission.quota_window_ends_at),
            },
            next_slot_at=submission.quota_window_ends_at,
        )


def refund_slot(submission: Submission) -> None:
    """Give the team its slot back, if the submission took one."""
    if submission.quota_window_ends_at is None:
        return
    QuotaUse.objects.filter(
        team=submission.system.team,
        phase=submission.phase,
        window_ends_at=submission.quota_window_ends_at,
        used__gt=0,
    ).update(used=F("used") - 1)
