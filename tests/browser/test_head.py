"""The head of every page: whoever is signed in finds what is theirs, and on a phone it takes two lines."""

import pytest

from leaderboard.publication.services import refresh_stale
from tests.browser.steps import Page, sees, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PUBLISHED, OWN = "/benchmarks/toy/", "/submissions/"


def links(page: Page) -> list[str]:
    """What the head leads to, in words."""
    page.wait_for_load_state()
    found: list[str] = page.locator(".top nav a, .top > a:not(.mark)").all_inner_texts()
    return found


@pytest.fixture
def member(open_window, toy, owner) -> Page:
    refresh_stale()
    window: Page = open_window(width=360)
    sign_in(window, owner.email, "owner-password")
    return window


def test_published_pages_lead_whoever_is_signed_in_to_what_is_theirs(member):
    member.goto(PUBLISHED)
    assert links(member) == ["Benchmarks", "Submit", "My submissions", "Handbook", "Account"]
    member.get_by_role("link", name="Account", exact=True).click()
    sees(member, "Signed in as")

    member.goto("/accounts/logout/")
    member.get_by_role("button", name="Sign out", exact=True).click()
    sees(member, "Sign in")

    member.goto(PUBLISHED)
    assert links(member) == ["Benchmarks", "Submit", "Handbook", "Sign in"]


def test_a_session_that_was_ended_elsewhere_is_not_taken_for_one(member, owner):
    owner.set_password("another-one")  # ends all sessions
    owner.save()
    member.goto("/submissions/")
    member.goto(PUBLISHED)

    assert links(member)[-1] == "Sign in"


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("address", [PUBLISHED, OWN])
def test_the_navigation_takes_one_line_on_a_phone(member, address, width):
    member.set_viewport_size({"width": width, "height": 900})
    member.goto(address)
    tops = member.locator(".top nav a").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len(tops) == 4
    assert len(set(tops)) == 1
    assert member.locator(".top").evaluate("head => head.getBoundingClientRect().height") < 90


def test_the_last_tab_is_whole_on_the_narrowest_phones(open_window, phase):
    refresh_stale()
    page = open_window(width=320)
    page.goto(f"{PUBLISHED}releases/")
    tab = page.locator(".tabs [aria-current]")
    assert tab.inner_text() == "Releases"
    assert tab.evaluate("tab => tab.getBoundingClientRect().right") <= 320


@pytest.mark.parametrize("width", [768, 900])
def test_release_and_submit_stand_in_one_line_above_the_tabs(open_window, phase, width):
    refresh_stale()
    page = open_window(width=width)
    page.goto(PUBLISHED)
    tops = [
        page.locator(one).bounding_box()["y"] for one in (".tabline .when", ".tabline .btn", ".tabline .tabs")
    ]
    assert abs(tops[0] - tops[1]) < 15
    assert tops[2] > max(tops[:2]) + 15
