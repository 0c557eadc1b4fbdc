"""Celery's share of publication."""

from __future__ import annotations

from celery import shared_task

from accounts.clock import database_now
from accounts.sweeps import note_round
from leaderboard import services
from leaderboard.pairing import make_next_tests
from leaderboard.watching import watch_batches


@shared_task(name="heldout.sweep.publish_ready")
def publish_ready() -> None:
    """Is a scored batch waiting for its release, or a page out of date?"""
    services.publish_ready(database_now())
    services.enter_in_ledger()
    services.refresh_stale()
    watch_batches(database_now())
    make_next_tests(database_now())
    note_round("publishing")
