"""What becomes of a form that is sent twice, or to a site that has meanwhile forgotten who sent it."""

import pytest

from benchmarks.notices.models import ParticipantQuestion
from tests.browser.steps import file_of, main_of, sees, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTION = "May a system be trained on the development data,\nor is that for tuning alone?"
SLOW = {"offline": False, "latency": 800, "downloadThroughput": -1, "uploadThroughput": -1}
ASK = "/benchmarks/toy/ask/"


@pytest.fixture
def asking(page, toy, owner):
    """A participant who has typed a question."""
    sign_in(page, owner.email, "owner-password")
    page.goto(ASK)
    page.get_by_label("Your question").fill(QUESTION)
    return page


def answer_to_sign_in(page) -> None:
    page.get_by_label("E-mail address").fill("owner@example.org")
    page.get_by_label("Password").fill("owner-password")
    page.get_by_role("button", name="Sign in").click()


def test_a_button_that_is_pressed_twice_sends_once(asking):
    sent = []
    asking.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)

    asking.context.new_cdp_session(asking).send("Network.emulateNetworkConditions", SLOW)

    button = asking.get_by_role("button", name="Send the question")
    button.evaluate("button => { button.click(); setTimeout(() => button.click(), 200); }")

    sees(asking, "Your questions")
    assert len(sent) == 1
    assert ParticipantQuestion.objects.count() == 1


def test_what_was_typed_stands_there_again_after_signing_in_anew_and_is_sent_then(asking):
    asking.context.clear_cookies(name="heldout_session")
    asking.get_by_role("button", name="Send the question").click()
    sees(asking, "No account yet?")

    answer_to_sign_in(asking)

    sees(asking, "It seems that this was not taken.")
    assert asking.get_by_label("Your question").input_value() == QUESTION
    asking.get_by_role("button", name="Send the question").click()
    asking.wait_for_url(lambda url: True)
    sees(asking, "Your question")
    assert ParticipantQuestion.objects.get().text.split() == QUESTION.split()
    assert "It seems that this was not taken." not in main_of(asking)


def test_a_page_that_somebody_signed_in_beside_gives_back_what_was_typed(asking):
    beside = asking.context.new_page()
    beside.goto("/accounts/logout/")
    beside.locator("main").get_by_role("button", name="Sign out", exact=True).click()
    beside.goto("/accounts/login/")
    answer_to_sign_in(beside)
    sees(beside, "My submissions")

    asking.get_by_role("button", name="Send the question").click()
    sees(asking, "The form had expired")
    asking.get_by_role("link", name="Reload the page").click()

    sees(asking, "It seems that this was not taken.")
    assert asking.get_by_label("Your question").input_value() == QUESTION


def test_what_was_typed_is_kept_from_somebody_else_who_signs_in_at_that_tab(asking, outsider):
    outsider.set_password("outsider-password")
    outsider.save()
    asking.context.clear_cookies(name="heldout_session")
    asking.get_by_role("button", name="Send the question").click()
    sees(asking, "No account yet?")

    asking.get_by_label("E-mail address").fill(outsider.email)
    asking.get_by_label("Password").fill("outsider-password")
    asking.get_by_role("button", name="Sign in").click()

    asking.wait_for_url(f"**{ASK}")
    assert asking.get_by_label("Your question").input_value() == ""
    assert "tuning alone" not in asking.evaluate("JSON.stringify(sessionStorage)")


def test_what_was_sent_does_not_come_back(asking):
    asking.get_by_role("button", name="Send the question").click()
    asking.wait_for_load_state("networkidle")
    asking.goto("/accounts/login/")
    asking.goto(ASK)

    assert asking.get_by_label("Your question").input_value() == ""


def test_an_upload_that_meets_an_ended_session_leads_to_sign_in_and_back_to_what_was_chosen(
    page, system, phase, owner
):
    sign_in(page, owner.email, "owner-password")
    page.goto("/submit/?benchmark=toy")
    page.get_by_label("Task").select_option("mood")
    page.locator("input[type=file]").set_input_files(file_of("mood.csv", b"id,label\n"))
    page.context.clear_cookies(name="heldout_session")
    page.get_by_role("button", name="Upload and check").click()
    sees(page, "No account yet?")

    answer_to_sign_in(page)

    sees(page, "A file has to be chosen again.")
    assert page.get_by_label("Task").input_value() == "mood"


def focused(page) -> str:
    page.wait_for_load_state()
    named: str = page.evaluate("document.activeElement.name || document.activeElement.innerText")
    return named


def test_a_form_that_was_not_taken_begins_with_what_is_wrong(page, owner):
    page.goto("/accounts/signup/")
    page.get_by_label("E-mail address").fill("new@example.org")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Sign up").click()
    sees(page, "This password is too short.")
    assert focused(page) == "password1"
    described = page.locator(":focus").get_attribute("aria-describedby")
    assert "too short" in "".join(page.locator(f"[id='{one}']").inner_text() for one in described.split())

    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(owner.email)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    sees(page, "not correct")
    assert "not correct" in focused(page)
