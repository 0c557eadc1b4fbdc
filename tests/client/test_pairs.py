"""Breakers at the command line: the server's own reading before anything is sent."""

import json
from pathlib import Path

import pytest

from accounts.models import ApiToken
from breaking.models import PairFile
from tests.breaking.hands import start
from tests.games import IN_BREAK, TONE_PAIRS, TONE_STARTER

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def server(live_server, games, team, owner, monkeypatch) -> str:
    """A server in its break phase, with the starter data of one task; the owner is signed in."""
    _, token = ApiToken.objects.create(owner)
    monkeypatch.setenv("HELDOUT_URL", live_server.url)
    monkeypatch.setenv("HELDOUT_TOKEN", token)
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BREAK)
    start(games.tasks.get(slug="tone"))
    return str(live_server.url)


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "north.csv"
    path.write_bytes(TONE_PAIRS)
    return path


@pytest.fixture
def pairs(run):
    def _pairs(path, *more, phase="games/break", task="tone"):
        return run("pairs", path, "--phase", phase, "--task", task, *more)

    return _pairs


def test_good_pairs_are_handed_in(pairs, file):
    result = pairs(file, "--team", "North")
    taken = PairFile.objects.get()
    assert (result.exit_code, taken.pair_count, taken.file_name) == (0, 2, "north.csv"), result.output
    assert "Accepted: 2 pairs of North." in result.stdout
    assert f"/benchmarks/games/pairs/{taken.pk}/" in result.stdout


def test_pairs_that_wait_are_named(pairs, file):
    file.write_text("id,original_id,text,label,rationale\n11_b,11,Never again shall we hear of it!,-1,\n")
    result = pairs(file, "--team", "North")
    assert "north.csv:2: 11_b: The change touches" in result.stdout


def test_the_same_file_again_is_said_to_count(pairs, file, monkeypatch):
    pairs(file, "--team", "North")
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BREAK.replace(minute=30))
    assert "was handed in before" in pairs(file, "--team", "North").stdout


def test_checking_alone_sends_nothing(pairs, file):
    result = pairs(file, "--check-only")
    assert (result.exit_code, "No problem found: 2 pairs." in result.stdout) == (0, True)
    assert not PairFile.objects.exists()


def test_bad_pairs_are_told_and_not_sent(pairs, file):
    file.write_bytes(TONE_PAIRS.replace(b"11_b,11,", b"11_b,99,"))
    result = pairs(file, "--team", "North")
    assert result.exit_code == 1
    assert "north.csv:2:original_id: “99” is no sentence of the starter data" in result.stderr
    assert not PairFile.objects.exists()


def test_starter_data_are_fetched_again_only_when_they_have_changed(pairs, file, games, home):
    pairs(file, "--check-only")
    (stored,) = home.rglob("starter-tone.json")
    before = stored.stat().st_mtime_ns
    assert pairs(file, "--check-only").exit_code == 0
    assert stored.stat().st_mtime_ns == before
    start(games.tasks.get(slug="tone"), TONE_STARTER.replace(b"11,I like", b"15,I like"))
    result = pairs(file, "--check-only")
    assert (result.exit_code, "no sentence of the starter data" in result.stderr) == (1, True)


@pytest.mark.parametrize("content", ["{", '{"csv": "nonsense"}', '{"csv": 1}', "[]"])
def test_a_damaged_store_is_fetched_anew(pairs, file, home, content):
    pairs(file, "--check-only")
    (stored,) = home.rglob("starter-tone.json")
    stored.write_text(content)
    assert pairs(file, "--check-only").exit_code == 0
    assert json.loads(stored.read_text())["csv"] == TONE_STARTER.decode()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"task": "none"}, "no task 'none' that pairs are made of. There is: tone, who."),
        ({"task": "who"}, "has not loaded the starter data yet"),
        ({"phase": "none/break"}, "Error: "),
        ({"phase": "games/build"}, "takes predictions, not pairs"),
        ({"phase": "games/none"}, "There is no phase"),
    ],
)
def test_what_cannot_be_done_is_told(pairs, file, options, words):
    result = pairs(file, "--team", "North", **options)
    assert (result.exit_code, words in result.stderr) == (2, True), result.stderr


def test_another_team_is_told(pairs, file):
    result = pairs(file, "--team", "South")
    assert (result.exit_code, "You are in no team 'South'" in result.stderr) == (2, True)


def test_without_a_team_nothing_is_sent(pairs, file):
    result = pairs(file)
    assert (result.exit_code, "Give --team" in result.stderr) == (2, True)


def test_a_folder_is_no_file_of_pairs(pairs, tmp_path):
    result = pairs(tmp_path, "--team", "North")
    assert (result.exit_code, "is a folder" in result.stderr) == (2, True)
