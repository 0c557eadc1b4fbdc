"""Entering and describing systems, and the team's page that lists them."""

import html
from typing import Any

import pytest

from accounts.services import create_team
from benchmarks.models import Benchmark
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from tests.conftest import NOW
from tests.pages import all_rendered, text_of


def fields(system_or_team: Any, **changes: str) -> dict[str, str]:
    team = getattr(system_or_team, "team", system_or_team)
    blank = {
        "team": str(team.pk),
        "name": "Larch",
        "description": "",
        "paper_url": "",
        "code_url": "",
        "tags": "",
        "parameters": "",
        "weights": "",
        "training_data": "",
        "cost": "",
        "examples": "",
    }
    return blank | changes


def test_new_system_leads_to_the_upload_with_it_chosen(browser, team):
    answer = browser.post("/systems/new/", fields(team, tags="Few-Shot, gpt4, few-shot"))

    system = System.objects.get()
    assert answer.url == f"/submit/?system={system.pk}"
    assert (system.name, system.tags, system.team) == ("Larch", ["Few-Shot", "gpt4"], team)


def test_what_a_team_declares_is_kept_and_comes_back_as_it_was_written(browser, team):
    stated = {
        "parameters": "7b",
        "weights": "open",
        "training_data": "further",
        "cost": "0.25",
        "examples": "0",
    }
    browser.post("/systems/new/", fields(team, **stated))
    system = System.objects.get()
    assert system.facts == {
        "parameters": 7 * 10**9,
        "weights": "open",
        "training_data": "further",
        "cost": 0.25,
        "examples": 0,
    }

    form = text_of(browser.get(f"/systems/{system.pk}/edit/"))
    assert 'value="7B"' in form
    browser.post(f"/systems/{system.pk}/edit/", fields(team, parameters="7B"))
    assert System.objects.get().facts == {"parameters": 7 * 10**9}


def test_a_size_that_cannot_be_read_is_refused_with_examples(browser, team):
    answer = browser.post("/systems/new/", fields(team, parameters="big"))

    assert answer.status_code == 422
    assert "such as 350M, 7B or 1.3T" in text_of(answer)


def test_name_of_two_lines_is_refused_in_words(browser, team):
    answer = browser.post("/systems/new/", fields(team, name="Larch\r\nBcc: x"))

    assert answer.status_code == 422
    assert "A name is one line" in text_of(answer)


def test_system_cannot_be_entered_for_another_team(browser, team, outsider):
    others = create_team(name="South", founder=outsider, now=NOW)

    answer = browser.post("/systems/new/", fields(others))

    assert answer.status_code == 422
    assert "South" not in text_of(answer)
    assert not System.objects.exists()


def test_person_without_a_team_is_led_to_found_one(client, outsider):
    client.force_login(outsider)

    assert 'href="/teams/new/?next=/systems/new/"' in text_of(client.get("/systems/new/"))


def test_doubled_name_is_refused_in_words(browser, system):
    answer = browser.post("/systems/new/", fields(system))

    assert answer.status_code == 422
    assert "Your team has a system of this name already" in text_of(answer)


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "ftp://example.org/x", "data:text/html,x", "http://a b"]
)
def test_links_other_than_web_addresses_are_refused(browser, system, link):
    answer = browser.post(f"/systems/{system.pk}/edit/", fields(system, paper_url=link))

    system.refresh_from_db()
    assert system.paper_url == ""
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "tags",
    ["zero shot", "<b>", "ä", "a" * 31, ",".join("abcdefghi"), "x\0y"],
    ids=lambda tags: repr(tags[:9]),
)
def test_tags_are_at_most_eight_single_words(browser, system, tags):
    answer = browser.post(f"/systems/{system.pk}/edit/", fields(system, tags=tags))

    system.refresh_from_db()
    assert system.tags == []
    assert answer.status_code == 422


def test_changed_description_has_published_pages_rendered_anew(browser, submission):
    all_rendered()

    browser.post(f"/systems/{submission.system.pk}/edit/", fields(submission.system, description="A tree."))

    assert System.objects.get().description == "A tree."
    assert Benchmark.objects.stale().exists()


def test_system_stays_with_its_team_and_of_its_kind(browser, system, owner):
    others = create_team(name="South", founder=owner, now=NOW)

    browser.post(f"/systems/{system.pk}/edit/", fields(others, name="Alder", kind="baseline"))

    system.refresh_from_db()
    assert (system.name, system.team.name, system.kind) == ("Alder", "North", "system")


def test_form_shows_what_was_said_before(browser, system):
    browser.post(
        f"/systems/{system.pk}/edit/", fields(system, description="</textarea><script>", tags="a, b")
    )

    page = text_of(browser.get(f"/systems/{system.pk}/edit/"))

    assert 'value="a, b"' in page
    assert "&lt;/textarea&gt;&lt;script&gt;" in page


def test_published_system_page_shows_a_description_as_text(browser, submission, publish):
    publish()
    browser.post(
        f"/systems/{submission.system.pk}/edit/",
        fields(submission.system, name="<i>Larch</i>", description="<script>x</script>"),
    )
    refresh_stale()

    page = html.unescape(text_of(browser.get(f"/systems/{submission.system.pk}/")))
    raw = text_of(browser.get(f"/systems/{submission.system.pk}/"))
    assert "<script>x</script>" in page
    assert "<script>x" not in raw
    assert "<i>Larch" not in raw


def test_team_page_links_published_systems_to_their_pages(browser, submission, publish):
    url = f"/teams/{submission.system.team.pk}/"
    before = text_of(browser.get(url))
    publish()

    link = f'href="/systems/{submission.system.pk}/"'
    assert link not in before
    assert link in text_of(browser.get(url))
