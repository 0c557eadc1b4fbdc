"""On paper nothing can be unfolded or scrolled: it is all there."""

import pytest

from leaderboard.publication.services import refresh_stale

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A4 = {"width": 794, "height": 1123}  # pixels, at 96 an inch
HIDDEN = """() => [...document.querySelectorAll("main details:not(.menu) > :not(summary)")]
    .filter(one => !one.checkVisibility({ contentVisibilityAuto: true })).length"""
CUT = """() => [...document.querySelectorAll("main pre")].filter(one => one.scrollWidth > one.clientWidth + 1).length"""


def test_what_is_folded_or_wider_than_the_sheet_is_printed(page, toy):
    refresh_stale()
    page.set_viewport_size(A4)
    page.goto("/handbook/api/addresses/")
    assert page.evaluate(HIDDEN) > 0
    page.emulate_media(media="print")
    # The browser lays the page out for paper in its own time.
    page.wait_for_function(f"() => ({HIDDEN})() === 0")

    page.goto("/handbook/api/")
    assert page.locator("main pre").count() > 0
    assert page.evaluate(CUT) == 0
