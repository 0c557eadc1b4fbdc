"""Celery's share: which units were not answered in time? The database knows."""

from celery import shared_task

from accounts.server.clock import database_now
from labelling.work.returns import return_lapsed


@shared_task(name="heldout.sweep.return_lapsed")
def return_lapsed_units() -> None:
    """Put units that were not answered in time on offer again."""
    return_lapsed(database_now())
