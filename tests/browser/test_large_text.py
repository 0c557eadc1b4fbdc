"""Whoever needs text twice as large reads every page on a phone without scrolling sideways."""

import pytest

from leaderboard.publication.services import refresh_stale
from tests.browser.steps import Page, sign_in
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOY = "/benchmarks/toy/"
FOR_ALL = ("/", TOY, f"{TOY}rules/", f"{TOY}releases/", "/accounts/login/", "/handbook/")
MINE = ("/submit/?benchmark=toy", "/submissions/", "/account/tokens/", "/account/security/")


def too_wide(page: Page, address: str) -> str | None:
    page.goto(address)
    page.evaluate("document.documentElement.style.fontSize = '30px'")
    width = page.evaluate("document.documentElement.scrollWidth")
    return None if width <= page.viewport_size["width"] else f"{address}: {width}"


def test_no_page_scrolls_sideways_with_text_twice_as_large(open_window, system, phase, owner):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    refresh_stale()
    stranger, member = open_window(width=390), open_window(width=390)
    sign_in(member, owner.email, "owner-password")

    found = [too_wide(stranger, one) for one in FOR_ALL] + [too_wide(member, one) for one in MINE]

    assert [one for one in found if one] == []
