"""An average with weights, another metric and ends, from the definition to the published board."""

import re

import pytest

from benchmarks.models import Phase
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person, synced, the_system
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, upload

PLAIN = "{id: overall, title: Overall, of: all tasks, missing: unranked}"
MOOD = "{task: mood, metric: accuracy, weight: 2, from: 0.5, to: 1}"


@pytest.fixture
def published(sync, gold_keys, system):
    """Accuracy of mood from .5 on counts twice as much as macro F1 of colour."""
    weighted = (
        f"{{id: overall, title: Overall, of: [{MOOD}, {{task: colour, from: 0, to: 1}}], missing: worst}}"
    )
    benchmark = sync(TOY_DEFINITION.replace(PLAIN, weighted).replace("values: {overall: 0.75, ", "values: {"))
    for task in benchmark.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name=f"{task.slug}.csv", now=NOW)
    upload(system, benchmark.phases.get(), mood="good good bad bad bad bad")
    upload(team_of(person("alder"), "Alder")[1], benchmark.phases.get(), mood="bad bad good good bad bad")
    run_batch(CUT_OFF)
    return board()


def test_it_ranks_the_board_with_intervals_and_ranges_of_ranks(published, system):
    first, second = (row_of(published, name) for name in (system.name, "Alder"))

    assert first["cells"]["overall"]["value"] == pytest.approx((2 * 2 / 3 + 1) / 3, abs=1e-3)
    assert second["cells"]["overall"]["value"] == pytest.approx(1 / 3, abs=1e-3)
    assert (first["rank"], second["rank"]) == (1, 2)
    for row in (first, second):
        cell = row["cells"]["overall"]
        assert 0 <= cell["ci_low"] <= cell["value"] <= cell["ci_high"] <= 1
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    assert "weighted mean of scores brought to 0 to 1" in text_of(browser_of(None).get("/benchmarks/toy/"))


@pytest.fixture(scope="module")
def by_rank(stage: None):
    """Three systems and the mean of their ranks on two tasks."""
    ranks = "{id: overall, title: Overall, of: all tasks, missing: unranked, normalise: rank}"
    benchmark = synced(TOY_DEFINITION.replace(PLAIN, ranks).replace("values: {overall: 0.75, ", "values: {"))
    for task in benchmark.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name=f"{task.slug}.csv", now=NOW)
    phase = benchmark.phases.get()
    upload(the_system(), phase)
    upload(team_of(person("alder"), "Alder")[1], phase, mood=ONE_WRONG)
    upload(team_of(person("willow"), "Willow")[1], phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    return board()


def test_a_mean_rank_orders_the_board_from_below_with_intervals_and_ranges(by_rank, system):
    rows = [row for row in by_rank["rows"] if row["kind"] == "system"]
    values = {row["system"]: row["cells"]["overall"]["value"] for row in rows}

    # On colour all are equal and share rank 2.
    assert values == {system.name: 1.5, "Alder": 2.0, "Willow": 2.5}
    assert [row["rank"] for row in rows] == [1, 2, 3]
    for row in rows:
        cell = row["cells"]["overall"]
        assert 1 <= cell["ci_low"] <= cell["value"] <= cell["ci_high"] <= 3.5
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    assert rows[0]["cells"]["overall"]["ci_low"] < rows[1]["cells"]["overall"]["ci_high"]
    assert "mean of the ranks on each task" in text_of(browser_of(None).get("/benchmarks/toy/"))


def test_mean_ranks_of_two_systems_are_compared_among_all(by_rank, system):
    other = System.objects.get(name="Alder")
    page = browser_of(None).get("/benchmarks/toy/compare/", {"system": [str(system.pk), str(other.pk)]})
    told = " ".join(re.sub(r"<[^>]+>", " ", text_of(page)).split())

    difference = r"1\.500 2\.000 \+\.500 \((.\.\d+) to (.\d?\.\d+)\) could be chance"
    assert re.search(f"Overall mean of the ranks .* {difference}", told), told


def test_a_release_keeps_its_mean_ranks_when_others_come_and_is_made_again_with_them(by_rank, system):
    phase = Phase.objects.get()
    upload(team_of(person("rowan"), "Rowan")[1], phase, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)

    first, second = (
        {
            row["system"]: row["cells"]["overall"]["value"]
            for row in board(path)["rows"]
            if row["kind"] == "system"
        }
        for path in ("/benchmarks/toy/releases/1.json", "/benchmarks/toy.json")
    )

    assert first == {system.name: 1.5, "Alder": 2.0, "Willow": 2.5}
    assert second == {system.name: 2.0, "Rowan": 2.0, "Alder": 2.75, "Willow": 3.25}
    assert [reproduce(release)[0].differences for release in Release.objects.all()] == [[], []]
