"""What systems predicted for the development data: given to teams once building is over, never with gold labels."""

import csv
import io
from typing import Any

import pytest

from accounts.services import create_team
from benchmarks.models import Benchmark, Phase, Texts
from breaking.development import NothingBuilt, blind_predictions
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import load_texts
from scoring.queue.batches import close_due
from submissions.exceptions import PhaseNotReady
from submissions.models import System
from submissions.systems.status_transitions import withdraw
from tests.api.conftest import client_of
from tests.conftest import NOW, person, the_games, the_system
from tests.games import BUILD_CLOSES, IN_BREAK, IN_BUILD
from tests.phases import THREE_RIGHT, TONE_GOLD, build, fresh, hand_in, labels_file
from tests.weeks import run_batch

pytestmark = pytest.mark.django_db

PAGE, API = "/benchmarks/games/blind/tone.csv", "/api/v1/benchmarks/games/blind/tone.csv"


def table(games: Benchmark, task: str = "tone") -> list[list[str]]:
    benchmark = Benchmark.objects.get(pk=games.pk)
    data = blind_predictions(benchmark, benchmark.tasks.get(slug=task), now=IN_BREAK)
    return list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))


@pytest.fixture
def built(built_once: None, games: Benchmark) -> Benchmark:
    return games


@pytest.fixture(scope="module")
def built_once(stage: None) -> None:
    """The build phase is over, and Larch has three of four right."""
    build(the_system(), the_games(), THREE_RIGHT)
    run_batch(BUILD_CLOSES)


def test_a_column_per_system_holds_what_it_handed_in(built):
    assert table(built) == [["id", "Larch"], ["d1", "1"], ["d2", "-1"], ["d3", "1"], ["d4", "1"]]


def test_texts_stand_beside_the_ids_where_they_are_loaded(built):
    split = built.tasks.get(slug="tone").splits.get(slug="dev")
    rows = "".join(f"{item},Sentence {item}.\n" for item in TONE_GOLD)
    load_texts(split=split, data=f"id,sentence\n{rows}".encode(), file_name="t.csv", now=NOW)
    assert Texts.objects.exists()
    assert table(built)[:2] == [["id", "sentence", "Larch"], ["d1", "Sentence d1.", "1"]]


def test_gold_labels_make_no_difference(built):
    before = table(built)
    data = labels_file(dict.fromkeys(TONE_GOLD, "1"))
    load_gold(task=built.tasks.get(slug="tone"), data=data, file_name="d.csv", now=IN_BREAK, split_slug="dev")
    assert table(built) == before


def test_no_span_is_run_as_a_formula(games, system):
    hand_in(system, fresh(games, "build"), {"who_dev.csv": b'id,answer\nw1,=1+1\nw2,"Ann, too"\n'}, IN_BUILD)
    run_batch(BUILD_CLOSES)
    assert table(games, "who") == [["id", "Larch"], ["w1", "'=1+1"], ["w2", "Ann, too"]]


def test_what_counts_is_given_and_what_was_taken_back_is_not(games, system, team, owner):
    fir = System.objects.create(team=team, name="Fir", created_at=NOW)
    build(system, games)
    build(system, games, THREE_RIGHT, at=IN_BUILD.replace(hour=13))
    taken_back = build(fir, games)
    run_batch(BUILD_CLOSES)
    withdraw(submission=taken_back, user=owner, now=IN_BREAK)
    assert table(games)[0] == ["id", "Larch"]
    assert table(games)[-1] == ["d4", "1"]


def test_best_submission_is_given_where_that_counts(games, system):
    Phase.objects.filter(kind="build").update(counting="best")
    build(system, games)
    build(system, games, THREE_RIGHT, at=IN_BUILD.replace(hour=13))
    run_batch(BUILD_CLOSES)
    assert table(games)[-1] == ["d4", "-1"]


def test_systems_of_the_same_name_are_told_apart_by_their_teams(games, system):
    other = person("rival")
    namesake = System.objects.create(
        team=create_team(name="South", founder=other, now=NOW), name="Larch", created_at=NOW
    )
    build(system, games)
    build(namesake, games)
    run_batch(BUILD_CLOSES)
    assert table(games)[0] == ["id", "Larch (North)", "Larch (South)"]


def test_anonymous_systems_bear_their_numbers(games, system, team):
    Benchmark.objects.update(is_anonymous=True)
    build(system, games)
    build(System.objects.create(team=team, name="Fir", created_at=NOW), games)
    run_batch(BUILD_CLOSES)
    assert table(games)[0] == ["id", "System 1", "System 2"]


def test_nothing_is_given_before_the_build_phase_is_closed(built):
    task = built.tasks.get(slug="tone")
    with pytest.raises(PhaseNotReady, match="when the phase Build closes, on Wed 2 Dec 2026, 12:00 UTC"):
        blind_predictions(built, task, now=IN_BUILD)


def test_nothing_is_given_before_what_was_handed_in_is_scored(games, system):
    build(system, games)
    task = games.tasks.get(slug="tone")
    for _ in range(2):
        with pytest.raises(PhaseNotReady, match="is being scored"):
            blind_predictions(Benchmark.objects.get(pk="games"), task, now=IN_BREAK)
        close_due(BUILD_CLOSES)


def test_nothing_is_given_while_the_build_phase_is_open_again(built):
    Phase.objects.filter(kind="build").update(closes_at=IN_BREAK.replace(day=20))
    with pytest.raises(PhaseNotReady):
        table(built)


def test_benchmark_without_build_phase_has_none(toy):
    with pytest.raises(NothingBuilt):
        blind_predictions(toy, toy.tasks.get(slug="mood"), now=NOW)


# Over HTTP


@pytest.fixture
def in_break(built: Benchmark, monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BREAK)
    monkeypatch.setattr("breaking.development.database_now", lambda: IN_BREAK)
    return built


def test_members_of_any_team_download_it(in_break, client, outsider):
    create_team(name="Breakers", founder=outsider, now=NOW)
    client.force_login(outsider)
    for answer in (client.get(PAGE), client_of(outsider).get(API)):
        assert answer.status_code == 200
        assert answer.content.decode().splitlines()[0] == "id,Larch"
        assert "attachment" in answer["Content-Disposition"]


def test_people_without_a_team_are_told_what_to_do(in_break, client, outsider):
    client.force_login(outsider)
    answer, over_api = client.get(PAGE), client_of(outsider).get(API)
    assert (answer.status_code, over_api.status_code) == (403, 403)
    assert "Found a team" in answer.content.decode()
    assert over_api.json()["code"] == "not_your_team"


def test_nobody_unknown_gets_it(in_break, client):
    assert client.get(PAGE).status_code == 302
    assert client.get(API).status_code == 401


def test_page_of_pairs_offers_it_in_the_break_phase(in_break, client):
    assert (
        '<a href="/benchmarks/games/blind/tone.csv" download>'
        in client.get("/benchmarks/games/pairs/").content.decode()
    )


def test_page_of_pairs_says_when_it_will_be_given(built, client, monkeypatch):
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BUILD)
    page = client.get("/benchmarks/games/pairs/").content.decode()
    assert "They are given out when the phase Build closes" in page
    assert PAGE not in page


def test_before_the_close_the_download_says_when_to_come_back(built, client, owner, monkeypatch):
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BUILD)
    monkeypatch.setattr("breaking.development.database_now", lambda: IN_BUILD)
    client.force_login(owner)
    assert "given out when the phase Build closes" in client.get(PAGE).content.decode()
    answer: Any = client_of(owner).get(API)
    assert (answer.status_code, answer.json()["code"]) == (503, "phase_not_ready")


@pytest.mark.parametrize("task", ["nothing", "tone.csv"])
def test_unknown_task_is_not_found(in_break, client, owner, task):
    client.force_login(owner)
    assert client.get(f"/benchmarks/games/blind/{task}.csv").status_code == 404
