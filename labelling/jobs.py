"""Celery's share: what was not answered in time, which texts wait for a model, which campaigns want an outcome?"""

from celery import shared_task

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from labelling.outcomes.figures import figures_due
from labelling.outcomes.settling import settle_due
from labelling.predictors import asking
from labelling.work.returns import return_lapsed


@shared_task(name="heldout.sweep.return_lapsed")
def return_lapsed_units() -> None:
    """Put units that were not answered in time on offer again."""
    return_lapsed(database_now())


@shared_task(name="heldout.sweep.settle_campaigns")
def settle_campaigns() -> None:
    """Make the outcomes of campaigns that were closed."""
    now = database_now()
    figures_due(now)
    settle_due(now)


@shared_task(name="heldout.sweep.train_models")
def train_models() -> None:
    """Were texts given that a model is to be trained on?"""
    asking.train_due(database_now())
    note_round("training models")


@shared_task(name="heldout.sweep.ask_models")
def ask_models() -> None:
    """Does somebody wait for what a model says of their text?"""
    asking.ask_due(database_now())
    note_round("asking models")
