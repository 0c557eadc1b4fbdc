"""The sweep of the mail, as beat starts it."""

import pytest

from accounts.jobs import send_mail
from accounts.mail.outbox import Letter, put_in_post
from accounts.models import MailKind
from accounts.server.clock import database_now
from accounts.server.worker_rounds import last_rounds
from config.celery import app

pytestmark = pytest.mark.postgres


def test_beat_has_waiting_mail_sent_and_the_round_is_noted(owner, mailoutbox):
    letter = Letter(owner, "Subject", "Text.")
    put_in_post(kind=MailKind.FAILURE, about="failure:1", letters=[letter], now=database_now())

    send_mail()

    assert [mail.subject for mail in mailoutbox] == ["Subject"]
    assert "sending mail" in last_rounds()
    assert send_mail.name in {entry["task"] for entry in app.conf.beat_schedule.values()}
