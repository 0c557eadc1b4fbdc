"""What other sites show of a link to a board or a system."""

import io
import re

import pytest
from PIL import Image

from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import hide_names
from submissions.systems.name_removals import remove_system_name
from tests.conftest import person
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, HALF_WRONG, run_batch, upload

pytestmark = pytest.mark.django_db

BOARDS = (
    "/benchmarks/toy/",
    "/benchmarks/toy/tasks/mood/",
    "/benchmarks/toy/releases/1/",
    "/benchmarks/toy/releases/1/tasks/mood/",
)


@pytest.fixture
def published(system, phase):
    other = team_of(person("southerner"), "South", "Alder")[1]
    upload(system, phase)
    upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    return system


def told(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', page))


@pytest.mark.parametrize("path", BOARDS)
def test_a_board_names_its_picture_and_the_picture_is_there(published, path, settings):
    browser = browser_of(None)
    meta = told(text_of(browser.get(path)))

    assert meta["og:image"] == f"{settings.SITE_URL}{path}card.png"
    assert meta["og:description"].startswith("Larch ")
    answer = browser.get(f"{path}card.png")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)


def test_a_systems_page_has_a_picture_of_its_own(published):
    browser, path = browser_of(None), f"/systems/{published.pk}/"
    meta = told(text_of(browser.get(path)))

    assert meta["og:image"].endswith(f"{path}card.png")
    assert "rank 1 of 2" in meta["og:description"]
    assert browser.get(f"{path}card.png").content != browser.get("/benchmarks/toy/card.png").content


def test_what_is_not_published_has_no_picture(published):
    browser = browser_of(None)

    for path in (
        "/benchmarks/none/card.png",
        "/benchmarks/toy/tasks/none/card.png",
        "/benchmarks/toy/releases/9/card.png",
    ):
        assert browser.get(path).status_code == 404


def test_an_anonymous_system_has_no_picture_under_its_id(system, phase):
    hide_names(phase.benchmark)
    upload(system, phase)
    run_batch(CUT_OFF)
    browser = browser_of(None)

    assert browser.get("/benchmarks/toy/card.png").status_code == 200
    assert browser.get(f"/systems/{system.pk}/card.png").status_code == 404


@pytest.mark.parametrize("path", ["/benchmarks/toy/card.png", "/systems/{}/card.png"])
def test_a_picture_is_asked_for_again_each_time_and_sent_again_only_where_it_changed(published, path):
    browser, address = browser_of(None), path.format(published.pk)
    first = browser.get(address)
    known = {"If-None-Match": first["ETag"]}

    assert first["Cache-Control"] == "no-cache"
    assert browser.get(address, headers=known).status_code == 304
    remove_system_name(system=published, reason="offensive", now=CUT_OFF)
    refresh_stale()
    assert browser.get(address, headers=known).status_code == 200


def test_a_new_release_has_a_new_picture(published, phase):
    browser = browser_of(None)
    before = browser.get("/benchmarks/toy/card.png").content
    upload(published, phase, mood=HALF_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF.replace(day=CUT_OFF.day + 7))

    assert browser.get("/benchmarks/toy/card.png").content != before
