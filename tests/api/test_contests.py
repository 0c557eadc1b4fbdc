"""Contested labels over the API."""

from typing import Any

import pytest

from accounts.models import Team
from breaking.contests.decisions import decide
from breaking.contests.item_labels import add_votes
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest
from submissions.intake.pairs.votes import FoundVote
from tests.api.conftest import client_of
from tests.broken import make_set
from tests.contested import LATER, breaker_team, contested, split_of

pytestmark = pytest.mark.django_db

CONTESTS = "/api/v1/contests/"


def form(by: Team, **changes: Any) -> dict[str, Any]:
    """A contest as a client sends it."""
    said = {"benchmark": "games", "task": "tone", "split": "north", "item": "11_b", "team": by.name}
    return {**said, "reason": "It is kind.", **changes}


def test_team_contests_a_label(api, over, team):
    answer = api.post(CONTESTS, form(team, proposed_label="1"))
    assert answer.status_code == 201
    said = answer.json()
    assert (said["item"], said["status"], said["proposed_label"], said["raised_by"], said["is_mine"]) == (
        "11_b", "open", "1", "North", True,
    )  # fmt: skip
    assert said["url"].endswith("/benchmarks/games/contest/tone/north/?item=11_b")


def test_everybody_reads_what_is_said_voted_and_decided(anyone, over, team, staff):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    votes = [FoundVote("11_b", name, label) for name, label in (("Ada", "1"), ("Bo", "1"), ("Cy", "-1"))]
    add_votes(split=contest.split, votes=votes, user=staff, now=LATER)
    decide(contest=contest, choice="label", label="1", note="Two of three.", user=staff, now=LATER)
    do_what_is_due(LATER)
    (said,) = anyone.get(f"{CONTESTS}?benchmark=games").json()["results"]
    assert said == anyone.get(f"{CONTESTS}{contest.pk}/").json()
    assert (said["votes"], said["majority"]) == ({"1": 2, "-1": 1}, "1")
    assert said["agreement"] == pytest.approx(1 / 3)
    assert (said["status"], said["note"], said["gold_version"]) == ("changed", "Two of three.", 2)
    assert (said["label_before"], said["label_after"], said["is_mine"]) == ("-1", "1", False)
    assert "Ada" not in str(said)


def test_list_is_narrowed_down_by_status(anyone, over, team, staff):
    north = split_of(over, "tone", "north")
    decide(contest=contested(north, "11_b", team), choice="keep", note="", user=staff, now=LATER)
    contested(north, "13_b", team)
    do_what_is_due(LATER)
    found = anyone.get(f"{CONTESTS}?benchmark=games&status=open").json()["results"]
    assert [one["item"] for one in found] == ["13_b"]


def test_nothing_is_listed_while_labels_are_sealed(anyone, games, staff):
    make_set(games, "north")
    contest = Contest.objects.create(
        split=split_of(games, "tone", "north"), item="11_b", reason="Two lines.", raised_at=LATER
    )
    assert anyone.get(f"{CONTESTS}?benchmark=games").json()["count"] == 0
    assert anyone.get(f"{CONTESTS}{contest.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("query", "status"), [("", 200), ("?benchmark=none", 404), ("?benchmark=games&status=odd", 400)]
)
def test_list_is_of_all_benchmarks_or_of_one_that_there_is(anyone, games, query, status):
    assert anyone.get(CONTESTS + query).status_code == status


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"item": "99"}, 422, "contest_refused"),
        ({"proposed_label": "7"}, 422, "contest_refused"),
        ({"reason": " "}, 400, "invalid"),
        ({"reason": "x" * 2001}, 400, "invalid"),
        ({"split": "none"}, 404, "not_found"),
        ({"team": "Strangers"}, 404, "unknown_team"),
    ],
    ids=["item", "label", "no reason", "long reason", "split", "team"],
)
def test_what_cannot_be_taken_is_refused_with_its_code(api, over, team, changes, status, code):
    answer = api.post(CONTESTS, form(team, **changes))
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Contest.objects.exists()


def test_sealed_label_cannot_be_contested(api, games, system, team):
    make_set(games, "north")
    answer = api.post(CONTESTS, form(team))
    assert (answer.status_code, answer.json()["code"]) == (409, "gold_sealed")


def test_who_is_not_signed_in_contests_nothing(anyone, over, team):
    assert anyone.post(CONTESTS, form(team)).status_code == 401


def test_team_that_takes_no_part_is_told_so(over, outsider):
    team = Team.objects.create(name="Strangers", created_at=LATER)
    team.memberships.create(user=outsider, joined_at=LATER)
    answer = client_of(outsider).post(CONTESTS, form(team))
    assert (answer.status_code, answer.json()["code"]) == (403, "not_taking_part")


def test_second_team_is_led_to_the_first_contest_and_adds_its_voice(over, team):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    other, user = breaker_team("Ash", BreakerSet.objects.get(split__slug="south"))
    client = client_of(user)
    answer = client.post(CONTESTS, form(other))
    assert (answer.status_code, answer.json()["code"]) == (409, "already_contested")
    assert answer.json()["contest"] == str(contest.pk)
    said = client.post(f"{CONTESTS}{contest.pk}/voices/", {"team": other.name, "label": "1"}).json()
    assert said["voices"] == [{"team": "Ash", "label": "1"}]
    assert said["votes"] == {}


def test_team_takes_its_contest_back_and_others_cannot(api, over, team, outsider):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    address = f"{CONTESTS}{contest.pk}/retract/"
    assert client_of(outsider).post(address).json()["code"] == "not_your_team"
    assert api.post(address).json()["status"] == "retracted"
    assert api.post(address).json()["code"] == "contest_closed"
