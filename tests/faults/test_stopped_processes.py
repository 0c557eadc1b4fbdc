"""A process stops in the middle, or scoring ends its process again and again: the others go on, and nothing is lost."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.faults.scene import BOTH
from tests.faults.server import Server

pytestmark = [pytest.mark.faults, pytest.mark.rabbitmq]

EACH = 2  # submissions of a benchmark at each cut-off
SPLITS = METRICS = 2
ALONE, WITH_ITS_WORKER = False, True
STEPS = {
    "scoring_batch": ALONE,
    "scoring_scoringrun": WITH_ITS_WORKER,
    "scoring_score": ALONE,
    "leaderboard_press": ALONE,
    "leaderboard_printing": WITH_ITS_WORKER,
    "leaderboard_page": ALONE,
    "leaderboard_release": WITH_ITS_WORKER,
    "leaderboard_ledgerentry": ALONE,
    "transparency_logentry": ALONE,
    "accounts_mail": WITH_ITS_WORKER,
    "accounts_sweep": ALONE,
}
"""Tables that a process writes to, or locks a row of, between cut-off and publication, and what stops there."""
STATEMENT, LOCK, IDLE = 10, 2, 5
"""Seconds; a twelfth of what an installation has, at most."""
WITHIN = 60.0  # seconds; the lease, `IDLE`, and rounds on a machine that does other things as well


def stopped(server: Server) -> list[Path]:
    return list(server.data.glob("stopped.*"))


def are_out(server: Server, rounds: int) -> bool:
    """Whether both benchmarks have as many releases as there were cut-offs."""
    return server.count("leaderboard_release") == 2 * rounds


def seconds_until_released(server: Server, rounds: int, step: str, whole_worker: bool) -> float:
    """From the moment at which a process has stopped, which goes on afterwards."""
    server.wait_until(lambda: stopped(server) != [], f"a process stopped at {step}")
    (mark,) = stopped(server)
    pid = int(mark.suffix[1:])
    if whole_worker:
        os.killpg(os.getpgid(pid), signal.SIGSTOP)
    began = time.monotonic()
    server.wait_until(partial(are_out, server, rounds), f"both released while stopped at {step}")
    seconds = time.monotonic() - began
    mark.unlink()
    with suppress(ProcessLookupError):
        os.killpg(os.getpgid(pid), signal.SIGCONT)
    return seconds


def test_stopped_process_delays_others_by_less_than_its_time(installed: Callable[..., Server]) -> None:
    server = installed(
        WORKER_PATIENCE=f"{STATEMENT} {LOCK} {IDLE}", HELDOUT_LEASE_SECONDS="20", HELDOUT_SCORING_SECONDS="15"
    )
    for name, queues in {"score": "celery", "score2": "celery", "sweep": "sweep", "sweep2": "sweep"}.items():
        server.start_worker(name, queues)
    server.start_beat()
    took = {}
    with server.cut_offs(EACH) as come:
        for rounds, (step, whole_worker) in enumerate(STEPS.items(), 1):
            server.data.joinpath("stop_at").write_text(step)
            come()
            took[step] = seconds_until_released(server, rounds, step, whole_worker)
    assert max(took.values()) < WITHIN, took
    server.stop()
    server.run("manage.py", "check_invariants", "--thoroughly")
    submissions = len(STEPS) * EACH * len(BOTH)
    assert server.count("scoring_batch", "status = 'released'") == server.count("scoring_batch")
    assert server.count("submissions_submission", "status = 'published'") == submissions
    assert server.count("scoring_scoringrun", "status = 'done'") == submissions * SPLITS
    assert server.count("scoring_score") == submissions * SPLITS * METRICS
