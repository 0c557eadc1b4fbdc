"""What pages answer, in the database: stored once, and until no page says it any more."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from django.db import transaction
from django.db.models import Exists, OuterRef

from leaderboard.models import Page, PageBody, Printing
from leaderboard.rendering.rendered_page import RenderedPage


def pack(pages: Iterable[RenderedPage]) -> None:
    """Compress what these pages answer ahead of `store_bodies`, but for what is stored already.

    On all cores: the interpreter goes on while zlib is at work.
    """
    with ThreadPoolExecutor() as threads:
        for packing in [threads.submit(page.pack) for page in _lacking(pages) if not page.packed]:
            packing.result()


def store_bodies(pages: Iterable[RenderedPage]) -> None:
    """Store what these pages answer; what is there already is not sent again."""
    rows = (PageBody(sha256=page.sha256, packed=page.pack()) for page in _lacking(pages))
    PageBody.objects.bulk_create(rows, batch_size=50)


def _lacking(pages: Iterable[RenderedPage]) -> list[RenderedPage]:
    """Of all that answer the same, the first, where that is not stored."""
    by_digest: dict[str, RenderedPage] = {}
    for page in pages:
        by_digest.setdefault(page.sha256, page)
    known = set(PageBody.objects.filter(pk__in=by_digest).values_list("pk", flat=True))
    return [page for digest, page in by_digest.items() if digest not in known]


@transaction.atomic
def drop_unused_bodies() -> int:
    """Delete what no page says any more; returns how many. Whoever puts pages in place meanwhile waits.

    What was stored as a difference from it is stored whole again.
    """
    Printing.objects.select_for_update().filter(pk=1).first()
    unused = PageBody.objects.filter(~Exists(Page.objects.filter(stored=OuterRef("pk"))))
    changes = unused.filter(base__isnull=False).delete()[0]
    for body in PageBody.objects.filter(base__in=unused).select_related("base"):
        body.packed, body.base = body.gzipped, None
        body.save(update_fields=["packed", "base"])
    return changes + unused.delete()[0]
