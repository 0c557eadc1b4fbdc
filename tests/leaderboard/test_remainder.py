"""The private remainder: items that rank at the end of a phase alone, the others before, and nobody knows which."""

from __future__ import annotations

import datetime as dt

import pytest

from benchmarks.models import Phase
from leaderboard.models import Release
from leaderboard.reproduction import reproduce
from scoring.gold import load_gold
from scoring.models import ScoringRun
from scoring.parts import items_of_part, part_size
from tests.pages import text_of
from tests.quiz import GOLD, ITEMS, OTHER, as_file, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

HOUR = dt.timedelta(hours=1)
PATH = "/benchmarks/quiz.json"
TASK = "/benchmarks/quiz/tasks/quiz.json"
WRONG = range(300)


@pytest.fixture
def phase(sync, gold_keys) -> Phase:
    return make_quiz(sync, "exact, remainder: 0.3")


@pytest.fixture
def shown(phase, client):
    """After the first release."""
    send(new_system("Larch"), phase, WRONG, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return phase


@pytest.fixture
def over(shown):
    """After the release of the last cut-off."""
    Phase.objects.update(closes_at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    return shown


def items(part: str):
    return items_of_part(part, ScoringRun.objects.earliest("pk").gold_version_id, ITEMS)


def right_among(part: str) -> float:
    """The accuracy of the system on the items of a part."""
    found = items(part)
    return float(sum(found[at] for at in range(ITEMS) if at not in WRONG) / found.sum())


def test_the_two_parts_have_no_item_in_common_and_lack_none(shown):
    before, after = items("shown 0.3"), items("remainder 0.3")

    assert (before ^ after).all()
    assert (before.sum(), after.sum()) == (700, 300)


def test_the_parts_follow_from_the_sealed_salt_and_not_from_the_order_of_items(shown):
    after = items("remainder 0.3")

    assert 60 < after[:300].sum() < 120


def test_while_the_phase_runs_only_the_other_items_are_scored(shown):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert cell["value"] == pytest.approx(right_among("shown 0.3"), abs=1e-12)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert board(PATH)["part"] == "shown 0.3"
    assert {run.part for run in ScoringRun.objects.all()} == {"shown 0.3"}


def test_at_its_end_the_items_that_were_kept_back_rank_alone(over):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert cell["value"] == pytest.approx(right_among("remainder 0.3"), abs=1e-12)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert board(PATH)["part"] == "remainder 0.3"


def test_pages_say_which_items_count(shown, client):
    assert "30% of the items, drawn with a sealed salt, are kept back" in text_of(
        client.get("/benchmarks/quiz/")
    )

    Phase.objects.update(closes_at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)

    assert "those of the 30% of the items that were kept back" in text_of(client.get("/benchmarks/quiz/"))


def test_new_gold_labels_are_scored_on_the_same_part_again(over):
    corrected = [OTHER[label] if at < 300 else label for at, label in enumerate(GOLD)]
    load_gold(
        task=over.benchmark.tasks.get(),
        data=as_file(corrected),
        file_name="quiz.csv",
        now=CUT_OFF + WEEK + HOUR,
        note="The first three hundred were wrong.",
    )
    run_batch(CUT_OFF + 2 * WEEK)

    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["value"] == 1.0
    assert board(PATH)["part"] == "remainder 0.3"


def test_both_releases_can_be_made_again(over):
    for release in Release.objects.select_related("benchmark", "phase", "batch"):
        assert reproduce(release).differences == ()


def test_neither_part_is_ever_empty():
    assert (part_size("shown 0.1", 3), part_size("remainder 0.1", 3)) == (2, 1)
    assert (part_size("shown 0.9", 3), part_size("remainder 0.9", 3)) == (1, 2)
    assert part_size("", 3) == 3
