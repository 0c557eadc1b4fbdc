"""Read the body of a request before Django sees it: of somebody who may send it, in time, and to its end.

The server calls us when it has read a request's head, and one of its threads waits while a body comes. Django is
called when the whole body is there.
"""

import io
import threading
import time
from collections.abc import Callable, Iterable
from math import inf

from accounts.server.clock import BEGAN
from config.http.gate import BUSY, Application, Environ, StartResponse, refuse
from config.http.idle_connections import hang_up

# Where a proxy that reads bodies itself asks beforehand whether whoever sends the head may send a long one.
SENDER = "/sender/"
# Bytes that anybody may send. Longer bodies, and those that do not say their length, are for people who are known.
FREE = 64 * 1024
# Bytes a second that a body must come with on the whole, after PATIENCE seconds.
SLOWEST = 16 * 1024
PATIENCE = 10.0
# Seconds without a byte after which a connection is ended. No answer takes as long, so none is ended by mistake.
SILENCE = 90.0
_SMALL_PIECE, _PIECE = 16, 4 * 1024  # a piece is waited for to its end, so a small body is read in small ones

_NOT_KEPT = [("Content-Length", "0"), ("Cache-Control", "no-store")]
_UNKNOWN = (
    f"Only somebody who is signed in may send more than {FREE // 1024} KB. Sign in, or send your token, "
    "and send the request again. Its body was not read."
)
_UNMEASURED = " A body without a Content-Length counts as longer."
_SLOW = "The body of the request came too slowly. Nothing was taken and nothing was counted. Please send it again."
_CUT_OFF = "The body of the request ended before the length that was announced. Please send it again."


class ReadBodies:
    """Gives the application whole bodies with their length; one longer than `limit` is read to one byte beyond it.

    WSGI has no word for a body of unknown length, and Django reads none: a chunked body is measured here. A body that
    announces too much is left to the application, which refuses it by its length. `is_known` says whether a request's
    cookie or token is somebody's. At most `rooms` times the limit is held in memory at once.
    """

    def __init__(
        self,
        application: Application,
        limit: int,
        is_known: Callable[[Environ], bool],
        *,
        rooms: int = 3,
        silence: float = SILENCE,
    ) -> None:
        self._application = application
        self._limit = limit
        self._is_known = is_known
        self._room = _Room(rooms * limit)
        self._watch = _Watch(silence)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[BEGAN] = time.monotonic()
        if environ["PATH_INFO"] == SENDER:
            start_response("204 No Content" if self._is_known(environ) else "401 Unauthorized", _NOT_KEPT)
            return []
        length = _length(environ)
        if length == 0 or (length is not None and length > self._limit):
            return self._application(environ, start_response)
        if length is not None and length <= FREE:
            return self._with_body(environ, start_response, length, _SMALL_PIECE)
        if not self._is_known(environ):
            return refuse(
                environ,
                start_response,
                "401 Unauthorized",
                "not_authenticated",
                _UNKNOWN if length is not None else _UNKNOWN + _UNMEASURED,
            )
        size = self._limit if length is None else length
        if not self._room.take(size):
            return refuse(environ, start_response, "503 Service Unavailable", "busy", BUSY)
        try:
            return self._with_body(environ, start_response, length, _PIECE)
        finally:
            self._room.give_back(size)

    def _with_body(
        self, environ: Environ, start_response: StartResponse, length: int | None, piece: int
    ) -> Iterable[bytes]:
        most = self._limit + 1 if length is None else length
        body, is_slow = self._watch.read(environ, most, piece)
        if is_slow:
            return refuse(environ, start_response, "408 Request Timeout", "too_slow", _SLOW)
        if length is not None and len(body) < length:
            return refuse(environ, start_response, "400 Bad Request", "incomplete", _CUT_OFF)
        environ["CONTENT_LENGTH"] = str(len(body))
        environ["wsgi.input"] = io.BytesIO(body)
        return self._application(environ, start_response)


def _length(environ: Environ) -> int | None:
    """The length that is announced; None if there is a body of unknown length."""
    announced = environ.get("CONTENT_LENGTH") or ""
    if announced.isascii() and announced.isdigit():
        return int(announced)
    return None if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() else 0


class _Room:
    """The memory that large bodies may take together."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        with self._lock:
            if size > self._left:
                return False
            self._left -= size
            return True

    def give_back(self, size: int) -> None:
        with self._lock:
            self._left += size


class _Watch:
    """Reads bodies, and ends the connections of those that nothing comes of: a read would wait for them for ever."""

    def __init__(self, silence: float) -> None:
        self._silence = silence
        self._last_byte: dict[object, tuple[float, Environ]] = {}
        # When connections of an address were ended last. The system counts silence from the last byte on, and a thread
        # that had to wait for its turn begins to count later.
        self._ended: dict[tuple[str, int], float] = {}
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def read(self, environ: Environ, most: int, piece: int) -> tuple[bytes, bool]:
        """At most so many bytes of the body, and whether it came too slowly."""
        stream = environ["wsgi.input"]
        body, key, began = io.BytesIO(), object(), time.monotonic()
        self._start()
        try:
            while left := most - body.tell():
                self._last_byte[key] = time.monotonic(), environ
                part = stream.read(min(left, piece))
                asked_at = self._last_byte[key][0]
                spent = time.monotonic() - asked_at
                was_ended = not part and self._ended.get(_client(environ), -inf) >= asked_at - self._silence
                if (
                    was_ended
                    or spent >= self._silence
                    or time.monotonic() - began > PATIENCE + body.tell() / SLOWEST
                ):
                    return b"", True
                if not part:
                    break
                body.write(part)
        finally:
            self._last_byte.pop(key, None)
        return body.getvalue(), False

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:  # not before the first body, so that it belongs to a process that serves
                self._thread = threading.Thread(target=self._run, name="bodies", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(min(1.0, self._silence / 4))
            now = time.monotonic()
            silent = [
                environ for last, environ in list(self._last_byte.values()) if now - last >= self._silence
            ]
            clients = {_client(environ) for environ in silent}
            if clients:
                recent = {client: at for client, at in self._ended.items() if now - at < PATIENCE}
                self._ended = recent | dict.fromkeys(clients, now)
            for address, port in clients:
                hang_up(address, port, self._silence)


def _client(environ: Environ) -> tuple[str, int]:
    """The address that a request comes from, where the server says it, and the port that it came to."""
    return environ.get("REMOTE_ADDR", ""), int(environ.get("SERVER_PORT", 0))
