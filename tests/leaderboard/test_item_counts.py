"""How many test items a task has, where its sets are made of what teams hand in."""

import re
from typing import Any

import pytest

from benchmarks.models import Benchmark
from breaking.pairs.review import withdraw_set
from leaderboard.pages.benchmark_pages import render_benchmark
from tests.broken import NORTH, SOUTH, make_set
from tests.games import IN_SCORE

pytestmark = pytest.mark.django_db


def item_count(benchmark: Benchmark, task: str) -> str:
    """What the benchmark's own table of tasks says."""
    benchmark.refresh_from_db()
    pages = {one.path: bytes(one.body).decode() for one in render_benchmark(benchmark)}
    lines = re.findall(r"<tr><td>.*?</tr>", pages["/benchmarks/games/rules/"], re.DOTALL)
    (line,) = (one for one in lines if f"/tasks/{task}/" in one)
    (found,) = re.findall(r'<td class="number">(.*?)</td>', line)
    return str(found)


@pytest.fixture
def with_sets(games: Benchmark) -> dict[str, Any]:
    return {"north": make_set(games, "north", NORTH), "south": make_set(games, "south", SOUTH)}


def test_no_number_stands_before_there_is_a_set(games: Benchmark) -> None:
    assert item_count(games, "tone") == ""


def test_the_items_of_all_sets_are_counted(games: Benchmark, with_sets: dict[str, Any]) -> None:
    assert item_count(games, "tone") == "6"
    assert item_count(games, "who") == ""


def test_those_of_a_withdrawn_set_are_not(games: Benchmark, with_sets: dict[str, Any], staff: Any) -> None:
    withdraw_set(breaker_set=with_sets["north"], reason="It is no set.", now=IN_SCORE, user=staff)
    assert item_count(games, "tone") == "2"
