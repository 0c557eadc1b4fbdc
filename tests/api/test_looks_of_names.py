"""Names that deceive the eye: on boards a row is its team's name, so no two teams may look the same."""

import pytest
from django.test import Client

from accounts.models import Team
from tests.pages import text_of

TAKEN = ["می‌نویسم", "👩‍🔬 Lab", "क्‍ष", "Ελλάδα 1", "Львів", "Zürich", "البحث", "β-VAE", "O'Neil"]
LOOK_LIKE_NORTH = {
    "a Cyrillic letter": "N\u043erth",
    "a Greek letter": "\u039dorth",
    "letters of full width": "\uff2eorth",
    "a joiner": "No\u200drth",
    "another case": "NORTH",
    "a space that does not break": "North\u00a0",
}
UNSEEN = {
    "a space of no width": "Nor\u200bth",
    "text turned round": "\u202ehtroN",
    "a mark of direction": "North\u200f",
    "an isolate without end": "\u2067North",
    "a hyphen that does not show": "No\u00adrth",
    "a letter of nothing": "North\u3164",
    "nothing at all": "\u200d",
}


@pytest.fixture
def browser(client, owner) -> Client:
    client.force_login(owner)
    return client


@pytest.mark.parametrize("name", LOOK_LIKE_NORTH.values(), ids=LOOK_LIKE_NORTH)
def test_a_team_that_would_look_like_another_is_not_founded(browser, api, team, name):
    answer = browser.post("/teams/new/", {"name": name})
    assert answer.status_code == 422
    assert "There is a team of this name already" in text_of(answer)
    assert api.post("/api/v1/teams/", {"name": name}).status_code == 400
    assert set(Team.objects.values_list("name", flat=True)) == {"North"}


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_a_name_of_what_nobody_sees_is_refused(browser, api, db, name):
    answer = browser.post("/teams/new/", {"name": name})
    assert answer.status_code == 422
    assert "A name is what one sees of it" in text_of(answer)
    assert api.post("/api/v1/teams/", {"name": name}).status_code == 400
    assert not Team.objects.exists()


@pytest.mark.parametrize("name", TAKEN)
def test_names_of_all_scripts_are_taken(browser, name):
    assert browser.post("/teams/new/", {"name": name}).status_code == 302
    assert Team.objects.get().name == name
