"""Give Django the length of a body that came without one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]
StartResponse = Callable[..., Any]


class MeasuredBodies:
    """Reads a chunked body to its end, or to one byte beyond `limit`, before Django sees the request.

    WSGI has no word for a body of unknown length, and Django reads none. Measured here, a chunked upload is
    taken like any other, and one that turns out too long is refused as if its length had been announced.
    """

    def __init__(self, application: Callable[[Environ, StartResponse], Iterable[bytes]], limit: int) -> None:
        self._application = application
        self._limit = limit

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        is_chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
        if is_chunked and not environ.get("CONTENT_LENGTH"):
            body = self._read(environ["wsgi.input"])
            environ["CONTENT_LENGTH"] = str(len(body))
            environ["wsgi.input"] = io.BytesIO(body)
        return self._application(environ, start_response)

    def _read(self, stream: Any) -> bytes:
        parts, left = [], self._limit + 1
        while left > 0 and (part := stream.read(min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
