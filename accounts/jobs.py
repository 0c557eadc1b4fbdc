"""Celery's share of mail."""

from celery import shared_task

from accounts.mail import outbox
from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round


@shared_task(name="heldout.sweep.send_mail")
def send_mail() -> None:
    outbox.send_due(database_now())
    note_round("sending mail")
