"""Celery's share of mail and accounts."""

import datetime as dt

from celery import shared_task
from django.contrib.sessions.models import Session

from accounts.events.log import forget_old_events
from accounts.mail import outbox
from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from accounts.tokens.services import forget_ended_tokens


@shared_task(name="heldout.sweep.send_mail")
def send_mail() -> None:
    outbox.send_due(database_now())
    note_round("sending mail")


@shared_task(name="heldout.sweep.forget")
def forget() -> None:
    """Is something kept that nobody needs any more: old events of accounts, tokens and sessions that are over?"""
    now = database_now()
    forget_old_events(now)
    forget_ended_tokens(now)
    Session.objects.filter(expire_date__lt=now).delete()
    note_round("forgetting", late_after=dt.timedelta(hours=3))
