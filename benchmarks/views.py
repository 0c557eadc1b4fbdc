"""Public downloads of what is evaluated."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotModified, StreamingHttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from benchmarks.models import Texts

_CHUNK = 64 * 1024


@require_safe
def texts(request: HttpRequest, benchmark: str, task: str, split: str) -> HttpResponseBase:
    """The texts of a split as a CSV file, to be saved and not shown."""
    found = Texts.objects.filter(
        split__slug=split,
        split__task__slug=task,
        split__task__benchmark=benchmark,
        split__task__is_retired=False,
    ).first()
    if found is None:
        raise Http404("No texts are loaded for this split.")
    etag = f'"{found.sha256}"'
    answer: HttpResponseBase
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponseNotModified()
    else:
        answer = StreamingHttpResponse(_unpacked(bytes(found.packed)), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{benchmark}-{task}-{split}.csv"'
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
