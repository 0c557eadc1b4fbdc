"""The command in phases that take different things: it checks what a phase asks for, sets that came later too."""

from pathlib import Path
from typing import Any

import pytest

from accounts.models import ApiToken
from benchmarks.models import Phase
from submissions.models import Submission
from tests.client.conftest import Run
from tests.conftest import NOW
from tests.phases import NORTH_GOLD, TONE_GOLD, labels_file, make_set

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live(live_server: Any, games: Any, owner: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server with the games, all of whose phases are open, and one set."""
    monkeypatch.setenv("HELDOUT_URL", live_server.url)
    monkeypatch.setenv("HELDOUT_TOKEN", ApiToken.objects.create(owner)[1])
    make_set(games)
    Phase.objects.update(opens_at=None, closes_at=NOW.replace(year=2100))
    return games


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "tone_dev.csv").write_bytes(labels_file(TONE_GOLD))
    (folder / "tone_north.csv").write_bytes(labels_file(NORTH_GOLD))
    return folder


def submit(run: Run, path: Path, phase: str) -> Any:
    return run("submit", path, "--phase", f"games/{phase}", "--system", "Larch")


@pytest.mark.parametrize(("phase", "name"), [("build", "tone_dev.csv"), ("score", "tone_north.csv")])
def test_what_a_phase_asks_for_is_checked_and_sent(run, live, files, system, phase, name):
    result = submit(run, files / name, phase)
    assert result.exit_code == 0, result.output
    assert Submission.objects.get().phase.slug == phase


def test_set_that_came_after_the_definition_is_checked(run, live, files):
    (files / "tone_north.csv").write_bytes(labels_file(NORTH_GOLD).replace(b"11_b,-1", b"11_b,no"))
    result = run("check", files / "tone_north.csv", "--benchmark", "games")
    assert result.exit_code == 1
    assert "tone_north.csv:3" in result.stderr


@pytest.mark.parametrize("command", ["check", "submit"])
def test_what_belongs_to_another_phase_is_told_before_anything_is_sent(run, live, files, system, command):
    file = files / "tone_dev.csv"
    result = (
        submit(run, file, "score")
        if command == "submit"
        else run("check", file, "--benchmark", "games", "--phase", "score")
    )
    assert result.exit_code == 1
    assert "belong to the phase Build; this one takes predictions for the pairs of all" in result.stderr


def test_check_for_no_phase_takes_all_of_them(run, live, files):
    result = run("check", files, "--benchmark", "games")
    assert result.exit_code == 0, result.output


def test_check_knows_the_phases_without_the_network(run, live, files, monkeypatch):
    words = ("check", files, "--benchmark", "games", "--phase", "score")
    first = run(*words)
    monkeypatch.setattr("client.server.Server.get", lambda *_, **__: pytest.fail("the network was used"))
    assert run(*words).output == first.output


def test_break_phase_is_for_pairs(run, live, files, system):
    result = submit(run, files, "break")
    assert (result.exit_code, "takes minimal pairs, not predictions" in result.stderr) == (2, True)


def test_a_phase_that_is_to_come_is_not_called_closed(run, live):
    Phase.objects.filter(slug="score").update(opens_at=NOW.replace(year=2099))
    Phase.objects.filter(slug="break").update(closes_at=NOW.replace(year=2001))
    said = run("benchmarks").output
    assert "games/score: opens Wed 18 Nov 2099, 12:00" in said
    assert "games/break: closed" in said
