"""The disk of PostgreSQL really fills: senders are told, and once there is room all goes on, with nothing lost."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from submissions.intake.sealing import KeyPair
from tests.api.conftest import UPLOADS
from tests.faults.disk import SmallDisk
from tests.faults.nursery import ROOT
from tests.faults.server import PATIENCE, Server
from tests.faults.web import Web
from tests.postgres import Cluster
from tests.uploads import toy_zip

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="It brings a PostgreSQL of its own."),
]
MEGABYTES = 200
SENDERS = 40
TRIES = 4
NO_SPACE = "No space left on device"


class Sender(NamedTuple):
    """Somebody's token, the id of their system, and what it answers: nothing that another one does."""

    token: str
    system: str
    data: bytes


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    """A disk in a folder that PostgreSQL's user can reach."""
    with TemporaryDirectory(prefix="heldout-pg-", ignore_cleanup_errors=True) as name:
        made = SmallDisk(Path(name) / "data")
        with made.mounted(MEGABYTES):
            yield made


@pytest.fixture
def cluster(disk: SmallDisk) -> Iterator[Cluster]:
    """A PostgreSQL whose data are on that disk."""
    made = Cluster(disk.folder.parent)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def server(cluster: Cluster, tmp_path: Path, keypair: KeyPair) -> Iterator[Server]:
    made = Server(tmp_path / "data", keypair, HELDOUT_DATABASE_URL=cluster.make_database("full"))
    yield made
    made.stop()


@pytest.fixture
def senders(server: Server) -> Iterator[Sender]:
    """One after the other, for each has a quota."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.faults.scene", "senders", str(SENDERS)],
        cwd=ROOT,
        env=server.environment,
        check=True,
        timeout=PATIENCE,
        stdout=subprocess.PIPE,
    )
    teams = enumerate(json.loads(told.stdout))
    return (Sender(token, system, _answers(number)) for number, (token, system) in teams)


def _answers(number: int) -> bytes:
    return toy_zip(mood=" ".join("good" if number >> bit & 1 else "bad" for bit in range(6)))


@pytest.fixture
def web(senders: Iterator[Sender], server: Server, tmp_path: Path) -> Iterator[Web]:
    given = {name: value for name, value in server.environment.items() if name.startswith("HELDOUT_")}
    running = Web("config.wsgi:application", tmp_path / "web.log", **given)
    running.wait_until_ready()
    yield running
    running.stop()


def send(web: Web, sender: Sender) -> tuple[int, str, str | None]:
    """Status, code and Retry-After that a sender is told."""
    file = SimpleUploadedFile("predictions.zip", sender.data)
    form = {"phase": "toy/main", "system": sender.system, "file": file}
    body = encode_multipart(BOUNDARY, form)
    head = {"Authorization": f"Token {sender.token}", "Content-Type": MULTIPART_CONTENT}
    with closing(http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)) as client:
        client.request("POST", UPLOADS, body, head)
        answer = client.getresponse()
        return answer.status, json.loads(answer.read()).get("code", ""), answer.headers["Retry-After"]


def test_database_without_room_loses_nothing_and_goes_on_once_there_is_some(
    disk, cluster, server, web, senders
):
    first = [send(web, next(senders)) for _ in range(3)]
    server.run("-m", "tests.faults.scene", "close")
    disk.fill()
    accepted, refused = len(first), next(senders)
    while (told := send(web, refused))[0] == 201:  # pages of tables that are not full take a few more
        accepted, refused = accepted + 1, next(senders)

    for status, code, again in (told, *(send(web, refused) for _ in range(TRIES))):
        assert (status, code) in {(507, "no_room"), (503, "unavailable")}
        assert again

    complaints = (cluster.folder / "log").read_text().count(NO_SPACE)
    server.start_worker("worker")
    server.start_beat()
    server.wait_until(
        lambda: (cluster.folder / "log").read_text().count(NO_SPACE) > complaints,
        "a worker meets the full disk",
    )
    disk.free()
    server.wait_until(lambda: server.count("leaderboard_release") == 1, "the release")
    assert server.count("submissions_submission", "status = 'published'") == len(first)
    assert send(web, refused)[0] == 201

    rows = server.rows("SELECT stored_file, file_sha256 FROM submissions_submission")
    stored = [path for path in (server.data / "uploads").rglob("*") if path.is_file()]
    assert len(rows) == accepted + 1
    assert {sha256(path.read_bytes()).hexdigest() for path in stored} == {digest for _, digest in rows}
    assert len(stored) == len(rows)
    server.run("manage.py", "check_invariants", "--thoroughly")
    server.run("manage.py", "reproduce")
