"""Celery's share of keeping. What is due once an hour is asked for more often, so that a restart skips none."""

import datetime as dt

from celery import shared_task

from accounts.server.clock import database_now
from accounts.server.worker_rounds import last_rounds, note_round
from operations.checking import check_and_tell

CHECKED_EVERY = dt.timedelta(hours=1)


@shared_task(name="heldout.sweep.check_invariants", soft_time_limit=900, time_limit=960)
def check_invariants() -> None:
    """Was it an hour ago that what always holds was checked?"""
    now = database_now()
    if _is_due("checking invariants", CHECKED_EVERY, now):
        check_and_tell(now)
        note_round("checking invariants", late_after=5 * CHECKED_EVERY)


def _is_due(name: str, every: dt.timedelta, now: dt.datetime) -> bool:
    seen_at = last_rounds().get(name)
    return seen_at is None or seen_at <= now - every
