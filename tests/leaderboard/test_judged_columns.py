"""What people gave systems stands on the board of the task from the next release on, and is made again as it was."""

import datetime as dt

import pytest
from django.test import Client

from labelling.outcomes.settling import settle_due
from labelling.work.campaigns import want_outcome
from leaderboard.models import Release
from leaderboard.publication.reproduction import made_otherwise, reproduce
from submissions.models import System
from tests.pages import text_of
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch
from tests.written import (
    BETTER,
    SLIDER,
    as_number,
    begun,
    item_of,
    judged,
    make_told,
    send,
    the_better,
    the_told,
)

PATH = "/benchmarks/told/tasks/words"


@pytest.fixture(scope="module")
def _judged(stage):
    """Numbers, and preferences; then a week in which one of the systems sends something else, and a new one comes."""
    benchmark = make_told()
    judged(
        begun(benchmark, "assessment", SLIDER, sample=8),
        as_number,
        lambda page: as_number(page, 4 - item_of(page)),
    )
    judged(
        begun(benchmark, "preferences", BETTER, sample=8, answers_wanted=3, title="The better one"),
        the_better,
        lambda page: {"label": "left" if item_of(page) % 3 else "tie"},
        lambda page: {"label": "right" if item_of(page) % 4 else "left"},
    )
    later = CUT_OFF + dt.timedelta(days=1)
    send(benchmark, System.objects.get(name="Birch"), later, more=" again")
    run_batch(CUT_OFF + WEEK)


@pytest.fixture
def told(_judged, gold_keys):
    return the_told()


def columns():
    return [
        column for column in board(f"{PATH}.json")["columns"] if column.get("group") == "Judged by people"
    ]


def cell(system: str, head: str):
    key = next(column["key"] for column in columns() if column["code"] == head)
    return row_of(board(f"{PATH}.json"), system)["cells"][key]


def test_numbers_and_preferences_have_columns_of_their_own_with_intervals(told):
    assert [column["code"] for column in columns()] == ["Mean", "z", "Wins", "Strength"]
    for head in ("Mean", "z", "Wins", "Strength"):
        best, worst = cell("Alder", head), cell("Cedar", head)
        assert best["ci_low"] < best["value"] < best["ci_high"]
        assert best["value"] > worst["value"]
    assert 80 < cell("Alder", "Mean")["value"] <= 100


def test_a_system_that_stands_with_something_else_was_not_judged(told):
    assert cell("Birch", "Mean") | {"value": None, "undefined": "not_judged"} == cell("Birch", "Mean")


def test_the_board_says_who_judged_and_how_far_they_agree_and_ranks_by_its_own_metric(told):
    shown = board(f"{PATH}.json")
    assert shown["rank_by"] == "words"
    assert "Judged by people (Read by people): " in shown["note"]
    assert "2 people about 8 items; agreement (Krippendorff's alpha) ." in shown["note"]
    page = text_of(Client().get(f"{PATH}/"))
    assert "Judged by people" in page
    assert "Best on" not in page
    assert "macro F1" not in page
    assert "leading zero" in page  # of shares of wins
    assert "Read by people: Mean: mean of the numbers that people gave" in page
    assert all(column["key"] in text_of(Client().get(f"{PATH}.csv")) for column in columns())


def test_the_page_of_labels_tells_of_outputs_and_leaves_what_each_system_was_given_to_the_board(told):
    page = text_of(Client().get("/benchmarks/told/labelling/"))
    assert page.count("What each system was given stands on the board of the task") == 2
    assert "24 outputs, by score" in page
    assert "have a value" not in page
    assert ">left<" not in page


def test_the_release_before_has_no_such_column_and_both_are_made_again_as_they_were(told):
    first, second = Release.objects.order_by("number")
    assert len(first.boards["words"]["columns"]) == 1
    for release in (first, second):
        made, count = reproduce(release)
        assert (made.differences, made.failed, count) == ([], [], len(release.boards))


def test_a_later_outcome_changes_no_release_that_is_out(told):
    for campaign in told.campaigns.all():
        want_outcome(campaign=campaign, clues_are_known=False)
    assert settle_due(CUT_OFF + 2 * WEEK) == 2
    assert [made_otherwise(release) for release in Release.objects.all()] == [[], []]
