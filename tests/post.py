"""The mail that waits, sent as the sweep sends it."""

import datetime as dt

from django.core import mail
from django.core.mail import EmailMessage

from accounts.mail.outbox import send_due
from accounts.models import Mail

LATER = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)


def sent() -> list[EmailMessage]:
    """Everything that was sent, after nothing waits any more."""
    while Mail.objects.filter(status=Mail.Status.WAITING).exists():
        send_due(LATER)
    found: list[EmailMessage] = mail.outbox
    return found
