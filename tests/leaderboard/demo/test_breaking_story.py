"""Build It Break It in the demo: over from the first file to the last name, and what a visitor finds of it."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from benchmarks.models import Benchmark
from breaking.models import BreakerSet, Contest, PairFile
from demo.stories import breaking
from demo.story import sign_up_teams
from leaderboard.models import Page, Release
from leaderboard.publication.services import refresh_stale
from tests.conftest import NOW
from tests.pages import text_of

OPENED_IN = 2
CORRECTED_IN = 3


@pytest.fixture(scope="module", autouse=True)
def _told(stage):
    """The story of this benchmark alone, told once for these tests."""
    breaking.tell(sign_up_teams("", NOW), now=NOW, seed=1)
    refresh_stale()


pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("db")]


def rows_of(path: str) -> dict[str, Any]:
    """The rows of a published board that are no published figures, by name."""
    board = json.loads(bytes(Page.objects.get(pk=f"/benchmarks/bibi{path}.json").body))
    return {row["system"]: row for row in board["rows"] if row["kind"] != "reported"}


def page(path: str) -> str:
    return re.sub(r"<[^>]*>", "", text_of(Client().get(f"/benchmarks/bibi{path}/")))


def test_all_phases_are_over_and_each_kind_of_prediction_has_its_release():
    releases = Release.objects.order_by("number").values_list("number", "phase__kind")
    assert list(releases) == [(1, "build"), (OPENED_IN, "score"), (CORRECTED_IN, "score")]
    assert not Benchmark.objects.get().phases.filter(closes_at__gt=NOW).exists()


def test_builders_breakers_and_the_matrix_are_on_their_boards():
    builders = {one.system for one in breaking.BUILDERS}
    assert set(rows_of("/boards/builders-sentiment")) == builders
    assert set(rows_of("/boards/matrix-sentiment")) == builders
    breakers = {one.team for one in breaking.BREAKERS if one.task == "sentiment"}
    assert set(rows_of("/boards/breakers-sentiment")) == breakers
    assert "for want of predictions for the development data: Goldcrest" in page("/boards/breakers-sentiment")


def test_a_later_file_of_pairs_has_replaced_an_earlier_one():
    assert PairFile.objects.filter(status="replaced").count() == 1


def test_what_the_organisers_left_out_is_in_no_set():
    made = BreakerSet.objects.get(split__slug="demo-team-orchard")
    assert made.split.item_count == 2 * (made.pair_file.pair_count - 1)
    assert made.pair_file.pairs.get(decision="left_out").changed_text == breaking.REWRITTEN


def test_a_contested_label_was_changed_and_the_release_says_for_whom():
    contest = Contest.objects.get()
    assert contest.status == Contest.Status.CHANGED
    assert contest.votes.filter(worker__campaign__purpose="pair_labels").count() == 5
    assert "Gold labels have changed" in page(f"/releases/{CORRECTED_IN}")
    assert "Gold labels have changed" not in page(f"/releases/{OPENED_IN}")


def test_break_rates_of_each_kind_of_change_are_told():
    for kind in ("negation", "idiom", "mood of the verb"):
        assert kind in page("/items/sentiment")
    assert "distractor" in page("/items/qasrl")


def test_names_stand_in_every_release_once_anonymity_is_lifted():
    assert "Dunlin" in page("")
    assert "Dunlin" in page(f"/releases/{OPENED_IN}")
    assert "System 1" not in page(f"/releases/{OPENED_IN}")
