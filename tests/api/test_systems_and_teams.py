"""Teams and systems over the API."""

import uuid

import pytest
from django.db import models

from accounts.models import Membership, Team
from accounts.services import create_team
from submissions.models import System
from tests.conftest import NOW
from tests.pages import all_rendered

SYSTEMS = "/api/v1/systems/"
TEAMS = "/api/v1/teams/"


def test_founder_is_the_teams_first_member(api, owner, db):
    answer = api.post(TEAMS, {"name": "South"})
    assert (answer.status_code, answer.json()["members"]) == (201, ["Owner"])
    assert list(Team.objects.get(name="South").members.all()) == [owner]


def test_team_tells_names_and_no_addresses(api, team, teammate):
    assert "@" not in api.get(TEAMS).content.decode()


def test_team_name_is_given_once(api, team):
    answer = api.post(TEAMS, {"name": "North"})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["name"])


def test_so_many_teams_a_person_may_found_and_no_more(api, settings):
    settings.MOST_TEAMS = 2
    answers = [api.post(TEAMS, {"name": f"Team {number}"}) for number in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 403]
    assert answers[-1].json()["code"] == "too_many_teams"
    assert "You have founded as many teams as a person may (2)" in answers[-1].json()["detail"]


def test_system_is_entered_with_its_description(api, team):
    sent = {
        "team": str(team.pk),
        "name": "Spruce",
        "description": "Evergreen.",
        "paper_url": "https://example.org/spruce",
        "tags": ["few-shot", "open"],
        "facts": {
            "parameters": 7_000_000_000,
            "weights": "open",
            "training_data": "given",
            "cost": 1.5,
            "examples": 100,
        },
    }
    answer = api.post(SYSTEMS, sent, format="json")
    assert answer.status_code == 201
    assert sent.items() <= api.get(f"{SYSTEMS}{answer.json()['id']}/").json().items()


@pytest.mark.parametrize("name", ["South\r\nBcc: x", "South\u2028North", "\x1b[31mSouth"], ids=ascii)
def test_team_has_a_name_of_one_line(name, api, db):
    answer = api.post(TEAMS, {"name": name}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["name"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "Spruce\r\nBcc: x"),
        ("name", "x" * 81),
        ("description", "x" * 4001),
        ("paper_url", "javascript:alert(1)"),
        ("paper_url", "ftp://example.org/x"),
        ("code_url", "not an address"),
        ("tags", ["Upper Case"]),
        ("tags", [f"tag{number}" for number in range(9)]),
        ("tags", "word"),
        ("tags", [["nested"]]),
        ("facts", {"parameters": "7B"}),
        ("facts", {"weights": "free"}),
        ("facts", {"cost": -1}),
        ("facts", "open"),
        ("team", None),
    ],
)
def test_wrong_field_is_named(field, value, api, team):
    sent = {"team": str(team.pk), "name": "Spruce", field: value}
    answer = api.post(SYSTEMS, sent, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["detail"]


def test_team_of_others_cannot_be_given_a_system(api, outsider):
    other = create_team(name="South", founder=outsider, now=NOW)
    for team in (str(other.pk), "South", "00000000-0000-4000-8000-000000000000", 7):
        answer = api.post(SYSTEMS, {"team": team, "name": "Spruce"}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_team")


def test_system_is_entered_for_a_team_by_its_name(api, team):
    answer = api.post(SYSTEMS, {"team": "North", "name": "Spruce"})
    assert (answer.status_code, answer.json()["team"]) == (201, str(team.pk))


def test_team_that_was_meant_is_named(api, team):
    assert "Did you mean 'North'?" in api.post(SYSTEMS, {"team": "Nord", "name": "Spruce"}).json()["detail"]


def test_member_without_a_name_is_called_by_the_beginning_of_the_address(api, team, teammate):
    teammate.name = ""
    teammate.save()
    (listed,) = api.get(TEAMS).json()["results"]
    assert teammate.email.partition("@")[0] in listed["members"]


def test_me_is_told_with_my_teams(api, owner, team):
    me = api.get("/api/v1/me/").json()
    assert (me["name"], me["email"]) == (owner.name, owner.email)
    assert me["teams"] == [{"id": str(team.pk), "name": "North"}]


def test_me_needs_a_token(anyone, db):
    assert anyone.get("/api/v1/me/").status_code == 401


def test_system_name_is_given_once_per_team(api, system):
    answer = api.post(SYSTEMS, {"team": str(system.team_id), "name": "Larch"})
    assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


def test_system_renamed_to_a_taken_name_is_a_conflict(api, system):
    other = System.objects.create(team=system.team, name="Spruce", created_at=NOW)
    assert api.patch(f"{SYSTEMS}{other.pk}/", {"name": "Larch"}).status_code == 409


def test_changed_system_has_its_pages_rendered_anew(api, system, toy, submission):
    all_rendered()
    assert api.patch(f"{SYSTEMS}{system.pk}/", {"description": "New."}).status_code == 200
    toy.refresh_from_db()
    assert type(toy).objects.stale().exists()


def test_change_touches_declared_fields_alone(api, owner, outsider, system, submission):
    """Every field of the model and of what hangs on it is sent; only what a team may say changes."""
    mine = create_team(name="Mine too", founder=owner, now=NOW)
    sent = {
        "id": str(uuid.uuid4()),
        "team": str(mine.pk),
        "team_id": str(mine.pk),
        "team_name": "x",
        "kind": "baseline",
        "created_at": "2001-01-01T00:00:00Z",
        "submissions": [],
        "release_cells": [],
        "refusals": [],
        "choices": [],
        "name": "Spruce",
    }
    before = values(system)
    answer = api.patch(f"{SYSTEMS}{system.pk}/", sent, format="json")
    system.refresh_from_db()
    assert answer.status_code == 200
    assert values(system) == before | {"name": "Spruce"}
    assert system.submissions.count() == 1


def test_new_system_takes_declared_fields_alone(api, team):
    sent = {
        "team": str(team.pk),
        "name": "S",
        "id": str(uuid.uuid4()),
        "kind": "baseline",
        "created_at": "2001-01-01",
    }
    system = System.objects.get(pk=api.post(SYSTEMS, sent, format="json").json()["id"])
    assert str(system.pk) != sent["id"]
    assert system.kind == "system"
    assert system.created_at.year > 2001


def test_new_team_takes_declared_fields_alone(api, owner, outsider):
    sent = {
        "name": "South",
        "id": str(uuid.uuid4()),
        "members": [outsider.pk],
        "memberships": [outsider.pk],
        "invitation_nonce": str(uuid.UUID(int=1)),
        "created_at": "2001-01-01T00:00:00Z",
    }
    team = Team.objects.get(pk=api.post(TEAMS, sent, format="json").json()["id"])
    assert str(team.pk) != sent["id"]
    assert team.invitation_nonce != uuid.UUID(int=1)
    assert team.created_at.year > 2001
    assert not Membership.objects.filter(user=outsider).exists()


def values(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
