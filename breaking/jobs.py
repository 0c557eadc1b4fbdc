"""Celery's share: is a break phase over, or a decision to be put into the gold labels? The database knows."""

from __future__ import annotations

from celery import shared_task

from accounts.clock import database_now
from accounts.sweeps import note_round
from breaking.due import do_what_is_due


@shared_task(name="heldout.sweep.breaking")
def sweep() -> None:
    """A worker without the private key leaves it to the others."""
    do_what_is_due(database_now())
    note_round("preparing pairs")
