"""The web server's health check."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from config.http import health
from tests.ops.demos import ROOT
from tests.ports import free_port


@pytest.fixture
def server() -> Iterator[Callable[[int], int]]:
    """Start a server that answers everything with one status; gives its port."""
    running: list[HTTPServer] = []

    def start(status: int) -> int:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status if self.headers["X-Forwarded-Proto"] == "https" else 301)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        running.append(HTTPServer(("127.0.0.1", 0), Answer))
        threading.Thread(target=running[0].serve_forever, daemon=True).start()
        return running[0].server_port

    yield start
    for one in running:
        one.shutdown()
        one.server_close()


@pytest.mark.parametrize(("status", "expected"), [(200, 0), (404, 0), (400, 1), (500, 1)])
def test_health_is_good_while_pages_are_answered(server, status, expected):
    assert health.main(server(status)) == expected


def test_health_is_bad_where_nothing_answers():
    assert health.main(free_port()) == 1


def test_health_is_asked_for_at_the_port_that_is_named(server):
    command = [sys.executable, "-m", "config.http.health", str(server(200))]

    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
