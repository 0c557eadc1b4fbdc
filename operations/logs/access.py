"""The outermost layer of the web server: every request has an id, and a line when its answer has been sent."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from operations.logs import request_ids
from operations.logs.request_ids import HEADER

logger = logging.getLogger("heldout.access")

# Where Django notes whose request it was, and which route answered; see `NoteRoute`.
ROUTE, ACCOUNT = "heldout.route", "heldout.account"

Environ = dict[str, Any]
StartResponse = Callable[..., Any]


class AccessLog:
    """WSGI middleware. `believes_header` says whether the proxy in front gives ids; else everybody could choose theirs.
    `counted` is told route, status and seconds of each request.

    A line tells method, route, status, milliseconds until the answer was sent, and the account's number: neither the
    address, which may hold a secret, nor anything that was sent. What no view answers, such as a published page, has
    the first part of its address as its route.
    """

    def __init__(
        self,
        application: Callable[[Environ, StartResponse], Iterable[bytes]],
        *,
        believes_header: bool,
        counted: Callable[[str, int, float], None],
    ) -> None:
        self._application = application
        self._believes_header = believes_header
        self._counted = counted

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID", "") if self._believes_header else ""
        line = _Line(given if request_ids.is_id(given) else request_ids.new_id(), environ, self._counted)

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            line.status = int(status[:3])
            return start_response(status, [*headers, (HEADER, line.request_id)], *more)

        token = request_ids.begin(line.request_id)
        try:
            answer = self._application(environ, start)
        except BaseException:
            line.status = 500
            line.write()
            raise
        finally:
            request_ids.end(token)
        if isinstance(answer, list):
            line.write()
            return answer
        return ClosingIterator(answer, line.write)


class _Line:
    """What is known of one request."""

    def __init__(self, request_id: str, environ: Environ, counted: Callable[[str, int, float], None]) -> None:
        self.request_id = request_id
        self.status = 0
        self._environ = environ
        self._counted = counted
        self._began = time.monotonic()

    def write(self) -> None:
        environ = self._environ
        seconds = time.monotonic() - self._began
        # What no view answered may have any address at all, so it is counted as one.
        self._counted(environ.get(ROUTE) or "before Django", self.status, seconds)
        if not logger.isEnabledFor(logging.INFO):
            return
        first = environ.get("PATH_INFO", "").split("/")[1:2]
        route = environ.get(ROUTE) or f"/{''.join(first)}/…"
        known = {
            "request_id": self.request_id,
            "method": environ.get("REQUEST_METHOD", ""),
            "route": route,
            "status": self.status,
            "milliseconds": round(1000 * seconds, 1),
            "account": environ.get(ACCOUNT),
        }
        logger.info("%s %s %s", known["method"], route, self.status, extra=known)


class ClosingIterator:
    """The parts of an answer; `then` is called once the server has done with them, whether or not it sent them all."""

    def __init__(self, parts: Iterable[bytes], then: Callable[[], object]) -> None:
        self._parts = parts
        self._then = then

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)

    def close(self) -> None:
        try:
            close = getattr(self._parts, "close", None)
            if close is not None:
                close()
        finally:
            self._then()
