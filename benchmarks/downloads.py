"""Public files that stand compressed in the database, sent as they are unpacked."""

import zlib
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotModified, StreamingHttpResponse
from django.utils.cache import patch_cache_control

_CHUNK = 64 * 1024


def packed_csv(request: HttpRequest, packed: bytes, *, sha256: str, file_name: str) -> HttpResponseBase:
    """A CSV file to be saved and not shown; 304 for whoever has it already. `sha256` is that of the file."""
    etag = f'"{sha256}"'
    answer: HttpResponseBase
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponseNotModified()
    else:
        answer = StreamingHttpResponse(_unpacked(packed), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{file_name}"'
        answer["X-Content-Type-Options"] = "nosniff"
    answer["ETag"] = etag
    patch_cache_control(answer, public=True, no_cache=True)
    return answer


def _unpacked(packed: bytes) -> Iterator[bytes]:
    """The file in pieces, so that a long one never stands in memory as a whole."""
    unpacker = zlib.decompressobj()
    while packed:
        yield unpacker.decompress(packed, _CHUNK)
        packed = unpacker.unconsumed_tail
    yield unpacker.flush()
