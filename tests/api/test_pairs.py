"""Handing in pairs over the API."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.models import Task
from breaking.models import PairFile
from tests.api.conftest import client_of
from tests.breaking.hands import hand_in, start
from tests.games import BREAK_CLOSES, IN_BREAK, TONE_PAIRS

pytestmark = pytest.mark.django_db
PAIRS = "/api/v1/pairs/"
LARGE = b"id,original_id,text,label,rationale\n11_b,11,Never again shall we hear of it!,-1,all of it\n"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    def _set(instant):
        monkeypatch.setattr("accounts.server.clock.database_now", lambda: instant)
        monkeypatch.setattr("breaking.api.database_now", lambda: instant)

    _set(IN_BREAK)
    return _set


@pytest.fixture
def tone(games) -> Task:
    task: Task = games.tasks.get(slug="tone")
    start(task)
    return task


def form(data: bytes = TONE_PAIRS, **fields):
    file = SimpleUploadedFile("north.csv", data)
    given = {"phase": "games/break", "team": "North", "task": "tone", "file": file, **fields}
    return {key: value for key, value in given.items() if value is not None}


def test_accepted_pairs_are_answered_with_counts(tone, team, api):
    answer = api.post(PAIRS, form())
    data = answer.json()
    assert answer.status_code == 201
    assert (data["pair_count"], data["waiting_count"], data["waiting"]) == (2, 0, [])
    assert (data["phase"], data["task"], data["team_name"]) == ("games/break", "tone", "North")
    assert answer["Location"] == data["status_url"]
    assert data["url"].endswith(f"/benchmarks/games/pairs/{data['id']}/")


def test_pairs_that_wait_are_listed_with_the_reason(tone, team, api):
    data = api.post(PAIRS, form(LARGE)).json()
    (waiting,) = data["waiting"]
    assert (data["waiting_count"], waiting["item"], waiting["line"]) == (1, "11_b", 2)
    assert "the rule allows at most 50 %" in waiting["reason"]


def test_the_same_file_again_is_a_repeat(tone, team, api, clock):
    first = api.post(PAIRS, form()).json()
    clock(IN_BREAK + dt.timedelta(minutes=1))
    second = api.post(PAIRS, form())
    assert (second.status_code, second.json()["is_repeat"]) == (200, True)
    assert (second.json()["id"], first["is_repeat"]) == (first["id"], False)


def test_a_team_may_be_named_by_its_id(tone, team, api):
    assert api.post(PAIRS, form(team=str(team.pk))).status_code == 201


def test_problems_are_listed_with_their_place(tone, team, api):
    answer = api.post(PAIRS, form(TONE_PAIRS.replace(b"song.,-1", b"song.,bad")))
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, answer.json()["code"]) == (422, "file_refused")
    assert (problem["file"], problem["line"], problem["column"], problem["code"]) == (
        "north.csv", 2, "label", "unknown_label",
    )  # fmt: skip
    assert not PairFile.objects.exists()


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"phase": "games/none"}, 404, "unknown_phase"),
        ({"team": "South"}, 404, "unknown_team"),
        ({"team": "00000000-0000-4000-8000-000000000000"}, 404, "unknown_team"),
        ({"task": "none"}, 404, "unknown_task"),
        ({"task": "who"}, 503, "phase_not_ready"),
        ({"phase": "games/score"}, 403, "wrong_phase"),
        ({"file": None}, 400, "invalid"),
        ({"team": None}, 400, "invalid"),
        ({"task": "\0"}, 400, "invalid"),
    ],
)
def test_what_cannot_be_taken_is_told(tone, team, api, fields, status, code):
    answer = api.post(PAIRS, form(**fields))
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_after_the_close_nothing_is_taken(tone, team, api, clock):
    clock(BREAK_CLOSES)
    answer = api.post(PAIRS, form())
    assert (answer.status_code, answer.json()["code"]) == (403, "phase_closed")


def test_a_set_that_was_answered_is_not_replaced(tone, team, api, monkeypatch):
    monkeypatch.setattr("breaking.pairs.uploads.answered", lambda splits: ["north"])
    answer = api.post(PAIRS, form())
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot_change")


def test_a_file_has_all_its_pairs_for_its_team_and_no_label(tone, team, owner, api, teammate, outsider):
    address = f"{PAIRS}{hand_in(tone, team, owner).pk}/"
    data = api.get(address).json()
    assert [one["item"] for one in data["pairs"]] == ["11_b", "13_b"]
    assert not [key for one in data["pairs"] for key in one if "label" in key]
    statuses = [client_of(one).get(address).status_code for one in (teammate, outsider, None)]
    assert statuses == [200, 404, 401]


def test_files_are_listed_for_their_team(tone, team, owner, api, outsider):
    hand_in(tone, team, owner)
    assert [one["file_name"] for one in api.get(PAIRS).json()["results"]] == ["north.csv"]
    assert client_of(outsider).get(PAIRS).json()["results"] == []


def test_a_file_is_withdrawn_before_the_close_alone(tone, team, owner, api, outsider, clock):
    address = f"{PAIRS}{hand_in(tone, team, owner).pk}/withdraw/"
    assert client_of(outsider).post(address).status_code == 404
    clock(BREAK_CLOSES)
    refused = api.post(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "cannot_change")
    clock(IN_BREAK)
    assert api.post(address).json()["status"] == "withdrawn"
