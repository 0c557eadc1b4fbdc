"""The broker carries hints only: losing it, with all that it holds, delays and never loses."""

import time
from collections.abc import Callable

import pytest

from tests.faults.conftest import SUBMISSIONS
from tests.faults.rabbit import Rabbit
from tests.faults.scene import BOTH
from tests.faults.server import Server
from tests.faults.test_worker_kills import assert_nothing_lost_or_doubled, finished_runs, is_published

pytestmark = pytest.mark.faults

SILENT = 15  # seconds
SUBMIT_FIVE = "import django; django.setup(); from tests.faults.scene import submit; submit(5, seed=8)"


def test_sweep_repairs_a_lost_broker_folder(
    start_server: Callable[..., Server], clean_scores: list[tuple[str, ...]]
) -> None:
    server = start_server(SCORER_PAUSE="0.02")
    server.start_worker("north")
    server.start_beat()
    server.wait_until(lambda: finished_runs(server) > SUBMISSIONS // 2, "a part of the runs done")

    (server.data / "broker").rename(server.data / "broker-lost")  # at once, as when a volume goes away
    server.kill_group("beat")
    server.running["north"].wait(timeout=10)  # it ends by itself, so that whoever watches it starts it again
    server.start_worker("north")
    server.start_beat()

    server.wait_until(lambda: is_published(server), "everything published")
    assert_nothing_lost_or_doubled(server, clean_scores)


@pytest.mark.rabbitmq
def test_uploads_are_taken_while_rabbitmq_is_away_and_the_sweep_repairs(
    start_server: Callable[..., Server], clean_scores: list[tuple[str, ...]], rabbit: Rabbit
) -> None:
    server = start_server(SCORER_PAUSE="0.02", HELDOUT_BROKER_URL=rabbit.url)
    server.start_worker("north")
    server.start_beat()
    server.wait_until(lambda: finished_runs(server) > SUBMISSIONS // 4, "a part of the runs done")

    rabbit.stop()
    rabbit.forget()
    server.run("-c", SUBMIT_FIVE)
    rabbit.start()

    server.wait_until(lambda: is_published(server), "everything published")
    assert_nothing_lost_or_doubled(server, clean_scores)
    assert server.count("submissions_submission", "status = 'accepted'") == 5


@pytest.mark.rabbitmq
def test_broker_that_says_nothing_any_more_delays_and_loses_nothing(
    installed: Callable[..., Server], rabbit: Rabbit
) -> None:
    server = installed(SCORER_PAUSE="0.02")
    server.start_worker("north")
    server.start_beat()
    with server.cut_offs(10) as come:
        server.wait_until(lambda: server.count("accounts_sweep") > 0, "a worker at its rounds")
        rabbit.pause()  # it takes connections, as the kernel does for it, and answers none
        come()
        time.sleep(SILENT)
        rabbit.go_on()

    server.wait_until(lambda: server.count("leaderboard_release") == len(BOTH), "everything published")
    assert server.count("submissions_submission", "status = 'published'") == 10 * len(BOTH)
    assert server.count("scoring_scoringrun", "status = 'done'") == server.count("scoring_scoringrun")
