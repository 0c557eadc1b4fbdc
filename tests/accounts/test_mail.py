"""Mail: sent once, by the sweep, to those who want it, and given up in the end."""

import datetime as dt
from typing import Any

import pytest
from django.core.mail import EmailMessage

from accounts.mail import outbox
from accounts.mail.outbox import Letter, put_in_post, send_due, wanting
from accounts.models import Mail, MailKind, User
from tests.conftest import NOW

LONG = "A word, and another. " * 12
ADDRESS = "http://localhost:8000/benchmarks/toy/releases/1/" + "x" * 60


def write(*people: User, about: str = "publication:toy:1", kind: MailKind = MailKind.PUBLICATION) -> None:
    letters = [Letter(user, "Toy, release 1: Larch is 1st", f"{LONG}\n\n  {ADDRESS}\n") for user in people]
    put_in_post(kind=kind, about=about, letters=letters, now=NOW)


def later(**delay: int) -> dt.datetime:
    return NOW + dt.timedelta(**delay)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Addresses that the mail server refuses for as long as they are in this set."""
    refused: set[str] = set()
    send = EmailMessage.send

    def send_or_refuse(message: Any, *args: Any, **options: Any) -> int:
        if refused & set(message.to):
            raise ConnectionRefusedError("no such mailbox")
        return send(message, *args, **options)

    monkeypatch.setattr(EmailMessage, "send", send_or_refuse)
    return refused


def test_what_is_in_the_post_is_sent_by_the_sweep_and_never_again(owner, mailoutbox):
    write(owner)
    assert mailoutbox == []

    send_due(NOW)
    send_due(later(days=2))

    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("Toy, release 1: Larch is 1st", ["owner@example.org"])


def test_nobody_is_written_to_twice_about_the_same(owner, mailoutbox):
    write(owner)
    send_due(NOW)
    write(owner)
    send_due(NOW)

    assert len(mailoutbox) == 1


@pytest.mark.parametrize("kind", MailKind)
def test_who_does_not_want_mail_of_a_kind_gets_none(kind, owner, outsider, mailoutbox):
    setattr(owner, f"mail_{kind.value}", False)
    owner.save()

    write(owner, outsider, kind=kind)
    send_due(NOW)

    assert [mail.to for mail in mailoutbox] == [["outsider@example.org"]]
    assert list(wanting(User.objects.all(), kind)) == [outsider]


def test_who_is_switched_off_gets_none(owner, mailoutbox):
    write(owner)
    User.objects.update(is_active=False)

    send_due(NOW)

    assert mailoutbox == []
    assert Mail.objects.get().status == "unwanted"


def test_one_that_is_refused_does_not_hold_up_the_others_and_is_tried_again(
    owner, outsider, refusing, mailoutbox
):
    refusing.add(owner.email)
    write(owner, outsider)
    send_due(NOW)
    assert [mail.to for mail in mailoutbox] == [["outsider@example.org"]]

    refusing.clear()
    send_due(later(seconds=30))
    assert len(mailoutbox) == 1
    send_due(later(minutes=1))

    assert [mail.to for mail in mailoutbox] == [["outsider@example.org"], ["owner@example.org"]]


def test_one_that_is_always_refused_is_given_up_and_says_why(owner, refusing):
    refusing.add(owner.email)
    write(owner)

    for day in range(20):
        send_due(later(days=day))

    mail = Mail.objects.get()
    assert (mail.status, mail.attempts) == ("failed", outbox.MAX_ATTEMPTS)
    assert mail.error == "ConnectionRefusedError: no such mailbox"


def test_one_whose_sending_was_cut_short_is_not_sent_again(owner, mailoutbox, monkeypatch):
    def die(self: Any) -> None:
        raise KeyboardInterrupt

    write(owner)
    with monkeypatch.context() as patched:
        patched.setattr(EmailMessage, "send", die)
        with pytest.raises(KeyboardInterrupt):
            send_due(NOW)

    send_due(later(days=1))

    assert mailoutbox == []
    assert Mail.objects.get().status == "failed"
    assert "may have arrived" in Mail.objects.get().error


@pytest.mark.usefixtures("db")
def test_a_server_that_is_down_is_not_asked_for_every_mail(refusing):
    people = [User.objects.create_user(f"{number}@example.org") for number in range(9)]
    refusing.update(user.email for user in people)
    write(*people)

    send_due(NOW)

    assert Mail.objects.filter(attempts=1).count() == outbox.FAILURES_IN_A_ROW
    assert Mail.objects.filter(status="waiting").count() == 9


def test_mail_says_to_programs_how_its_reader_unsubscribes(owner, mailoutbox):
    write(owner)
    send_due(NOW)

    message = mailoutbox[0].message()
    assert message["List-Unsubscribe"].startswith("<http://localhost:8000/unsubscribe/")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["List-Unsubscribe"].strip("<>") in mailoutbox[0].body
    assert message["Message-ID"] == f"<{Mail.objects.get().pk}@localhost>"
    assert message["Auto-Submitted"] == "auto-generated"


def test_lines_are_as_short_as_mail_wants_them_and_addresses_stay_whole(owner, mailoutbox):
    write(owner)
    send_due(NOW)

    lines = mailoutbox[0].body.splitlines()
    assert f"  {ADDRESS}" in lines
    assert [line for line in lines if len(line) > 76 and " " in line.strip()] == []


def test_a_line_break_in_a_name_does_not_end_the_subject(owner, mailoutbox):
    letter = Letter(owner, "Toy: Larch\nBcc: all@example.org", "Text.")
    put_in_post(kind=MailKind.FAILURE, about="failure:1", letters=[letter], now=NOW)
    send_due(NOW)

    assert mailoutbox[0].subject == "Toy: Larch Bcc: all@example.org"
