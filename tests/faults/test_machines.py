"""Two web machines and four worker machines, each with a folder of its own, share a database, a broker and a bucket."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from submissions.intake.sealing import KeyPair
from tests.faults.nursery import ROOT
from tests.faults.rabbit import Rabbit
from tests.faults.server import Server
from tests.faults.store import Store, address
from tests.faults.web import Web
from tests.postgres import temporary_postgres
from tests.uploads import toy_zip

pytestmark = [pytest.mark.faults, pytest.mark.rabbitmq]

SENDERS = 12
BOARD = "/benchmarks/toy/"
SEEN_WITHIN = 2.0  # seconds after a release, on every web machine


class Machine(Server):
    """A machine with a folder of its own: its database, its uploads and its broker are elsewhere."""

    def __init__(self, data: Path, keypair: KeyPair, **shared: str) -> None:
        super().__init__(data, keypair, **shared)
        self._database = shared["HELDOUT_DATABASE_URL"].replace("postgres://", "postgresql://")

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._database) as connection:
            return connection.execute(query, parameters or None).fetchall()

    def said_by(self, *arguments: str) -> str:
        """What a process on this machine prints; it must succeed."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@dataclass(frozen=True)
class Site:
    """The machines, and who may send: token and system."""

    webs: tuple[Web, Web]
    workers: tuple[Machine, ...]
    senders: list[tuple[str, str]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    running = Store(tmp_path / "store")
    yield running
    running.stop()


@pytest.fixture
def site(tmp_path: Path, keypair: KeyPair, rabbit: Rabbit, store: Store) -> Iterator[Site]:
    with temporary_postgres() as url:
        shared = {
            "HELDOUT_DATABASE_URL": url,
            "HELDOUT_BROKER_URL": rabbit.url,
            "HELDOUT_UPLOADS_URL": address(store.port),
            "SWEEPS_ASKED": "enqueue_due finish_batches publish_ready",
        }
        workers = tuple(
            Machine(tmp_path / f"worker{number}" / "data", keypair, **shared) for number in range(4)
        )
        webs = tuple(
            Web(
                "config.wsgi:application",
                tmp_path / f"web{number}.log",
                HELDOUT_MODE="test",
                HELDOUT_DATA=str(tmp_path / f"web{number}"),
                HELDOUT_GOLD_PUBLIC_KEY=keypair.public,
                **shared,
            )
            for number in range(2)
        )
        try:
            # All begin at once; nobody is asked for anything before the tables are there.
            for number, worker in enumerate(workers):
                worker.start_worker(f"worker{number}", processes=1)
            told = json.loads(workers[0].said_by("-m", "tests.faults.scene", "senders", str(SENDERS)))
            workers[0].start_beat()
            for web in webs:
                web.wait_until_ready()
            yield Site((webs[0], webs[1]), workers, [(token, system) for token, system in told])
        finally:
            for worker in workers:
                worker.stop()
            for web in webs:
                web.kill()


def send(web: Web, token: str, system: str, number: int) -> tuple[int, dict[str, Any]]:
    """Status and words of the answer to an upload of that number, sent again where the server asks for that."""
    labels = " ".join("good" if number >> bit & 1 else "bad" for bit in range(6))
    for _ in range(6):
        answer = httpx.post(
            f"http://127.0.0.1:{web.port}/api/v1/submissions/",
            headers={"Authorization": f"Token {token}"},
            data={"phase": "toy/main", "system": system},
            files={"file": ("upload.zip", toy_zip(mood=labels))},
            timeout=60,
        )
        if answer.status_code != http.HTTPStatus.SERVICE_UNAVAILABLE:
            break
        time.sleep(1)
    return answer.status_code, answer.json()


def send_all(site: Site, first: int) -> set[str]:
    """Each sender sends a file, to one web machine or the other; gives the names of what was accepted."""
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(
                lambda number: send(site.webs[number % 2], *site.senders[number], first + number),
                range(SENDERS),
            )
        )
    assert {status for status, _ in answers} <= {200, 201}, answers
    return {f"{told['id']}.zip" for _, told in answers}


def read(web: Web, path: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def shows(web: Web, number: int) -> bool:
    status, page = read(web, BOARD)
    return status == 200 and f"/benchmarks/toy/releases/{number}/" in page


def release(site: Site, number: int) -> float:
    """Close the batch and wait for its release; gives after how many seconds every web machine has shown it."""
    first = site.workers[0]
    first.run("-m", "tests.faults.scene", "close")
    first.wait_until(lambda: first.count("leaderboard_release", "true") == number, f"release {number}")
    began = time.monotonic()
    while not all(shows(web, number) for web in site.webs):
        assert time.monotonic() < began + 30, f"release {number} is not shown on every web machine"
        time.sleep(0.02)
    return time.monotonic() - began


def test_machines_that_share_a_store_lose_and_double_nothing_and_show_a_release_at_once(site, store):
    accepted = send_all(site, 0)
    release(site, 1)
    for web in site.webs:
        assert shows(web, 1)  # and holds the page from now on
    accepted |= send_all(site, SENDERS)
    assert release(site, 2) < SEEN_WITHIN

    first, *_, last = site.workers
    assert set(store.names()) == accepted
    assert first.count("submissions_submission", "status = 'published'") == 2 * SENDERS
    assert first.count("scoring_scoringrun", "status = 'done'") == first.count("scoring_scoringrun", "true")
    per_run = "SELECT count(*) FROM scoring_score GROUP BY run_id, metric, stratum HAVING count(*) > 1"
    assert first.rows(per_run) == []
    # A machine that took no upload finds every file, byte for byte.
    last.said_by("manage.py", "check_invariants", "--thoroughly")
    assert not list(Path(last.data).glob("uploads/*"))
