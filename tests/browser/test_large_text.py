"""On a phone no page scrolls sideways, with text twice as large or with names that have no blank."""

import pytest

from accounts.services import create_team
from leaderboard.publication.services import refresh_stale
from tests.browser.steps import Page, sign_in
from tests.conftest import NOW
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOY = "/benchmarks/toy/"
FOR_ALL = ("/", TOY, f"{TOY}rules/", f"{TOY}releases/", "/accounts/login/", "/handbook/")
MINE = ("/submit/?benchmark=toy", "/submissions/", "/account/tokens/", "/account/security/")


def too_wide(page: Page, address: str, *, size: str = "30px") -> str | None:
    page.goto(address)
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
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


def test_the_form_for_an_upload_holds_long_names_of_teams(open_window, system, phase, owner):
    create_team(name="W" * 60, founder=owner, now=NOW)
    member = open_window(width=390)
    sign_in(member, owner.email, "owner-password")

    assert too_wide(member, "/submit/?benchmark=toy", size="") is None
    cells = member.locator(".stack td, .stack th").evaluate_all(
        "cells => cells.filter(cell => cell.scrollWidth > cell.closest('.scroll').clientWidth).length"
    )
    assert cells == 0


def test_badges_are_no_wider_than_a_narrow_window(open_window, system, phase):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    refresh_stale()
    page = open_window(width=80)
    page.goto(f"/systems/{system.pk}/")

    ends = page.locator("main img").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert ends != []
    assert max(ends) <= 80
