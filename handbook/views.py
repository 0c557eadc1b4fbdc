"""The pages of the handbook: made once in each process, the same for everybody."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import ClassVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.page_content import PageContent
from handbook.api_reference import ApiPart, api_parts
from handbook.manuscript import Heading
from handbook.shelf import ADDRESSES, OF_ITS_OWN, ROOT, Chapter, contents, key, manuscript, neighbours, stems

LONGEST_DESCRIPTION = 155


@dataclass(frozen=True, kw_only=True)
class HandbookFrame(PageContent):
    """What stands around every page: the contents, the headings of this page, its neighbours.

    `stem` is the file of the page in docs/ without its ending; `is_own` whether it was written for the handbook, and
    not for those who work on the code too. Either of `before` and `after` may be missing.
    """

    section: ClassVar[str] = "handbook"
    stem: str
    title: str
    description: str
    is_own: bool
    contents: Sequence[tuple[str, Sequence[Chapter]]]
    headings: Sequence[Heading]
    before: Chapter | None
    after: Chapter | None


@dataclass(frozen=True, kw_only=True)
class ChapterPage(HandbookFrame):
    """A page that is read from a file."""

    template = "handbook/chapter.html"
    body: SafeString


@dataclass(frozen=True, kw_only=True)
class AddressesPage(HandbookFrame):
    """Every address of the API, by part."""

    template = "handbook/addresses.html"
    parts: Sequence[ApiPart]
    site: str


@gzip_page
@require_safe
def chapter(request: HttpRequest, name: str) -> HttpResponse:
    """The page of a file of docs/; 404 where there is none."""
    stem = stems().get(f"{name}/" if name else "")
    if stem is None:
        raise Http404
    return _answer(request, _chapter_bytes(stem))


@gzip_page
@require_safe
def addresses(request: HttpRequest) -> HttpResponse:
    """The reference of the API, made of the OpenAPI document."""
    return _answer(request, _addresses_bytes())


def _answer(request: HttpRequest, body: bytes) -> HttpResponse:
    """The page, or 304 where it is held already."""
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    held = {tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")}
    response = HttpResponse(status=304) if etag in held else HttpResponse(body)
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _chapter_bytes(stem: str) -> bytes:
    read = manuscript(stem)
    before, after = neighbours(stem)
    description = read.lead
    if len(description) > LONGEST_DESCRIPTION:
        description = description[:LONGEST_DESCRIPTION].rsplit(" ", 1)[0] + " …"
    page = ChapterPage(
        stem=stem,
        title=read.title,
        description=description,
        is_own=stem.startswith("handbook/"),
        contents=contents(),
        headings=tuple(heading for heading in read.headings if heading.level == 2),
        before=before,
        after=after,
        body=read.body,
    )
    return _text(page)


@cache
def _addresses_bytes() -> bytes:
    before, after = neighbours(ADDRESSES)
    parts = api_parts(settings.SITE_URL)
    page = AddressesPage(
        stem=ADDRESSES,
        title=OF_ITS_OWN[ADDRESSES],
        description="Every address of the API with what it takes and answers, and an example with curl and in Python.",
        is_own=False,
        contents=contents(),
        headings=tuple(Heading(2, part.title, part.anchor, "") for part in parts),
        before=before,
        after=after,
        parts=parts,
        site=settings.SITE_URL,
    )
    return _text(page)


def _text(page: HandbookFrame) -> bytes:
    text = page.text(
        version=settings.STATIC_DIGEST,
        synthetic=settings.SYNTHETIC_DEMO,
        canonical=f"{settings.SITE_URL}{ROOT}{key(page.stem)}",
    )
    return text.encode()
