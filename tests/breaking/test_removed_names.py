"""The name of a breaker's team that was removed stands on no set, and on no page about one."""

import pytest

from benchmarks.models import Benchmark
from breaking.models import PairFile
from breaking.sets.phase_close import make_sets
from breaking.sets.removed_names import rename_sets
from leaderboard.publication.services import refresh_stale
from submissions.systems.name_removals import remove_team_name
from tests.breakers import breaker, hand_in, load_starters, sets
from tests.broken import NORTH, SOUTH, answer, answer_dev, make_set, run
from tests.games import AFTERWARDS, BREAK_CLOSES
from tests.published import published

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]


def test_a_name_that_was_removed_before_the_close_becomes_no_set(games):
    load_starters(games)
    team = breaker("Awful words")
    hand_in(games, team)
    called = remove_team_name(team=team, reason="offensive", now=BREAK_CLOSES)
    make_sets(BREAK_CLOSES)
    [(place, title)] = sets().items()
    assert title == called
    assert "awful" not in place


@pytest.fixture
def shown(games, system) -> Benchmark:
    """A release with two breakers' sets; one is of a team with a name that must not be read."""
    answer_dev(system, games)
    run(BREAK_CLOSES)
    make_set(games, "north", NORTH, title="Awful words")
    make_set(games, "south", SOUTH, title="South & Sons")
    file = PairFile.objects.filter(breaker_set__split__slug="north")
    file.update(team=breaker("Awful words"), breaker="Awful words")
    answer(
        system,
        games,
        {
            "tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"},
            "tone_south.csv": {"12_a": "-1", "12_b": "1"},
        },
    )
    run(AFTERWARDS)
    refresh_stale()
    return games


def everything() -> str:
    return "\n".join(body.decode("utf-8", "replace") for body in published().values())


def test_a_name_that_is_removed_later_leaves_sets_and_every_page_about_them(shown):
    assert "Awful words" in everything()
    called = remove_team_name(team=breaker("Awful words"), reason="offensive", now=AFTERWARDS)
    assert rename_sets(AFTERWARDS) == 1
    assert sets() == {"tone/north": called, "tone/south": "South & Sons"}
    refresh_stale()
    pages = everything()
    assert "Awful words" not in pages
    assert called in pages
    assert "South &amp; Sons" in pages
    assert rename_sets(AFTERWARDS) == 0
