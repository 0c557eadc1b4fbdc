"""A published page as web servers hold it and send it."""

import gzip
from dataclasses import dataclass
from typing import Self

from django.db.models import QuerySet

from leaderboard.models import Page
from leaderboard.rendering.rendered_page import RenderedPage

ETAG = 32  # hexadecimal digits of a body's digest


@dataclass(frozen=True, slots=True)
class ServedPage:
    """What one path answers, as gzip; `printing` is that under which it was put in place or drawn."""

    path: str
    content_type: str
    etag: str
    packed: bytes
    printing: int = 0

    @classmethod
    def of(cls, page: Page) -> Self:
        body = page.stored
        return cls(page.path, page.content_type, body.sha256[:ETAG], body.gzipped, page.printing)

    @classmethod
    def drawn(cls, page: RenderedPage, printing: int) -> Self:
        """A page that is stored nowhere, as it was drawn under that printing."""
        return cls(page.path, page.content_type, page.sha256[:ETAG], page.pack(), printing)

    @property
    def plain(self) -> bytes:
        """What it answers to whoever takes nothing compressed."""
        return gzip.decompress(self.packed)


def served_page(path: str, *, of_everybody: bool = False) -> ServedPage | None:
    """The page of that path, if everybody may have it where that is asked; None where there is none."""
    page = _pages(path, of_everybody=of_everybody).select_related("stored__base").first()
    return None if page is None else ServedPage.of(page)


def is_served(path: str, *, of_everybody: bool) -> bool:
    """Whether `served_page` has a page of that path; what it answers is not read."""
    return _pages(path, of_everybody=of_everybody).exists()


def _pages(path: str, *, of_everybody: bool) -> QuerySet[Page]:
    pages = Page.objects.filter(pk=path)
    return pages.of_everybody() if of_everybody else pages
