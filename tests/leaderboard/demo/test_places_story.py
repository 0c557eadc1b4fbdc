"""The demo's benchmark from a table: what a visitor finds of a phase that runs under the protected rule."""

import json
from itertools import pairwise

import pytest
from django.test import Client

from benchmarks.models import Benchmark
from demo.stories import places
from demo.story import sign_up_teams
from leaderboard.models import Page, Release
from leaderboard.publication.services import refresh_stale
from scoring.models import Disclosed
from submissions.models import Submission
from tests.conftest import NOW
from tests.pages import browser_of, text_of


@pytest.fixture(scope="module", autouse=True)
def _told(stage):
    """The story of this benchmark alone, told once for these tests."""
    places.tell(sign_up_teams("", NOW), now=NOW, seed=1)
    refresh_stale()


pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("db")]


def numbers(release: int) -> dict[str, float]:
    """What each system stands with on a release's board."""
    board = json.loads(
        bytes(Page.objects.get(pk=f"/benchmarks/places/releases/{release}/tasks/opinion.json").body)
    )
    return {
        row["system"]: row["cells"]["opinion"]["value"] for row in board["rows"] if row["kind"] == "system"
    }


def test_there_is_a_release_for_every_past_week_and_each_is_under_the_rule():
    releases = Release.objects.order_by("number").select_related("batch")
    assert [one.batch.disclosure for one in releases] == ["protected"] * places.WEEKS
    assert Benchmark.objects.get().is_synthetic


def test_numbers_move_on_clear_gains_and_never_fall():
    weeks = [numbers(number) for number in range(1, places.WEEKS + 1)]
    for before, after in pairwise(weeks):
        assert all(after[name] >= shown for name, shown in before.items() if name in after)
    assert weeks[-1]["Dunlin"] > weeks[0]["Dunlin"]


def test_no_number_is_an_exact_score():
    last = numbers(places.WEEKS)
    assert last["Goldcrest"] > last["Juniper"]
    shown = set(Disclosed.objects.filter(leads=True).values_list("shown", flat=True))
    assert set(last.values()) <= shown


def test_a_team_finds_an_answer_that_did_not_move_its_number():
    still = Disclosed.objects.filter(leads=False, run__submission__system__name="Siskin").values(
        "run__submission"
    )
    submission = Submission.objects.filter(pk__in=still).earliest("received_at")
    page = text_of(browser_of(submission.submitted_by).get(f"/submissions/{submission.pk}/"))
    assert "It did not move your number under the rule of the phase" in page


def test_the_board_says_what_its_numbers_are():
    page = text_of(Client().get("/benchmarks/places/"))
    assert "with noise that protects its labels.</summary>" in page
    assert "A small gain may be real and not show yet." in page
