"""So many requests at once and no more, so that published pages always find a thread that is free."""

import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

from operations.logs.access import ClosingIterator

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

# What the web server is started with (`--blocking-threads`). Almost all of them wait, and those cost nothing.
THREADS = 128
# Requests at once that are no published pages, whatever they wait for: a body, a free place, a slow reader.
PLACES = 112
# Requests at once that Django computes answers to.
IN_DJANGO = 8
# Seconds that a request waits for Django.
PATIENCE = 60.0

BUSY = "The server is busy. Nothing was taken and nothing was counted. Please try again in a few seconds."


class Gate:
    """Lets `places` requests into the application. The others wait for `patience` seconds, and are told to come again.

    With `until_read` a place is free again once the answer has been read to its end.
    """

    def __init__(
        self, application: Application, places: int, patience: float, *, until_read: bool = False
    ) -> None:
        self._application = application
        self._places = threading.Semaphore(places)
        self._patience = patience
        self._until_read = until_read

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if not self._places.acquire(timeout=self._patience):
            return refuse(environ, start_response, "503 Service Unavailable", "busy", BUSY)
        gives_back_later = False
        try:
            answer = self._application(environ, start_response)
            if self._until_read and not isinstance(answer, list):
                answer, gives_back_later = ClosingIterator(answer, self._places.release), True
        finally:
            if not gives_back_later:
                self._places.release()
        return answer


def refuse(
    environ: Environ, start_response: StartResponse, status: str, code: str, message: str
) -> list[bytes]:
    """Answer in a sentence and end the connection; what is still to come of the request is not read."""
    is_api = environ["PATH_INFO"].startswith("/api/")
    body = (json.dumps({"code": code, "detail": message}) if is_api else message + "\n").encode()
    kind = "application/json" if is_api else "text/plain; charset=utf-8"
    headers = [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
    if status.startswith("503"):
        headers.append(("Retry-After", "5"))
    start_response(status, [*headers, ("Connection", "close")])
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]
