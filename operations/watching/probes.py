"""Answers to whoever watches: before Django, so that they come while its places are taken or the database is away."""

import hmac
import ipaddress
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.db import Error, close_old_connections, connection

from accounts.server.clock import database_now
from operations.logs.access import ROUTE
from operations.watching.figures import figures
from operations.watching.metrics import CONTENT_TYPE, exposition
from operations.watching.readiness import Readiness
from operations.watching.request_counts import PROBED

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Answer = tuple[str, str, bytes]

PLAIN = "text/plain; charset=utf-8"
# A proxy that adds one of these passes on what somebody else has asked.
_PASSED_ON = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
REFUSED = (
    "Figures are told to this machine, and to whoever sends the token: Authorization: Bearer … with what "
    "HELDOUT_METRICS_TOKEN is set to.\n"
)


class Probes:
    """WSGI middleware that answers /healthz, /readyz and /metrics."""

    def __init__(self, application: Callable[[Environ, StartResponse], Iterable[bytes]]) -> None:
        self._application = application
        self._readiness = Readiness()
        asked: tuple[Callable[[Environ], Answer], ...] = (self._health, self._ready, self._metrics)
        self._answers = dict(zip(PROBED, asked, strict=True))

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        answer = self._answers.get(environ["PATH_INFO"])
        if answer is None or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self._application(environ, start_response)
        environ[ROUTE] = environ["PATH_INFO"]
        status, kind, body = answer(environ)
        headers = [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
        if status.startswith("503"):
            headers.append(("Retry-After", "5"))
        start_response(status, headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _health(self, environ: Environ) -> Answer:
        """The process answers; nothing else is asked."""
        return "200 OK", PLAIN, b"alive\n"

    def _ready(self, environ: Environ) -> Answer:
        """Told in words to whoever may read figures; others learn of which part it is, and no host or path."""
        problems = self._readiness.problems()
        if not problems:
            return "200 OK", PLAIN, b"ready\n"
        told = problems if may_read_figures(environ) else [one.partition(":")[0] for one in problems]
        return "503 Service Unavailable", PLAIN, "\n".join(["not ready", *told, ""]).encode()

    def _metrics(self, environ: Environ) -> Answer:
        if not may_read_figures(environ):
            return "403 Forbidden", PLAIN, REFUSED.encode()
        try:
            return "200 OK", CONTENT_TYPE, exposition(figures(database_now()))
        except Error as error:
            return "503 Service Unavailable", PLAIN, f"database: {type(error).__name__}\n".encode()
        finally:
            if not connection.in_atomic_block:
                close_old_connections()


def may_read_figures(environ: Environ) -> bool:
    """Whether a request has the token, or comes from this machine itself and not through a proxy on it."""
    given = environ.get("HTTP_AUTHORIZATION", "")
    if settings.METRICS_TOKEN and hmac.compare_digest(
        given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()
    ):
        return True
    if any(name in environ for name in _PASSED_ON):
        return False
    try:
        return ipaddress.ip_address(environ.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
