"""An average with weights, another metric and ends, from the definition to the published board."""

import pytest

from scoring.gold.versions import load_gold
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, board, row_of, run_batch, upload

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
