"""From a cut-off to its board nobody waits for a round: each step asks for the next."""

from pathlib import Path

import pytest

from submissions.intake.sealing import KeyPair
from tests.faults.server import Server

pytestmark = pytest.mark.faults

SUBMISSIONS = 3


def test_board_follows_its_cut_off_where_nothing_but_the_cut_off_is_asked_for(
    tmp_path: Path, keypair: KeyPair
):
    server = Server(tmp_path / "data", keypair, SWEEPS_ASKED="close_due")
    try:
        server.run("-m", "tests.faults.scene", "due", str(SUBMISSIONS))
        server.start_worker("worker")
        server.start_beat()
        server.wait_until(lambda: server.count("leaderboard_release") == 1, "the release of the cut-off")
        scored = server.count("scoring_batchentry", "outcome = 'scored'")
    finally:
        server.stop()
    assert scored == SUBMISSIONS
