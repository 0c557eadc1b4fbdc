"""Whoever sends slowly, nothing, or too much keeps nobody else from reading; seen at a real server."""

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client

from accounts.models import ApiToken, User
from config.http import health
from leaderboard.models import Page
from tests.faults.web import CHUNKED, HALF_SENT, MADE_UP, Web, post, said
from tests.pages import body_of

BOARD = "/benchmarks/toy/"
FORM = "Cookie: heldout_csrf=abcdefghijklmnopqrstuvwxyz012345"
FORM_TYPE = "Content-Type: application/x-www-form-urlencoded"
"""With such a cookie Django reads the form, to compare."""


@pytest.fixture
def database(transactional_db, tmp_path: Path) -> Path:
    """A database with a published board, as a file of its own."""
    for path in ("/", BOARD):
        Page.objects.create(path=path, content_type="text/html", stored=body_of(b""), printing=1)
    return tmp_path / "heldout.sqlite3"


@pytest.fixture
def start(database: Path, tmp_path: Path) -> Iterator[Callable[[], Web]]:
    """Starts the server on what the test has put into the database."""
    running: list[Web] = []

    def _start() -> Web:
        with closing(sqlite3.connect(database)) as copy:
            connection.ensure_connection()
            connection.connection.backup(copy)
        environment = {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(tmp_path)}
        running.append(Web("config.wsgi:application", tmp_path / "web.log", **environment))
        running[0].wait_until_ready()
        return running[0]

    yield _start
    for one in running:
        one.stop()


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Web]:
    """A server that says how long a body was, and gives it up where nothing comes for a second."""
    web = Web("tests.faults.echo:application", tmp_path / "echo.log")
    web.wait_until_ready()
    yield web
    web.stop()


def drip(clients: list[socket.socket], ended: threading.Event) -> None:
    while not ended.wait(2):
        for client in clients:
            with suppress(OSError):
                client.sendall(b"x")


def test_boards_are_answered_while_clients_hold_their_requests_back(start):
    web = start()
    dripping = [
        web.begin(post("/accounts/login/", FORM, FORM_TYPE, "Content-Length: 200")) for _ in range(16)
    ]
    ended = threading.Event()
    threading.Thread(target=drip, args=(dripping, ended)).start()
    try:
        for _ in range(40):
            web.begin(post("/anything/", CHUNKED))
            web.begin(post("/submit/", HALF_SENT), b"x" * 1000)
            web.begin(post("/accounts/login/", FORM, FORM_TYPE, "Content-Length: 60000"), b"x" * 1000)
        until = time.monotonic() + 3
        while time.monotonic() < until:
            assert web.get(BOARD) == 200
            assert web.get("/accounts/login/") == 200
            assert health.main(web.port) == 0
    finally:
        ended.set()


def test_large_bodies_are_taken_from_people_alone(start):
    user = User.objects.create(email="ada@example.org")
    _, token = ApiToken.objects.create(user)
    client = Client()
    client.force_login(user)
    session = client.cookies["heldout_session"].value
    web = start()
    for header in (HALF_SENT, CHUNKED):
        for credentials in ("X-None: 1", MADE_UP, "Authorization: Token abcdef", "Authorization: Basic YTpi"):
            answer = said(web.begin(post("/submit/", header, credentials)))
            assert answer.startswith(b"HTTP/1.1 401 ")
            assert b"Sign in" in answer
    body = b"x" * 100_000
    for credentials in (f"Authorization: Token {token}", f"Cookie: heldout_session={session}"):
        head = post("/api/v1/submissions/", f"Content-Length: {len(body)}", credentials, "Connection: close")
        answer = said(web.begin(head, body))
        assert b"Its body was not read" not in answer
        assert b"unsupported_media_type" in answer or b"CSRF" in answer


def test_body_that_never_comes_is_given_up_and_its_connection_ended(echo):
    silent = [echo.begin(post("/", "Content-Length: 200")), echo.begin(post("/", CHUNKED, "Cookie: a"))]
    for client in silent:
        answer = said(client)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"too slowly" in answer


def test_whole_bodies_arrive(echo):
    for size in (0, 1, 15, 16, 17, 64 * 1024, 64 * 1024 + 1, 1_000_000):
        head = post("/", f"Content-Length: {size}", "Cookie: a", "Connection: close")
        assert said(echo.begin(head, b"x" * size)).endswith(f"\r\n\r\n{size}".encode())
