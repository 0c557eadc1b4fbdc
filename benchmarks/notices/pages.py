"""Pages about a benchmark that its organisers write: every version stays, and the newest stands."""

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.notices.models import WrittenPage, WrittenVersion
from benchmarks.spec.protocol import WrittenPageSpec


def standing_pages(benchmark: Benchmark) -> list[WrittenVersion]:
    """What stands of each page, in their order; what was taken down is left out."""
    pages = WrittenPage.objects.filter(benchmark=benchmark).prefetch_related("versions")
    newest = [(page, page.newest) for page in pages]
    standing = []
    for page, version in newest:
        if version is not None and version.text:
            version.page = page
            standing.append(version)
    return standing


@transaction.atomic
def write_page(
    *, page: WrittenPage, title: str, text: str, by: User | None, now: dt.datetime
) -> WrittenVersion | None:
    """Have a page say something else, as its next version; None where it says that already.

    An empty text takes the page down.
    """
    Benchmark.objects.select_for_update().get(pk=page.benchmark_id)  # one version after the other
    title, text = " ".join(title.split()), "\n".join(line.rstrip() for line in text.strip().splitlines())
    newest = WrittenVersion.objects.filter(page=page).first()
    if (newest is None and not text) or (newest and (newest.title, newest.text) == (title, text)):
        return None
    Benchmark.objects.filter(pk=page.benchmark_id).mark_stale()
    number = newest.number + 1 if newest else 1
    return WrittenVersion.objects.create(
        page=page, number=number, title=title, text=text, written_by=by, written_at=now
    )


def follow_pages(
    *, benchmark: Benchmark, pages: Sequence[WrittenPageSpec], now: dt.datetime
) -> tuple[list[str], list[str]]:
    """Bring pages in line with a definition; returns what was written, and what stays as organisers have it.

    What an organiser wrote last stands (docs/adr/0003-phases-belong-to-organisers.md), and no page goes by a
    definition's silence.
    """
    written, kept = [], []
    existing = {page.slug: page for page in WrittenPage.objects.filter(benchmark=benchmark)}
    after = WrittenPage.objects.filter(benchmark=benchmark).aggregate(last=Max("position"))["last"] or 0
    for part in pages:
        page = existing.get(part.id)
        if page is None:
            after += 1
            page = WrittenPage.objects.create(benchmark=benchmark, slug=part.id, position=after)
        newest = page.newest
        if newest is not None and newest.written_by_id is not None:
            text = "\n".join(line.rstrip() for line in part.text.splitlines())
            if (newest.title, newest.text) != (part.title, text):
                kept.append(f"{benchmark.slug}: the page {part.id} stays as its organisers wrote it")
        elif version := write_page(page=page, title=part.title, text=part.text, by=None, now=now):
            written.append(f"{benchmark.slug}: page {part.id}, version {version.number}")
    return written, kept


def as_parts(benchmark: Benchmark) -> list[dict[str, str]]:
    """The pages that stand, as a definition has them."""
    return [
        {"id": version.page.slug, "title": version.title, "text": version.text}
        for version in standing_pages(benchmark)
    ]
