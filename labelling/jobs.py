"""Celery's share: which units were not answered in time, and which campaigns want an outcome? The database knows."""

from celery import shared_task

from accounts.server.clock import database_now
from labelling.outcomes.settling import settle_due
from labelling.work.returns import return_lapsed


@shared_task(name="heldout.sweep.return_lapsed")
def return_lapsed_units() -> None:
    """Put units that were not answered in time on offer again."""
    return_lapsed(database_now())


@shared_task(name="heldout.sweep.settle_campaigns")
def settle_campaigns() -> None:
    """Make the outcomes of campaigns that were closed."""
    settle_due(database_now())
