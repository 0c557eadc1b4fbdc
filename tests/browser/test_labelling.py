"""A worker with nothing but a keyboard answers twenty tuples; the page is for everybody, on phones and desks."""

from typing import Any

import pytest

from labelling.core.questions.question import CampaignQuestion
from labelling.models import Answer, Worker
from labelling.units.from_scores import BORDER
from labelling.units.new_units import NewUnit
from labelling.work.platforms import PLATFORMS, study_address
from tests.browser.axe import problems_on, window_of
from tests.browser.steps import Page, fits
from tests.crowds import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BEST = CampaignQuestion("best_worst", "Which of these four writers is the most angry, and which the least?")


@pytest.fixture
def study(toy: Any, gold_keys: None) -> str:
    """The address of a study of twenty tuples."""
    tuples = [
        NewUnit(
            key=f"t{number}",
            items=tuple(f"t{number}{name}" for name in "abcd"),
            shown=[[("text", f"Writer {name} waited for bus {number} and says so.")] for name in "abcd"],
        )
        for number in range(20)
    ]
    campaign = opened(toy, 0, BEST, more=tuples, consent="You agree.", guidelines="## Anger\n\nIt shows.")
    return study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + "?PROLIFIC_PID=p1"


def test_twenty_tuples_by_the_keyboard_alone(page: Page, study: str) -> None:
    page.goto(study)
    page.locator("[name=agreed]").focus()
    page.keyboard.press("Space")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.keyboard.press("?")
    assert page.get_by_text("It shows.").is_visible()
    page.keyboard.press("?")
    for number in range(20):
        page.keyboard.press("1" if number % 2 else "4")
        page.keyboard.press("w")
        page.keyboard.press("Enter")
        said = f"Saved. {number + 1} of 20." if number < 19 else "There is nothing left for you"
        page.locator("#said", has_text=said).wait_for(state="attached")
        if number == 0:  # most and least of the same text: the later one stands alone
            page.keyboard.press("2")
            page.keyboard.press("w")
            assert page.locator("input:checked").count() == 1
    page.keyboard.press("u")
    page.locator("a", has_text="Leave it as it was").wait_for()
    assert page.locator("input:checked").count() == 2
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Finish").wait_for()
    assert Answer.objects.filter(version=1).count() == 20
    assert Answer.objects.filter(version=2).count() == 1
    assert Worker.objects.get().milliseconds > 0


def test_what_the_network_did_not_take_is_kept_and_counts_once(page: Page, study: str) -> None:
    page.goto(study)
    page.check("[name=agreed]")
    page.get_by_role("button", name="Begin").click()
    page.locator("form.work").wait_for()
    page.context.set_offline(True)
    for key in ("1", "w", "Enter"):
        page.keyboard.press(key)
    page.locator("p[data-unsent]", has_text="There is no connection").wait_for()
    assert not Answer.objects.exists()
    page.context.set_offline(False)
    page.locator("#said", has_text="Saved. 1 of 20.").wait_for(state="attached")
    assert Answer.objects.count() == 1


def test_axe_core_finds_nothing_and_nothing_scrolls_sideways(
    chromium: Any, live_server: Any, study: str
) -> None:
    window = window_of(chromium, live_server.url, None)

    def begin(window: Page) -> None:
        window.goto(study)
        if window.locator("[name=agreed]").count():
            window.check("[name=agreed]")
            window.get_by_role("button", name="Begin").click()
        window.locator("form.work").wait_for()

    openings = [("entrance", lambda window: window.goto(study)), ("work", begin)]
    assert list(problems_on([window], openings)) == []
    window.set_viewport_size({"width": 320, "height": 700})
    fits(window)


def test_a_row_of_a_ranked_list_gives_its_score_and_the_number_stays_at_hand(
    chromium: Any, live_server: Any, toy: Any, gold_keys: None
) -> None:
    rows = [(f"{number / 40:.3f}", f"Writer {number} waited for a bus and says so.") for number in range(41)]
    of = {"class": "1", "shown": 41, "of": 60}
    unit = NewUnit(key="border-001", items=("border-001",), shown=[rows], source={BORDER: of})
    campaign = opened(toy, 0, CampaignQuestion("number", "Where does the class begin?"), more=[unit])
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + "?PROLIFIC_PID=p1"
    window = window_of(chromium, live_server.url, None)

    def begin(window: Page) -> None:
        window.goto(study)
        if window.get_by_role("button", name="Begin").count():
            window.get_by_role("button", name="Begin").click()
        window.get_by_text("From which score on is a text of class 1?").wait_for()

    assert list(problems_on([window], [("ranked list", begin)])) == []
    window.set_viewport_size({"width": 390, "height": 844})
    fits(window)
    for at_hand in (window.get_by_label("Your number"), window.get_by_role("button", name="Next")):
        box = at_hand.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 844

    window.get_by_text("Writer 30 waited").click()
    assert window.get_by_label("Your number").input_value() == "0.750"
    assert window.locator("tr.in").count() == 11
    window.keyboard.press("Enter")
    window.get_by_role("heading", name="There is nothing left for you").wait_for()
    assert Answer.objects.get().value == 0.75
