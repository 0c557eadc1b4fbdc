"""Celery's share of the log."""

from celery import shared_task

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from transparency import services


@shared_task(name="heldout.sweep.sign_log")
def sign_log() -> None:
    """Has something come to the log that is not signed yet?"""
    services.sign_log(database_now())
    note_round("signing the log")
