"""Public files that stand compressed in the database, sent as they are unpacked."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus

from django.http import (
    Http404,
    HttpRequest,
    HttpResponseBase,
    HttpResponseNotModified,
    StreamingHttpResponse,
)
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from accounts.formats.instants import in_words
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from benchmarks.models import GivenFile, Phase, Texts
from benchmarks.notices.markdown import kind_of
from catalogue.csv_text import for_spreadsheets

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class NotYetPage(PageContent):
    """There will be something at this address; `said` is when."""

    template = "404.html"
    said: str


def packed_file(
    request: HttpRequest,
    packed: bytes,
    *,
    sha256: str,
    file_name: str,
    content_type: str = "text/csv; charset=utf-8",
    guarded: bool = False,
) -> HttpResponseBase:
    """A file to be saved and not shown; 304 for whoever has it already. `sha256` is that of the file.

    Texts are given to the letter: systems read them. With `guarded` they are as a spreadsheet may have them.
    """
    etag = f'"{sha256}{"-guarded" if guarded else ""}"'
    answer: HttpResponseBase
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponseNotModified()
    else:
        parts = [for_spreadsheets(zlib.decompress(packed))] if guarded else _unpacked(packed)
        answer = StreamingHttpResponse(parts, content_type=content_type)
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


def is_for_spreadsheets(request: HttpRequest) -> bool:
    """Whether the address ends with `?form=spreadsheet`."""
    return request.GET.get("form") == "spreadsheet"


@require_safe
def texts(request: HttpRequest, benchmark: str, task: str, split: str) -> HttpResponseBase:
    """The texts of a split as a CSV file, to be saved and not shown."""
    texts_of_split = Texts.objects.filter(
        split__slug=split,
        split__task__slug=task,
        split__task__benchmark=benchmark,
        split__task__is_retired=False,
    ).first()
    if texts_of_split is None:
        raise Http404("No texts are loaded for this split.")
    if given_at := Phase.objects.withheld(benchmark, database_now()).get((task, split)):
        when = f"These texts are given when a phase about them opens, on {in_words(given_at)}."
        return NotYetPage(when).answer(request, HTTPStatus.NOT_FOUND)
    name = f"{benchmark}-{task}-{split}.csv"
    return packed_file(
        request,
        bytes(texts_of_split.packed),
        sha256=texts_of_split.sha256,
        file_name=name,
        guarded=is_for_spreadsheets(request),
    )


@require_safe
def given_file(request: HttpRequest, benchmark: str, name: str) -> HttpResponseBase:
    """A file that organisers give to everybody: its newest version, or the one that is asked for as `version`."""
    file = GivenFile.objects.filter(benchmark=benchmark, name=name).first()
    if file is None:
        raise Http404("No file of this name is given.")
    if file.given_at and file.given_at > database_now():
        when = f"{name} is given on {in_words(file.given_at)}."
        return NotYetPage(when).answer(request, HTTPStatus.NOT_FOUND)
    versions = file.versions.select_related("bytes")
    if (wanted := request.GET.get("version", "")).isdecimal():
        versions = versions.filter(number=int(wanted[:9]))
    version = versions.first()
    if version is None:
        when = f"The organisers have not loaded {name} yet."
        return NotYetPage(when).answer(request, HTTPStatus.NOT_FOUND)
    packed = bytes(version.bytes.packed)
    return packed_file(request, packed, sha256=version.sha256, file_name=name, content_type=kind_of(name))
