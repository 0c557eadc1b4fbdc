"""The style page shows the parts of pages to staff, and to everybody in the demo."""

import pytest

from tests.pages import browser_of, text_of

pytestmark = pytest.mark.django_db
ADDRESS = "/styleguide/"


def test_staff_see_every_part(staff):
    shown = text_of(browser_of(staff).get(ADDRESS))

    for part in (
        "--accent",
        'class="btn danger"',
        'class="notice"',
        'class="excerpt"',
        'class="board picture"',
        'class="errors"',
    ):
        assert part in shown, part


def test_everybody_sees_it_in_the_demo(settings):
    settings.SYNTHETIC_DEMO = True

    assert browser_of(None).get(ADDRESS).status_code == 200


def test_others_are_asked_to_sign_in_and_then_find_nothing(outsider):
    assert browser_of(None).get(ADDRESS)["Location"] == "/accounts/login/?next=/styleguide/"
    assert browser_of(outsider).get(ADDRESS).status_code == 404
