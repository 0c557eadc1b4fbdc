"""Organisers write to those who take part: who gets it is shown first, and nobody gets it twice."""

import re
from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.mail.outbox import send_due
from accounts.models import AuditEntry, Mail, User
from benchmarks.notices.models import Mailing
from benchmarks.notices.services import accept_terms, write_terms
from leaderboard.mail.mailings import Audience, recipients
from submissions.exceptions import UploadRefused
from submissions.models import Submission, System
from tests.admin.conftest import PRESENT, submit
from tests.breakers import hand_in, load_starters
from tests.conftest import NOW
from tests.pages import browser_of

pytestmark = pytest.mark.django_db
WRITE = "/admin/benchmarks/benchmark/toy/write_mail/"
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)"(?: value="([^"]*)")?')


@pytest.fixture
def browser(organiser: User) -> Client:
    return browser_of(organiser)


@pytest.fixture
def submission(system: System, phase: Any, owner: User) -> Submission:
    return submit(system, phase, owner, NOW)


def preview(browser: Client, **fields: str) -> str:
    written = {
        "audience": "submitted",
        "phase": "",
        "subject": "A fault",
        "text": "One label was wrong.\n\nSorry.",
    }
    return unescape(browser.post(WRITE, written | fields).content.decode())


def confirm(browser: Client, page: str) -> Any:
    return browser.post(WRITE, dict(HIDDEN.findall(page)) | {"confirmed": "yes"})


def addresses(toy: Any, audience: Audience, phase: Any = None) -> list[str]:
    return [one.email for one in recipients(toy, audience, phase, PRESENT)]


def test_preview_shows_the_mail_and_everybody_who_gets_it_and_sends_nothing(browser, submission, teammate):
    page = preview(browser)

    assert "Send this mail to 2 people?" in page
    assert "Toy: A fault" in page
    assert "One label was wrong." in page
    for one in ("owner@example.org", "teammate@example.org"):
        assert one in page
    assert not Mail.objects.exists()


def test_the_reason_is_asked_for_on_the_page_that_sends(browser, submission):
    assert 'name="reason"' not in browser.get(WRITE).content.decode()
    assert 'name="reason"' in preview(browser)


def test_preview_shows_the_footer_that_is_sent(browser, submission):
    page = preview(browser)
    confirm(browser, page)
    send_due(PRESENT)

    footer = mail.outbox[0].body.partition("\n-- \n")[2].splitlines()
    common = [line for line in footer if "/unsubscribe/" not in line]
    assert len(common) == len(footer) - 1
    assert all(line in page for line in common)
    assert "/unsubscribe/" not in page


def test_confirmed_each_gets_one_mail_and_the_list_says_what_became_of_it(browser, submission, teammate):
    answer = confirm(browser, preview(browser))
    send_due(PRESENT)

    assert sorted(one.to for one in mail.outbox) == [["owner@example.org"], ["teammate@example.org"]]
    assert mail.outbox[0].subject == "Toy: A fault"
    assert "List-Unsubscribe" in mail.outbox[0].extra_headers
    shown = browser.get(answer["Location"]).content.decode()
    assert shown.count("teammate@example.org") == 1
    assert ">sent<" in shown


def test_pressed_twice_sends_one(browser, submission):
    page = preview(browser)
    confirm(browser, page)
    confirm(browser, page)
    send_due(PRESENT)

    assert (Mailing.objects.count(), len(mail.outbox)) == (1, 1)


def test_somebody_who_came_meanwhile_is_shown_before_anything_is_sent(browser, submission, request):
    page = preview(browser)
    request.getfixturevalue("teammate")

    answer = confirm(browser, page).content.decode()

    assert "has changed since you looked" in answer
    assert "teammate@example.org" in answer
    assert not Mail.objects.exists()


def test_who_wants_no_mail_from_organisers_gets_none(browser, submission, owner):
    User.objects.filter(pk=owner.pk).update(mail_organiser=False)

    assert "Nobody would get this mail" in preview(browser)


def test_baselines_and_withdrawn_submissions_are_nobodys(toy, submission):
    assert addresses(toy, Audience.SUBMITTED) == ["owner@example.org"]
    System.objects.update(kind=System.Kind.BASELINE)
    assert addresses(toy, Audience.SUBMITTED) == []


def test_faulty_are_those_whose_submission_failed_or_whose_file_was_refused_in_this_window(
    toy, system, phase, owner
):
    assert addresses(toy, Audience.FAULTY) == []
    with pytest.raises(UploadRefused):
        submit(system, phase, owner, NOW, mood="good good sad bad good bad")

    assert [one.email for one in recipients(toy, Audience.FAULTY, phase, NOW)] == ["owner@example.org"]
    assert addresses(toy, Audience.FAULTY) == []  # the week is over


def test_failed_submissions_count_however_old(toy, submission):
    Submission.objects.update(status=Submission.Status.FAILED)

    assert addresses(toy, Audience.FAULTY) == ["owner@example.org"]


def test_absent_are_those_who_accepted_terms_and_sent_nothing(toy, phase, submission, outsider):
    write_terms(benchmark=toy, text="Be fair.", by=None, now=NOW)
    accept_terms(user=outsider, benchmark=toy, version=1, now=NOW)

    assert addresses(toy, Audience.ABSENT, phase) == ["outsider@example.org"]


def test_breakers_are_the_teams_whose_pairs_count(games, team):
    load_starters(games)
    hand_in(games, team)

    assert addresses(games, Audience.BREAKERS, games.phases.get(kind="break")) == ["owner@example.org"]
    assert addresses(games, Audience.BREAKERS, games.phases.get(kind="build")) == []


def test_another_organiser_cannot_write_to_them(stranger, submission):
    assert browser_of(stranger).get(WRITE).status_code == 404
    assert confirm(browser_of(stranger), "").status_code == 404
    assert not Mail.objects.exists()


def test_missing_subject_and_phase_are_asked_for(browser, submission):
    assert "This field is required." in preview(browser, subject="")
    assert "Choose the phase in which they have no submission." in preview(browser, audience="absent")


def test_what_did_not_get_through_is_sent_again_to_those_alone_whom_it_did_not_reach(
    browser, submission, teammate
):
    page = confirm(browser, preview(browser))["Location"]
    send_due(PRESENT)
    assert "Send again" not in browser.get(page).content.decode()
    lost = Mail.objects.filter(user=teammate)
    lost.update(status=Mail.Status.FAILED, attempts=7, error="SMTPServerDisconnected: gone")
    button = page.replace("/change/", "/send_again/")

    assert button in browser.get(page).content.decode()
    question = browser.get(button).content.decode()
    assert "SMTPServerDisconnected: gone" in question
    assert "owner@example.org" not in question
    assert lost.get().status == Mail.Status.FAILED
    browser.post(button, {"confirmed": "yes", "reason": "The server was down."})
    send_due(lost.get().due_at)

    assert [one.to for one in mail.outbox][2:] == [["teammate@example.org"]]
    assert AuditEntry.objects.get(kind="send again").reason == "The server was down."
