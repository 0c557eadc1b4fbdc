"""A disk that really fills: senders are told, nothing is half accepted, boards stay, and room makes all well again."""

import http.client
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
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
from tests.faults.disk import SmallDisk
from tests.faults.web import Web
from tests.pages import body_of
from tests.uploads import toy_zip

pytestmark = pytest.mark.faults
MEGABYTES = 24


class Told(NamedTuple):
    """What a sender was answered."""

    status: int
    retry_after: str | None
    body: dict[str, str]


class Disk(SmallDisk):
    """A disk of few megabytes for a server's uploads."""

    def __init__(self, data: Path) -> None:
        super().__init__(data / "uploads")
        self.data = data

    def rows(self) -> list[tuple[str, str]]:
        """The accepted submissions: the name and the SHA-256 of their files."""
        with closing(sqlite3.connect(self.data / "heldout.sqlite3", timeout=30)) as database:
            asked = "SELECT stored_file, file_sha256 FROM submissions_submission WHERE status = 'accepted'"
            return database.execute(asked).fetchall()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(tmp_path / "data")
    with made.mounted(MEGABYTES):
        yield made


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
