"""A release keeps on what the column that ranks it was measured, and nothing is called worse across two measures."""

import json
import re

import pytest

from leaderboard.models import Page, Release
from leaderboard.querysets import ReleaseQuerySet
from leaderboard.reports.measured.ranked_on import ranked_on
from tests.conftest import the_system, the_toy
from tests.leaderboard.test_gold_changes import correct
from tests.weeks import CUT_OFF, WEEK, run_batch, upload


@pytest.fixture(scope="module")
def corrected(stage: None) -> None:
    """The gold labels of one of two tasks are corrected between two releases, and the only system loses by it."""
    toy = the_toy()
    upload(the_system(), toy.phases.get())
    run_batch(CUT_OFF)
    correct(toy)
    run_batch(CUT_OFF + WEEK)


def words(path: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", bytes(Page.objects.get(pk=path).body).decode()).split())


def test_corrected_gold_labels_are_another_measure_on_every_page(corrected):
    otherwise = "Overall is measured otherwise than in release 1 (mood: gold labels 1 → 2)"

    assert f"New in release 2: {otherwise}" in words("/")
    assert otherwise in words("/benchmarks/toy/releases/2/")
    board = words("/benchmarks/toy/analysis/")
    assert "in release 2, the first by its measure" in board
    assert "Another measure since release 2 (mood: gold labels 1 → 2)" in board
    assert not re.search(r"The best score (fell|rose)|scores \.\d+ (better|worse)", words("/") + board)
    history = json.loads(bytes(Page.objects.get(pk="/benchmarks/toy-history.json").body))
    assert [one["measure"] for one in history["releases"]] == [2, 1]


def test_of_releases_from_before_it_was_kept_it_is_told_by_their_cells(corrected, monkeypatch):
    boards = {one.number: "overall" for one in Release.objects.all()}
    kept = ranked_on(the_toy(), boards)
    monkeypatch.setattr(ReleaseQuerySet, "reports", lambda self, name: dict.fromkeys(boards))

    derived = ranked_on(the_toy(), boards)

    assert derived == kept
    assert derived[1].keys() == {"overall", "mood", "colour"}
    assert derived[2]["mood"]["gold labels"] == "2"
