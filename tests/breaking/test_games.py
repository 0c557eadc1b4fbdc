"""The phases of a benchmark whose teams break each other's systems."""

import pytest

from benchmarks.models import Benchmark
from benchmarks.services import keep_made_split
from benchmarks.spec import SplitSpec
from tests.games import BREAK_CLOSES, BUILD_CLOSES, phase_of

pytestmark = pytest.mark.django_db


def test_each_phase_opens_when_the_one_before_it_closes(games: Benchmark):
    build, breaking, score = (phase_of(games, kind) for kind in ("build", "break", "score"))
    assert (breaking.opens_at, score.opens_at) == (build.closes_at, breaking.closes_at)
    assert (build.closes_at, breaking.closes_at) == (BUILD_CLOSES, BREAK_CLOSES)


def test_set_of_pairs_counts_among_the_sets_of_its_task_until_it_is_withdrawn(games: Benchmark):
    task = games.tasks.get(slug="tone")
    keep_made_split(task=task, split=SplitSpec("north", "North", file="tone_north.csv"))
    games.refresh_from_db()
    assert games.spec.task("tone").test_splits == ("north",)
    keep_made_split(task=task, split=SplitSpec("north", "North", file="tone_north.csv", withdrawn=True))
    keep_made_split(task=task, split=SplitSpec("south", "South", file="tone_south.csv"))
    games.refresh_from_db()
    assert games.spec.task("tone").test_splits == ("south",)


def test_set_of_pairs_makes_no_other_task_of_its_task(games: Benchmark):
    task = games.tasks.get(slug="tone")
    before = task.spec.fingerprint()
    keep_made_split(task=task, split=SplitSpec("north", "North", file="tone_north.csv"))
    games.refresh_from_db()
    assert games.spec.task("tone").fingerprint() == before
