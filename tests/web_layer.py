"""The layer in front of Django, asked as a server asks it."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.test import RequestFactory

from leaderboard.serving import page_server as published
from leaderboard.serving.page_server import POLL_SECONDS, PublishedPages

BOARD = "/benchmarks/toy.json"


def django_says_404(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    start_response("404 Not Found", [("X-From", "Django")])
    return [b"not found"]


class Web:
    """The WSGI application with a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.connections = 0  # in use at this moment
        self.application = PublishedPages(django_says_404, self._database)
        self.application._store = published.PageStore(self._database, clock=lambda: self.now)

    @contextmanager
    def _database(self) -> Iterator[None]:
        self.connections += 1
        try:
            yield
        finally:
            self.connections -= 1

    def get(self, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        environ = RequestFactory().generic(method, path).environ | {
            f"HTTP_{name.upper()}": value for name, value in headers.items()
        }
        started: list[Any] = []
        body = b"".join(self.application(environ, lambda *head: started.append(head)))
        ((status, fields),) = started
        return int(status[:3]), dict(fields), body

    def release(self, path: str = BOARD) -> int:
        number: int = json.loads(self.get(path)[2])["release"]
        return number

    def a_moment_later(self) -> None:
        self.now += POLL_SECONDS
