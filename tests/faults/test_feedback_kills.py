"""Workers die while teams wait for their scores; every upload is answered, and none twice."""

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from submissions.intake.sealing import KeyPair
from tests.at_length import AT_LENGTH
from tests.faults.nursery import ROOT
from tests.faults.server import Server

pytestmark = pytest.mark.faults
UPLOADS = 50
SECONDS = 60 if AT_LENGTH else 20
KILLS = 8 if AT_LENGTH else 3
FEWEST = 2  # kills while somebody waits; on a slow machine all the others wait together
WORKERS = ("north", "south")


def told(server: Server) -> int:
    return server.count("submissions_submission", "told_at IS NOT NULL")


def has_told(server: Server, count: int) -> bool:
    return told(server) >= count


def test_every_upload_of_a_minute_is_answered_though_workers_are_killed(
    tmp_path: Path, keypair: KeyPair
) -> None:
    server = Server(tmp_path / "server" / "data", keypair, SCORER_PAUSE="0.05")
    server.run("-m", "tests.faults.scene", "feedback")
    chance, killed = random.Random(3), 0
    try:
        for name in WORKERS:
            server.start_worker(name)
        server.start_beat()
        command = [sys.executable, "-m", "tests.faults.scene", str(UPLOADS), str(SECONDS)]
        with subprocess.Popen(command, cwd=ROOT, env=server.environment) as sender:
            for kill in range(KILLS):
                wanted = (kill + 1) * UPLOADS // (KILLS + 2)
                server.wait_until(partial(has_told, server, wanted), f"{wanted} uploads answered")
                name = chance.choice(WORKERS)
                server.kill_group(name)
                killed += told(server) < UPLOADS
                server.start_worker(name)
        assert killed >= FEWEST, "nearly everything was answered before the kills"
        assert sender.returncode == 0
        server.wait_until(partial(has_told, server, UPLOADS), "every upload answered")
    finally:
        server.stop()

    assert server.count("submissions_submission") == UPLOADS
    assert (
        server.count("scoring_scoringrun", "status = 'done'") == UPLOADS == server.count("scoring_scoringrun")
    )
    assert server.count("scoring_toldanswer") == UPLOADS
    assert server.count("leaderboard_release") == 0
