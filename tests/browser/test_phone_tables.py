"""Tables on the narrowest phones: what one came for is in sight without scrolling sideways."""

import pytest

from accounts.services import create_team
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from tests.conftest import NOW, person
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HIDDEN = """() => [...document.querySelectorAll("main .scroll")].filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => one.ariaLabel)"""


@pytest.mark.parametrize("address", ["/benchmarks/toy/releases/", "/benchmarks/toy/compare/"])
def test_releases_and_two_systems_fit_a_phone(open_window, system, phase, address):
    upload(system, phase, mood=ONE_WRONG)
    team = create_team(name="Forschungsgruppe Sprachverarbeitung", founder=person("ash"), now=NOW)
    upload(System.objects.create(team=team, name="Eschenahorn", created_at=NOW), phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    refresh_stale()
    page = open_window(width=360)
    page.goto(address)

    assert page.locator("main table").count() > 0
    assert page.evaluate(HIDDEN) == []
