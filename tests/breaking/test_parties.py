"""Who is said to contest a label while systems are anonymous."""

from __future__ import annotations

import pytest

from accounts.services import create_team
from benchmarks.models import Benchmark
from breaking.parties import public_party
from tests.broken import NORTH, make_set
from tests.conftest import NOW, person
from tests.contested import breaker_team


@pytest.fixture
def south(games):
    breaker_set = make_set(games, "south", NORTH)
    team, _ = breaker_team("South", breaker_set)
    return team


@pytest.fixture
def east(db):
    return create_team(name="East", founder=person("easterner"), now=NOW)


def test_where_systems_are_named_every_team_is(games, south, east):
    assert [public_party(one, games) for one in (south, east)] == ["South", "East"]


def test_where_they_are_anonymous_only_breakers_are_named(games, south, east):
    Benchmark.objects.update(is_anonymous=True)
    games.refresh_from_db()
    assert [public_party(one, games) for one in (south, east)] == ["South", "a builder"]
