"""The card of one row of a release: where each of its numbers comes from, drawn from the document of all cards."""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark
from leaderboard.models import Release
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, html

_CARD = re.compile(r"/benchmarks/([^/]+)/releases/(\d+)/provenance/([0-9a-f]{8}|system-\d+)/")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, kw_only=True)
class CardPage(BenchmarkPage):
    """The scores of a row. `rows` are as `leaderboard.pages.score_cards` writes them: more than one with one anchor."""

    template = "public/score_card.html"
    release: int
    published_at: dt.datetime
    rows: Sequence[Mapping[str, Any]]
    names_seeds: bool


def document_of(path: str) -> str | None:
    """The address of the document from which the card at that path is drawn; None where no card can be."""
    return f"{path.rsplit('/', 2)[0]}.json" if _CARD.fullmatch(path) else None


def card_page(path: str, document: bytes) -> RenderedPage | None:
    """The card at that path; None where the document has no such row."""
    found = _CARD.fullmatch(path)
    rows = [*_rows(document.decode(), found[3])] if found else []
    if found is None or not rows:
        return None
    benchmark = Benchmark.objects.get(pk=found[1])
    release = Release.objects.only("number", "published_at").get(benchmark=benchmark, number=found[2])
    page = CardPage(
        benchmark=benchmark.spec,
        release=release.number,
        published_at=release.published_at,
        rows=rows,
        names_seeds=benchmark.spec.seeds > 1,
    )
    return html(path, page)


def _rows(document: str, anchor: str) -> Iterator[dict[str, Any]]:
    """The rows of that anchor. Nothing else of the document is read, which may have ten million characters."""
    begin = f'{{"anchor":"{anchor}",'  # as a text says it, its quotes are escaped
    at = document.find(begin)
    while at >= 0:
        row, end = _DECODER.raw_decode(document, at)
        yield row
        at = document.find(begin, end)
