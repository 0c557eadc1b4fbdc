"""Real mail servers that are away, fall silent or are slow: nobody gets a mail twice, and pages answer."""

import datetime as dt
import subprocess
import sys
from typing import Any

import pytest

from accounts.mail import outbox, smtp
from accounts.mail.outbox import Letter, put_in_post, send_due
from accounts.models import Mail, MailKind, User
from config.env import BASE_DIR
from tests.accounts.mail_servers import mail_server
from tests.conftest import NOW
from tests.ports import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("socket_enabled")]
PASSWORD = "a heron stands in the reeds"


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "SECONDS_TO_TAKE", 0.3)


@pytest.fixture
def away(settings: Any) -> None:
    """Nothing listens where the mail server should be."""
    settings.EMAIL_BACKEND = "accounts.mail.smtp.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()


def write(*people: User) -> None:
    letters = [Letter(user, "Toy, release 1", "Text.") for user in people]
    put_in_post(kind=MailKind.PUBLICATION, about="publication:toy:1", letters=letters, now=NOW)


def sent_for_days() -> Mail:
    for hour in range(72):
        send_due(NOW + dt.timedelta(hours=hour))
    return Mail.objects.get()


def test_a_server_that_takes_mail_is_sent_it_once(settings, owner):
    write(owner)
    with mail_server(settings) as server:
        assert sent_for_days().status == "sent"
    assert len(server.received) == 1


def test_what_a_server_had_before_it_fell_silent_is_not_sent_again(settings, owner):
    write(owner)
    with mail_server(settings, silent_at=".") as server:
        mail = sent_for_days()
    assert len(server.received) == 1
    assert mail.status == "failed"
    assert "may have arrived" in mail.error


def test_what_a_silent_server_never_had_is_sent_once_it_answers(settings, owner):
    write(owner)
    with mail_server(settings, silent_at="RCPT"):
        send_due(NOW)
    with mail_server(settings) as server:
        assert sent_for_days().status == "sent"
    assert len(server.received) == 1


def test_a_slow_server_does_not_keep_a_sweep_beyond_its_time(settings, owner, outsider, monkeypatch):
    monkeypatch.setattr(outbox, "SECONDS_PER_SWEEP", 0)
    write(owner, outsider)
    with mail_server(settings):
        assert send_due(NOW) == 1
        assert send_due(NOW) == 1


@pytest.mark.parametrize(
    "says",
    [
        {"RCPT": "550 5.1.1 no such mailbox"},
        {"RCPT": "553 not a mailbox of ours"},
        {".": "552 5.3.4 too large for this mailbox"},
    ],
)
def test_what_a_server_refuses_for_good_is_not_tried_again_and_stands_among_what_was_given_up(
    settings, owner, says
):
    write(owner)
    with mail_server(settings, says=says) as server:
        send_due(NOW)
        refused = Mail.objects.get()
        server.says.clear()
        assert sent_for_days().status == "failed"
    assert refused.attempts == Mail.objects.get().attempts == 1
    assert next(iter(says.values()))[4:] in refused.error


@pytest.mark.parametrize(
    "says",
    [
        {"RCPT": "451 4.7.1 come again in five minutes"},
        {".": "452 4.2.2 the mailbox is full"},
        {"RCPT": "550 5.7.1 relaying denied"},
        {"RCPT": "554 5.7.1 your address is on a list"},
        {"MAIL": "550 this sender may not write"},
    ],
)
def test_what_a_server_refuses_for_now_or_to_this_site_is_tried_again(settings, owner, says):
    write(owner)
    with mail_server(settings, says=says) as server:
        send_due(NOW)
        server.says.clear()
        assert sent_for_days().status == "sent"


def test_addresses_that_are_gone_do_not_hold_up_the_mail_of_others(settings):
    people = [User.objects.create_user(f"{number}@example.org") for number in range(6)]
    write(*people)
    with mail_server(settings, says={"RCPT": "550 5.1.1 no such mailbox"}):
        send_due(NOW)
    assert Mail.objects.filter(status="failed").count() == len(people)


@pytest.mark.parametrize("scheme", ["smtp", "smtp+tls", "smtp+ssl"])
def test_production_sends_over_the_connection_that_knows(scheme):
    environment = {
        "PATH": "/usr/bin:/bin",
        "HELDOUT_SECRET_KEY": "only for a test",
        "HELDOUT_EMAIL_URL": f"{scheme}://user:password@mail.example.org:587",
    }
    program = [sys.executable, "-c", "from config.settings import EMAIL_BACKEND; print(EMAIL_BACKEND)"]
    done = subprocess.run(program, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "accounts.mail.smtp.SmtpBackend"


@pytest.mark.usefixtures("away")
def test_people_sign_up_while_the_mail_server_is_away_and_are_told(client):
    form = {"email": "new@example.org", "name": "New", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post("/accounts/signup/", form, follow=True)
    assert page.status_code == 200
    assert "The mail to new@example.org could not be sent" in page.content.decode()
    assert "A mail is on its way" not in page.content.decode()
    assert User.objects.filter(email="new@example.org").exists()


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize("email", ["owner@example.org", "nobody@example.org"])
def test_who_has_forgotten_a_password_is_told_the_same_with_and_without_an_account(client, owner, email):
    page = client.post("/accounts/password/reset/", {"email": email}, follow=True)
    assert page.status_code == 200
    assert f"The mail to {email} could not be sent" in page.content.decode()
