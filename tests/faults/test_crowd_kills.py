"""A crowd labels while the server is killed: what was said to be kept is there once, and nothing too often."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from submissions.intake.sealing import KeyPair
from tests.at_length import AT_LENGTH
from tests.faults.crowd_hands import (
    PATIENCE,
    Crowd,
    Hand,
    coming_back,
    in_two_tabs,
    to_the_end,
    vanishing,
)
from tests.faults.nursery import ROOT
from tests.faults.server import Server
from tests.faults.web import Web

pytestmark = pytest.mark.faults

UNITS, WANTED, KILLS = (60, 3, 4) if AT_LENGTH else (16, 3, 2)
OF_A_KIND = 6 if AT_LENGTH else 2

PLACES = """
SELECT unit.key, unit.taken, count(assignment.id) FROM labelling_unit unit LEFT JOIN labelling_assignment assignment
ON assignment.unit_id = unit.id AND assignment.status = 'answered' AND assignment.holds_place GROUP BY unit.id
"""
TWICE = "SELECT unit_id, worker_id FROM labelling_assignment GROUP BY 1, 2 HAVING count(*) > 1"
FIRST_VERSIONS = "SELECT count(*), count(DISTINCT assignment_id) FROM labelling_answer WHERE version = 1"
VANISHED = """
SELECT worker.id FROM labelling_worker worker JOIN labelling_outsideid outside ON outside.worker_id = worker.id
WHERE worker.answered = 2 AND (outside.value LIKE 'gone%' OR outside.value LIKE 'late%')
"""


@pytest.fixture
def server(tmp_path: Path, keypair: KeyPair) -> Iterator[Server]:
    """A server with a campaign that is open, and nobody at work yet."""
    server = Server(tmp_path / "data", keypair)
    server.run("-m", "tests.faults.crowd", "open", str(UNITS), str(server.data / "study.json"))
    yield server
    server.stop()


def test_a_crowd_with_all_that_people_do_and_a_server_that_is_killed(server: Server, tmp_path: Path) -> None:
    told = json.loads((server.data / "study.json").read_text())
    web = Web("config.wsgi:application", tmp_path / "web.log", **server.environment)
    sweeper = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.crowd", "sweep"], cwd=ROOT, env=server.environment
    )
    crowd = Crowd(web.port, told["study"])
    late = [Hand(crowd, f"late{number}") for number in range(OF_A_KIND)]
    ways: list[Callable[[], None]] = [partial(coming_back, hand, crowd) for hand in late]
    for number in range(OF_A_KIND):
        ways += [
            partial(vanishing, Hand(crowd, f"gone{number}"), crowd),
            partial(to_the_end, Hand(crowd, f"plain{number}"), crowd),
            partial(to_the_end, Hand(crowd, f"twice{number}"), crowd, times=2),
            partial(in_two_tabs, Hand(crowd, f"tabs{number}"), crowd),
        ]
    faults: list[BaseException] = []
    threads = [threading.Thread(target=partial(_noting, way, faults)) for way in ways]
    try:
        web.wait_until_ready()
        for thread in threads:
            thread.start()
        for kill in range(1, KILLS + 1):
            _until(partial(_are_acknowledged, crowd, kill * UNITS * WANTED // (KILLS + 2)), faults)
            web.kill()
            web.start()
        _until(lambda: _let_lapse(server) and _is_complete(server), faults)
        crowd.is_over.set()
        for thread in threads:
            thread.join(PATIENCE)
    finally:
        crowd.is_over.set()
        web.stop()
        sweeper.kill()
        sweeper.wait()
    assert not faults, faults
    assert not crowd.refused, crowd.refused

    kept = [client for (client,) in server.rows("SELECT client_id FROM labelling_answer")]
    assert len(kept) == len(set(kept))
    assert {client.replace("-", "") for client in crowd.acknowledged} <= {
        client.replace("-", "") for client in kept
    }
    assert {(taken, places) for _, taken, places in server.rows(PLACES)} == {(WANTED, WANTED)}
    assert not server.rows(TWICE)
    ((first, assignments),) = server.rows(FIRST_VERSIONS)
    assert first == assignments == server.count("labelling_assignment", "status = 'answered'")
    for hand in late:  # their time was over, others had their places, and they are told so
        assert "came after its time" in hand.page
    assert first == UNITS * WANTED + len(late)


def _noting(way: Callable[[], None], faults: list[BaseException]) -> None:
    try:
        way()
    except BaseException as fault:  # noqa: BLE001  # of a thread: `_until` fails with it
        faults.append(fault)


def _are_acknowledged(crowd: Crowd, answers: int) -> bool:
    return len(crowd.acknowledged) >= answers


def _let_lapse(server: Server) -> bool:
    """Have the time be over of whoever has vanished: they have answered two, and their third is nobody else's."""
    for (worker,) in server.rows(VANISHED):
        server.change(
            "UPDATE labelling_assignment SET expires_at = '2026-01-01 00:00:00'"
            " WHERE status = 'held' AND worker_id = ?",
            worker,
        )
    return True


def _is_complete(server: Server) -> bool:
    return all(places == WANTED for _, _, places in server.rows(PLACES))


def _until(is_so: Callable[[], bool], faults: list[BaseException]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert not faults, faults
        assert time.monotonic() < deadline, f"not within {PATIENCE:.0f} s"
        time.sleep(0.1)
