"""What the page shows while a file is on its way, and where that ends."""

import os

import pytest

from submissions.models import Submission
from tests.browser.steps import file_of, sees, sign_in
from tests.uploads import toy_zip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SLOW = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 250_000}
SEND = "Upload and check"


@pytest.fixture
def form(page, system, phase, owner):
    """The form for an upload, before its owner."""
    sign_in(page, owner.email, "owner-password")
    page.goto("/submit/?benchmark=toy")
    return page


def choose(page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(file_of(name, content))


def test_a_large_file_on_a_slow_line_shows_that_it_moves_and_can_be_stopped(form):
    line = form.context.new_cdp_session(form)
    line.send("Network.emulateNetworkConditions", SLOW)
    choose(form, "large.zip", os.urandom(2_000_000))

    form.get_by_role("button", name=SEND).click()
    form.locator("progress").evaluate(
        """async bar => {
            for (const seen = new Set(); seen.size < 3; seen.add(bar.value)) await new Promise(requestAnimationFrame);
        }"""
    )
    assert "of 1.9 MB" in form.locator("[data-upload-amount]").inner_text()
    form.get_by_role("button", name="Stop").click()

    sees(form, "The upload was stopped. Nothing was counted.")
    assert form.locator("input[type=file]").evaluate("field => field.files[0].name") == "large.zip"
    assert not form.locator("progress").is_visible()


def test_an_upload_that_breaks_off_says_so_and_is_sent_again_with_the_file_still_chosen(form):
    choose(form, "toy.zip", toy_zip())
    with form.expect_event("requestfailed"):
        form.context.set_offline(True)
        form.get_by_role("button", name=SEND).click()
    sees(form, "The upload broke off. Nothing was counted. The file is still chosen")
    assert not Submission.objects.exists()

    form.context.set_offline(False)
    assert form.evaluate("document.activeElement.textContent") == SEND
    form.keyboard.press("Enter")

    sees(form, "Accepted: 2 of 2 tasks, 10 labels")
    assert f"/submissions/{Submission.objects.get().pk}/" in form.url


def test_the_first_problem_of_a_refused_file_is_in_focus_and_back_leads_to_the_form(form):
    choose(form, "bad.zip", toy_zip(mood="good god bad bad good bad"))
    form.get_by_role("button", name=SEND).click()

    sees(form, "Not accepted: 1 problem")
    assert "Line 3, column Label" in form.evaluate("document.activeElement.innerText")
    form.go_back()
    form.get_by_role("button", name=SEND).wait_for()


def test_a_file_that_was_only_checked_is_submitted_without_choosing_it_again(form):
    choose(form, "toy.zip", toy_zip())
    form.get_by_role("button", name="Check only").click()
    sees(form, "No problem found: 2 of 2 tasks, 10 labels")
    assert not Submission.objects.exists()

    form.get_by_role("link", name="Submit it").click()

    sees(form, "Accepted: 2 of 2 tasks, 10 labels")
    assert Submission.objects.get().file_name == "toy.zip"


def test_a_form_that_lacks_something_keeps_the_chosen_file(form):
    choose(form, "toy.zip", toy_zip())
    form.locator("select[name=phase]").evaluate("field => { field.options[0].value = 'none/none' }")
    form.get_by_role("button", name=SEND).click()

    sees(form, "There is no such phase")
    assert form.locator("input[type=file]").evaluate("field => field.files[0].name") == "toy.zip"


def test_a_file_beyond_the_limit_is_not_even_sent(form):
    choose(form, "toy.zip", toy_zip())
    form.locator("input[type=file]").evaluate("field => { field.dataset.maxBytes = 10 }")
    form.get_by_role("button", name=SEND).click()

    sees(form, "are the most that is taken")


def test_a_file_is_dropped_anywhere_on_the_page(form):
    form.evaluate(
        """() => {
            const dropped = new DataTransfer();
            dropped.items.add(new File(["x"], "dropped.zip"));
            document.body.dispatchEvent(
                new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
        }"""
    )

    assert form.locator("input[type=file]").evaluate("field => field.files[0].name") == "dropped.zip"
