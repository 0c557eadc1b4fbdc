"""A disk that really fills: senders are told, nothing is half accepted, boards stay, and room makes all well again."""

import http.client
import json
import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from accounts.models import ApiToken, User
from benchmarks.models import Phase
from leaderboard.models import Page
from submissions.models import System
from tests.api.conftest import UPLOADS, upload_form
from tests.faults.board import BOARD, HTML
from tests.faults.web import Web
from tests.pages import body_of
from tests.uploads import toy_zip

pytestmark = pytest.mark.faults
MEGABYTES = 24
STEP = 1 << 16


class Told(NamedTuple):
    """What a sender was answered."""

    status: int
    retry_after: str | None
    body: dict[str, str]


class Disk:
    """A disk of few megabytes for a server's uploads, and the file that takes the room that is left."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.uploads = data / "uploads"
        self._filler = self.uploads / "filler"

    def fill(self) -> None:
        """Leave no byte."""
        with self._filler.open("ab", buffering=0) as filler:
            for size in (STEP, 1):
                try:
                    while filler.write(b"x" * size):
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def rows(self) -> list[tuple[str, str]]:
        """The accepted submissions: the name and the SHA-256 of their files."""
        with closing(sqlite3.connect(self.data / "heldout.sqlite3", timeout=30)) as database:
            asked = "SELECT stored_file, file_sha256 FROM submissions_submission WHERE status = 'accepted'"
            return database.execute(asked).fetchall()

    def files(self) -> dict[str, str]:
        """Whatever lies where uploads are kept, with the SHA-256 of what is in it."""
        found = [path for path in self.uploads.rglob("*") if path.is_file() and path != self._filler]
        return {str(path.relative_to(self.uploads)): sha256(path.read_bytes()).hexdigest() for path in found}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(tmp_path / "data")
    made.uploads.mkdir(parents=True)
    mount, umount = shutil.which("mount"), shutil.which("umount")
    command = [mount or "mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(made.uploads)]
    if os.geteuid() != 0 or not (mount and umount) or subprocess.run(command, check=False).returncode:
        pytest.skip("no disk can be mounted: what happens on a full one is NOT tested")
    yield made
    subprocess.run([umount or "umount", "--lazy", str(made.uploads)], check=True)


@pytest.fixture
def web(transactional_db: None, disk: Disk, system: System, phase: Phase, tmp_path: Path) -> Iterator[Web]:
    """A server whose uploads are on that disk, with a published board."""
    for path in ("/", BOARD):
        Page.objects.create(path=path, content_type="text/html", stored=body_of(HTML), printing=1)
    with closing(sqlite3.connect(disk.data / "heldout.sqlite3")) as copy:
        connection.ensure_connection()
        connection.connection.backup(copy)
    running = Web(
        "config.wsgi:application",
        tmp_path / "web.log",
        HELDOUT_MODE="test",
        HELDOUT_DATA=str(disk.data),
        HELDOUT_KEYS=str(tmp_path),
    )
    running.wait_until_ready()
    yield running
    running.stop()


@pytest.fixture
def token(transactional_db: None, owner: User) -> str:
    return str(ApiToken.objects.create(owner)[1])


def send(web: Web, token: str, system: System, data: bytes) -> Told:
    body = encode_multipart(BOUNDARY, upload_form(system, data))
    head = {"Authorization": f"Token {token}", "Content-Type": MULTIPART_CONTENT}
    with closing(http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)) as client:
        client.request("POST", UPLOADS, body, head)
        answer = client.getresponse()
        return Told(answer.status, answer.headers["Retry-After"], json.loads(answer.read()))


def zip_of(number: int) -> bytes:
    return toy_zip(mood=" ".join("good" if number >> bit & 1 else "bad" for bit in range(6)))


def test_full_disk_is_told_and_the_same_file_is_accepted_once_there_is_room(token, web, disk, system):
    disk.fill()
    told = send(web, token, system, zip_of(1))

    assert (told.status, told.body["code"]) == (507, "no_room")
    assert int(told.retry_after or 0) > 0
    assert "no room left" in told.body["detail"]
    assert (disk.rows(), disk.files()) == ([], {})
    assert web.get(BOARD) == 200

    disk.free()
    assert send(web, token, system, zip_of(1)).status == 201
    assert disk.files() == dict(disk.rows())


def test_disk_that_fills_and_empties_among_uploads_loses_none_and_takes_none_halfway(
    token, web, disk, system
):
    ended = threading.Event()

    def free_and_fill() -> None:
        while not ended.wait(0.3):
            disk.free()
            ended.wait(0.3)
            disk.fill()

    disk.fill()
    filling = threading.Thread(target=free_and_fill)
    filling.start()
    try:
        told = [send(web, token, system, zip_of(number)) for number in range(60)]
    finally:
        ended.set()
        filling.join()
        disk.free()

    assert {201, 507} <= {one.status for one in told} <= {201, 429, 507}  # the quota is five files
    assert all(one.retry_after for one in told if one.status == 507)
    accepted = [one for one in told if one.status == 201]
    assert len(disk.rows()) == len(accepted)
    assert disk.files() == dict(disk.rows())
