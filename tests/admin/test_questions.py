"""Participants ask the organisers, who answer one or everybody."""

import datetime as dt

import pytest
from django.test import Client

from accounts.mail.outbox import send_due
from accounts.models import User
from benchmarks.models import Benchmark, ParticipantQuestion
from benchmarks.notices.questions import MOST_OPEN, answer_question, ask_organisers
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from tests.admin.conftest import PRESENT
from tests.conftest import NOW, person
from tests.pages import browser_of, text_of

pytestmark = pytest.mark.django_db
ASK = "/benchmarks/toy/ask/"
LATER = NOW + dt.timedelta(hours=1)


def asked(toy: Benchmark, user: User, text: str = "Are emojis kept?") -> ParticipantQuestion:
    return ask_organisers(benchmark=toy, user=user, text=text, now=NOW)


def everybodys_page() -> str:
    refresh_stale()
    return bytes(Page.objects.get(pk="/benchmarks/toy/questions/").body).decode()


def answered(question: ParticipantQuestion, organiser: User, **words: str) -> None:
    said = {"answer": "Yes.", "public_text": ""} | words
    answer_question(participant_question=question, **said, user=organiser, now=LATER)


def test_organisers_get_a_mail_and_a_line_on_their_first_page(toy, organiser, owner, mailoutbox):
    browser = browser_of(owner)
    answer = browser.post(ASK, {"text": "Are emojis kept?"}, follow=True)
    assert "Your question was sent" in text_of(answer)
    assert "Not answered yet" in text_of(answer)
    assert [mail.to for mail in mailoutbox] == [["organiser@example.org"]]
    assert "Are emojis kept?" in mailoutbox[0].body
    assert "1 question" in text_of(browser_of(organiser).get("/admin/", follow=True))


def test_an_answer_to_one_reaches_whoever_asked_and_no_page(toy, organiser, owner, mailoutbox):
    question = asked(toy, owner)
    answered(question, organiser)
    send_due(PRESENT)
    told = [mail for mail in mailoutbox if mail.to == [owner.email]]
    assert ["Yes." in mail.body for mail in told] == [True]
    assert "Yes." in text_of(browser_of(owner).get(ASK))
    assert "Yes." not in text_of(browser_of(person("another")).get(ASK))
    assert "Are emojis kept?" not in everybodys_page()


def test_an_answer_to_everybody_stands_in_the_organisers_words_and_without_a_name(toy, organiser, owner):
    question = asked(toy, owner, "I am Ada of North. Are emojis kept?")
    answered(question, organiser, public_text="Are emojis kept?")
    page = everybodys_page()
    assert "Are emojis kept?" in page
    assert "Yes." in page
    assert "Ada" not in page
    assert str(owner) not in page


def test_a_mended_answer_is_not_mailed_again(toy, organiser, owner, mailoutbox):
    question = asked(toy, owner)
    answered(question, organiser)
    answered(question, organiser, answer="No.")
    send_due(PRESENT)
    assert len([mail for mail in mailoutbox if mail.to == [owner.email]]) == 1
    assert "No." in text_of(browser_of(owner).get(ASK))


def test_a_question_that_is_sent_twice_is_one_question(toy, organiser, owner, mailoutbox):
    browser = browser_of(owner)
    for _ in range(2):
        assert "Your question was sent" in text_of(
            browser.post(ASK, {"text": "Are emojis kept?"}, follow=True)
        )

    assert ParticipantQuestion.objects.count() == len(mailoutbox) == 1


def test_nobody_floods_the_organisers(toy, owner):
    for number in range(MOST_OPEN):
        asked(toy, owner, f"Question {number}?")
    answer = browser_of(owner).post(ASK, {"text": "One more?"})
    assert (answer.status_code, "wait for an answer" in text_of(answer)) == (422, True)
    assert ParticipantQuestion.objects.count() == MOST_OPEN


def test_strangers_sign_in_first(toy):
    assert Client().get(ASK).status_code == 302


def test_an_organiser_answers_in_the_admin(toy, organiser, owner):
    question = asked(toy, owner)
    address = f"/admin/benchmarks/participantquestion/{question.pk}/answer_it/"
    browser = browser_of(organiser)
    browser.post(address, {"confirmed": "1", "answer": "Yes, all.", "public_text": "Emojis?"})
    question.refresh_from_db()
    assert (question.answer, question.public_text, question.answered_by) == (
        "Yes, all.",
        "Emojis?",
        organiser,
    )
