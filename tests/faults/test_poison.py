"""Submissions whose scoring ends its process: the others are published in time, and people are told."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.faults.server import Server

pytestmark = [pytest.mark.faults, pytest.mark.rabbitmq]

POISONS = ("hangs", "takes all memory", "crashes")
SUBMISSIONS = 12
LEASE = 16
LATE = 20.0  # seconds
SLOWEST = (
    "SELECT extract(epoch FROM max(now() - seen_at))::float FROM accounts_sweep "
    "WHERE name IN ('finishing batches', 'publishing', 'rendering pages', 'keeping the ledger')"
)
FAILED = "status = 'failed'"


def poison_three(server: Server) -> None:
    (server.data / "poison").mkdir()
    submissions = server.rows(
        "SELECT submission.id FROM submissions_submission submission JOIN benchmarks_phase phase "
        "ON phase.id = submission.phase_id WHERE benchmark_id = 'toy' ORDER BY received_at"
    )
    for (submission,), poison in zip(submissions, POISONS, strict=False):
        (server.data / "poison" / str(submission)).write_text(poison)


def slowest(server: Server) -> float:
    ((seconds,),) = server.rows(SLOWEST)
    return seconds


def test_what_ends_its_process_is_left_out_and_keeps_nobody_waiting(
    installed: Callable[..., Server],
) -> None:
    server = installed(
        HELDOUT_LEASE_SECONDS=str(LEASE),
        HELDOUT_SCORING_SECONDS=str(LEASE - 4),
        HELDOUT_MEMORY_MB="1400",
        MOST_ATTEMPTS="2",
    )
    with server.cut_offs(SUBMISSIONS) as come:
        come()
    poison_three(server)
    server.start_worker("score", "celery")
    server.start_worker("sweep", "sweep")
    server.start_beat()
    ages = []

    def is_released(slug: str) -> bool:
        ages.append(slowest(server) or 0.0)
        return bool(server.count("leaderboard_release", f"benchmark_id = '{slug}'"))

    server.wait_until(partial(is_released, "toy2"), "the benchmark without poison released")
    healthy_after = server.count("scoring_scoringrun", "status = 'failed'")
    server.wait_until(partial(is_released, "toy"), "the benchmark with poison released")

    assert healthy_after == 0, "the healthy benchmark waited until the poison was given up"
    assert max(ages) < LATE
    assert server.count("submissions_submission", "status = 'published'") == 2 * SUBMISSIONS - len(POISONS)
    assert server.count("submissions_submission", FAILED) == len(POISONS)
    assert server.count("accounts_mail", "kind = 'failure'") >= len(POISONS)
