"""A page ready to be sent, and how a template becomes one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import ClassVar, Self

from django.conf import settings

from accounts.page_content import PageContent
from benchmarks.spec import BenchmarkSpec
from leaderboard.board.charts.chart import Chart
from leaderboard.board.exports.export import CSV_TYPE, SVG_TYPE
from leaderboard.rendering.body_bytes import compress

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """One path with the bytes it answers; `pack` makes of them what is stored and sent, always the same of the same."""

    path: str
    content_type: str
    body: bytes
    packed: bytes = b""
    sha256: str = ""

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", sha256(self.body).hexdigest())

    def pack(self) -> bytes:
        if not self.packed:
            object.__setattr__(self, "packed", compress(self.body))
        return self.packed

    def at(self, path: str) -> Self:
        return replace(self, path=path)


@dataclass(frozen=True, kw_only=True)
class BenchmarkPage(PageContent):
    """A published page of a benchmark, in the navigation below *Benchmarks*."""

    section: ClassVar[str] = "benchmarks"
    benchmark: BenchmarkSpec


def html(path: str, page: PageContent) -> RenderedPage:
    """The page as it is published, told of the site's static files, whether its data are made up, and its own address.

    A release's permanent pages name themselves too: they are what is cited, and stay when the current ones move on.
    """
    text = page.text(
        version=settings.STATIC_DIGEST,
        synthetic=settings.SYNTHETIC_DEMO,
        canonical=f"{settings.SITE_URL}{path}",
    )
    return RenderedPage(path, HTML, text.encode())


def chart_files(charts: Iterable[Chart], path: str = "") -> Iterator[RenderedPage]:
    """Each chart as an SVG and its data as CSV, beside the page of that path."""
    for chart in charts:
        yield RenderedPage(f"{path}-{chart.key}.svg", SVG_TYPE, chart.svg)
        yield RenderedPage(f"{path}-{chart.key}.csv", CSV_TYPE, chart.csv)
