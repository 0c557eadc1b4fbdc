"""Who is said to contest a label while systems are anonymous."""

import pytest

from accounts.models import Team
from accounts.services import create_team
from benchmarks.models import Benchmark
from breaking.contests.services import public_party
from submissions.models import System
from tests.broken import NORTH, answer_dev, make_set
from tests.conftest import NOW, person
from tests.contested import breaker_team


def builder(games: Benchmark, team: Team) -> Team:
    """The team with a submission."""
    answer_dev(System.objects.create(team=team, name=f"{team} 1", created_at=NOW), games)
    return team


@pytest.fixture
def parties(games: Benchmark) -> list[Team]:
    """A breaker, a builder, a builder whose pairs became a set, and one with pairs that did not."""
    south, _ = breaker_team("South", make_set(games, "south", NORTH))
    west, _ = breaker_team("West", make_set(games, "west", NORTH))
    left_out = make_set(games, "north", NORTH)
    north, _ = breaker_team("North", left_out)
    left_out.delete()
    east = create_team(name="East", founder=person("easterner"), now=NOW)
    return [south, builder(games, east), builder(games, west), north]


def names(games: Benchmark, teams: list[Team]) -> list[str]:
    return [public_party(one, Benchmark.objects.get(pk=games.pk)) for one in teams]


def test_where_systems_are_named_every_team_is(games, parties):
    assert names(games, parties) == ["South", "East", "West", "North"]


def test_where_they_are_anonymous_builders_are_not_named_unless_they_break(games, parties):
    Benchmark.objects.update(is_anonymous=True)
    assert names(games, parties) == ["South", "a builder", "West", "North"]
