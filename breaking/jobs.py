"""Celery's share: is a break phase over, or a decision to be put into the gold labels? The database knows."""

from celery import shared_task

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from breaking.sets.scorer_duties import do_what_is_due


@shared_task(name="heldout.sweep.breaking")
def sweep() -> None:
    """A worker without the private key leaves it to the others."""
    do_what_is_due(database_now())
    note_round("preparing pairs")
