"""Which mail a person wants: the page, and the link in every mail."""

from typing import Any

import pytest
from django.test import Client

from accounts.mail.outbox import unsubscribe_token
from accounts.models import Mail, MailKind, User
from tests.conftest import NOW
from tests.pages import browser_of, text_of


@pytest.fixture
def link(owner: User) -> str:
    return f"/unsubscribe/{unsubscribe_token(owner, MailKind.PUBLICATION)}/"


def wanted(user: User) -> tuple[bool, bool, bool]:
    user.refresh_from_db()
    return user.mail_publication, user.mail_failure, user.mail_organiser


def test_kinds_of_mail_are_switched_off_and_on_again(owner):
    browser = browser_of(owner)

    browser.post("/account/mail/", {"mail_organiser": "on"})
    assert wanted(owner) == (False, False, True)
    browser.post("/account/mail/", {"mail_publication": "on", "mail_failure": "on"})
    assert wanted(owner) == (True, True, False)


def test_a_mail_program_unsubscribes_its_reader_without_session_or_token(link, owner):
    program = Client(enforce_csrf_checks=True)

    answer: Any = program.post(link, "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded")

    assert (answer.status_code, wanted(owner)) == (200, (False, True, True))
    assert answer.cookies == {}


def test_opening_the_link_changes_nothing_and_shows_a_button(link, owner):
    page = text_of(browser_of(None).get(link))

    assert wanted(owner) == (True, True, True)
    assert "owner@example.org" in page
    assert '<form class="tools" method="post"><button' in page


@pytest.mark.parametrize("token", ["none", "W10:1a:x", "a:b"])
def test_a_broken_link_changes_nothing_and_says_what_to_do(token, owner):
    answer = browser_of(None).post(f"/unsubscribe/{token}/")

    assert (answer.status_code, wanted(owner)) == (404, (True, True, True))


def test_nobody_makes_a_link_for_somebody_else(link, owner, outsider):
    forged = unsubscribe_token(outsider, MailKind.FAILURE)
    _, signature = link.strip("/").split("/")[1].split(":", 1)

    answer = browser_of(None).post(f"/unsubscribe/{forged.split(':', 1)[0]}:{signature}/")

    assert (answer.status_code, wanted(outsider)) == (404, (True, True, True))


def test_who_has_switched_it_off_already_is_told_so(link, owner):
    browser_of(None).post(link)

    assert "is no longer written to about" in text_of(browser_of(None).get(link))


def test_staff_read_which_mail_was_given_up_and_why(owner, staff):
    Mail.objects.create(
        user=owner,
        kind=MailKind.FAILURE,
        about="failure:1",
        subject="Toy: Larch could not be scored",
        text="Text.",
        status=Mail.Status.FAILED,
        error="SMTPRecipientsRefused: no such mailbox",
        created_at=NOW,
        due_at=NOW,
    )

    page = text_of(browser_of(staff).get("/admin/accounts/mail/?status__exact=failed"))

    assert "Toy: Larch could not be scored" in page
    assert "SMTPRecipientsRefused: no such mailbox" in page


@pytest.mark.parametrize("status", [Mail.Status.FAILED, Mail.Status.SENT])
def test_staff_send_again_what_was_given_up_and_nothing_else(owner, staff, status):
    row = Mail.objects.create(
        user=owner,
        kind=MailKind.FAILURE,
        about="failure:1",
        subject="Larch could not be scored",
        text="Text.",
        status=status,
        error="no such mailbox",
        attempts=7,
        created_at=NOW,
        due_at=NOW,
    )
    browser, page = browser_of(staff), "/admin/accounts/mail/"
    chosen = {"action": "send_again", "_selected_action": [str(row.pk)]}

    asked = text_of(browser.post(page, chosen, follow=True))
    row.refresh_from_db()
    assert row.status == status
    assert ("owner@example.org: Larch could not be scored (no such mailbox)" in asked) == (
        status == Mail.Status.FAILED
    )
    browser.post(page, chosen | {"confirmed": "yes"})

    row.refresh_from_db()
    assert row.status == (Mail.Status.WAITING if status == Mail.Status.FAILED else status)
    assert row.attempts == (0 if status == Mail.Status.FAILED else 7)
