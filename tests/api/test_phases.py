"""What the API says of phases that take different things, and how it refuses what belongs elsewhere."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.games import IN_BREAK, IN_SCORE
from tests.phases import NORTH_GOLD, TONE_GOLD, labels_file, make_set

GAMES, UPLOADS = "/api/v1/benchmarks/games/", "/api/v1/submissions/"


def at(monkeypatch: pytest.MonkeyPatch, instant: Any) -> None:
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: instant)


def form(system: Any, phase: str, name: str, gold: dict[str, str]) -> dict[str, Any]:
    return {
        "phase": f"games/{phase}",
        "system": str(system.pk),
        "file": SimpleUploadedFile(name, labels_file(gold)),
    }


def test_each_phase_tells_its_kind_and_what_it_takes(anyone, games):
    make_set(games)
    make_set(games, "South", withdrawn=True)
    phases = {one["name"]: one for one in anyone.get(GAMES).json()["phases"]}
    taken = {
        name: (one["kind"], [(split["task"], split["split"]) for split in one["splits"]])
        for name, one in phases.items()
    }
    assert taken == {
        "games/build": ("build", [("tone", "dev"), ("who", "dev")]),
        "games/break": ("break", []),
        "games/score": ("score", [("tone", "north"), ("tone", "south")]),
    }


def test_phase_of_no_kind_takes_all(anyone, toy):
    (phase,) = anyone.get("/api/v1/benchmarks/toy/").json()["phases"]
    assert phase["kind"] == "predictions"
    assert phase["splits"] == [{"task": "mood", "split": "test"}, {"task": "colour", "split": "test"}]


def test_set_tells_whether_it_was_withdrawn(anyone, games):
    make_set(games)
    make_set(games, "South", withdrawn=True)
    tone = anyone.get(GAMES).json()["tasks"][0]
    assert {one["id"]: one["is_withdrawn"] for one in tone["splits"]} == {
        "dev": False, "north": False, "south": True,
    }  # fmt: skip


def test_predictions_in_the_break_phase_are_told_where_pairs_go(api, games, system, monkeypatch):
    at(monkeypatch, IN_BREAK)
    answer = api.post(UPLOADS, form(system, "break", "tone_dev.csv", TONE_GOLD))
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_phase")
    assert "/benchmarks/games/pairs/" in answer.json()["detail"]


def test_score_phase_without_sets_says_when_to_come_back(api, games, system, monkeypatch):
    at(monkeypatch, IN_SCORE)
    answer = api.post(UPLOADS, form(system, "score", "tone_north.csv", NORTH_GOLD))
    assert (answer.status_code, answer.json()["code"]) == (503, "phase_not_ready")
    assert "Please come back in an hour." in answer.json()["detail"]


def test_file_of_another_phase_is_refused_with_the_phase_that_it_belongs_to(api, games, system, monkeypatch):
    make_set(games)
    at(monkeypatch, IN_SCORE)
    answer = api.post(UPLOADS, form(system, "score", "tone_dev.csv", TONE_GOLD))
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert "belong to the phase Build" in problem["message"]


def test_set_is_answered_once_it_is_made(api, games, system, monkeypatch):
    make_set(games)
    at(monkeypatch, IN_SCORE)
    answer = api.post(UPLOADS, form(system, "score", "tone_north.csv", NORTH_GOLD))
    assert answer.status_code == 201, answer.json()
    assert answer.json()["splits"] == [{"task": "tone", "split": "north", "seeds": 1}]
