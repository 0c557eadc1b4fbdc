"""Workers die at any moment; in the end every submission has exactly one set of scores."""

import os
import random
import signal
import time
from collections.abc import Callable

import pytest

from tests.at_length import AT_LENGTH
from tests.faults.conftest import OF_A_BATCH, SUBMISSIONS, all_scores
from tests.faults.scene import BOTH
from tests.faults.server import Server
from tests.postgres import Cluster

pytestmark = pytest.mark.at_length

KILLS = 24 if AT_LENGTH else 4
CRASHES = 3
SPLITS = METRICS = 2
WORKERS = ("north", "south", "east")


def score_under_fire(server: Server, seed: int) -> None:
    """Score everything while KILLS processes are killed, each while there still is something to score."""
    chance = random.Random(seed)
    for name in WORKERS:
        server.start_worker(name)
    server.start_beat()
    for kill in range(KILLS):
        wait_for_runs(server, kill * SUBMISSIONS * SPLITS // (KILLS + 2) + 1)
        time.sleep(chance.uniform(0, 0.1))
        assert finished_runs(server) < SUBMISSIONS * SPLITS, f"only {kill} kills fell into the scoring"
        _kill(server, chance.choice(WORKERS), chance)


def _kill(server: Server, name: str, chance: random.Random) -> None:
    """Kill one process that scores, the main process alone, or the whole group."""
    children = server.children(name)
    if children and chance.random() < 0.6:
        os.kill(chance.choice(children), signal.SIGKILL)
        return
    if chance.random() < 0.5:
        server.kill_parent(name)
    else:
        server.kill_group(name)
    server.start_worker(name)


def wait_for_runs(server: Server, count: int) -> None:
    server.wait_until(lambda: finished_runs(server) >= count, f"{count} runs done")


def finished_runs(server: Server) -> int:
    return server.count("scoring_scoringrun", f"status = 'done' AND {OF_A_BATCH}")


def is_published(server: Server) -> bool:
    return server.count("submissions_submission", "status = 'published'") == SUBMISSIONS


def assert_nothing_lost_or_doubled(server: Server, clean_scores: list[tuple[str, ...]]) -> None:
    assert server.count("scoring_scoringrun", OF_A_BATCH) == SUBMISSIONS * SPLITS
    assert finished_runs(server) == SUBMISSIONS * SPLITS
    assert all_scores(server) == clean_scores
    assert server.count("leaderboard_release") == 1
    assert server.count("scoring_batch", "status = 'released'") == server.count("scoring_batch") == 1


def test_killed_workers_lose_and_double_nothing(
    start_server: Callable[..., Server], clean_scores: list[tuple[str, ...]]
) -> None:
    server = start_server(SCORER_PAUSE="0.05")

    score_under_fire(server, seed=1)

    server.wait_until(lambda: is_published(server), "everything published")
    assert_nothing_lost_or_doubled(server, clean_scores)


@pytest.mark.faults
@pytest.mark.rabbitmq
def test_killed_workers_lose_and_double_nothing_where_all_is_as_installed(
    installed: Callable[..., Server],
) -> None:
    server = installed(SCORER_PAUSE="0.05")
    with server.cut_offs(SUBMISSIONS // len(BOTH)) as come:
        come()

    score_under_fire(server, seed=2)

    server.wait_until(lambda: is_published(server), "everything published")
    assert_each_is_scored_once(server)


@pytest.mark.faults
@pytest.mark.rabbitmq
def test_database_that_crashes_delays_and_loses_nothing(
    installed: Callable[..., Server], cluster: Cluster
) -> None:
    server = installed(SCORER_PAUSE="0.05")
    with server.cut_offs(SUBMISSIONS // len(BOTH)) as come:
        come()
    for name in WORKERS[:2]:
        server.start_worker(name)
    server.start_beat()
    for crash in range(CRASHES):
        wait_for_runs(server, crash * SUBMISSIONS * SPLITS // CRASHES + 1)
        cluster.kill()
        time.sleep(1)  # long enough for each process to ask it for something
        cluster.start()

    server.wait_until(lambda: is_published(server), "everything published")
    assert_each_is_scored_once(server)


def assert_each_is_scored_once(server: Server) -> None:
    """Without a twin that nothing happened to: what is made anew from the files is compared, to the last bit."""
    assert server.count("scoring_scoringrun") == finished_runs(server) == SUBMISSIONS * SPLITS
    assert server.count("scoring_score") == SUBMISSIONS * SPLITS * METRICS
    assert server.count("leaderboard_release") == server.count("scoring_batch") == len(BOTH)
    server.stop()
    server.run("manage.py", "check_invariants", "--thoroughly")
    server.run("manage.py", "reproduce")


def test_clean_run_scores_every_submission(clean_scores: list[tuple[str, ...]]) -> None:
    assert len(clean_scores) == SUBMISSIONS * SPLITS * 2
    assert len({row[:4] for row in clean_scores}) == len(clean_scores)
