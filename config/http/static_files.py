"""Static files: an address that names what they hold is kept for ever, any other for a minute; texts are compressed."""

import gzip
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

FOR_EVER = "max-age=31536000, public, immutable"
TEXTS = ("text/", "image/svg")


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """WhiteNoise, and a long life for files that are asked for with the digest of what is there now (`?v=`).

    Where nothing was collected, as in the demo, no compressed copies lie beside the files; here they are made.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """Answer with the file; pages of an earlier version ask with another digest and are told to look again."""
        answer: HttpResponseBase = WhiteNoiseMiddleware.serve(static_file, request)
        if request.GET.get("v") == settings.STATIC_DIGEST:
            answer["Cache-Control"] = FOR_EVER
        if not answer.get("Content-Type", "").startswith(TEXTS) or "Content-Encoding" in answer:
            return answer
        answer["Vary"] = "Accept-Encoding"
        takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
        if not takes_gzip or answer.status_code != HTTPStatus.OK:
            return answer
        answer.close()
        body = _gzip(static_file.alternatives[-1][1], static_file.etag)
        headers = dict(answer.items()) | {"Content-Encoding": "gzip", "Content-Length": str(len(body))}
        return HttpResponse(b"" if request.method == "HEAD" else body, headers=headers)


@lru_cache(maxsize=64)
def _gzip(path: str, etag: str) -> bytes:
    """The file compressed; `etag` changes with it."""
    return gzip.compress(Path(path).read_bytes(), mtime=0)
