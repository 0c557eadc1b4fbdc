"""What pages answer, in the database: stored once, and until no page says it any more."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef

from leaderboard.models import Page, PageBody, Printing
from leaderboard.rendering.rendered_page import RenderedPage


def store_bodies(pages: Iterable[RenderedPage]) -> None:
    """Store what these pages answer; what is there already is not sent again."""
    bodies = {page.sha256: page.packed for page in pages}
    known = set(PageBody.objects.filter(pk__in=bodies).values_list("pk", flat=True))
    PageBody.objects.bulk_create(
        (PageBody(sha256=digest, packed=packed) for digest, packed in bodies.items() if digest not in known),
        batch_size=50,
    )


@transaction.atomic
def drop_unused_bodies() -> int:
    """Delete what no page says any more; returns how many. Whoever puts pages in place meanwhile waits."""
    Printing.objects.select_for_update().filter(pk=1).first()
    unused = PageBody.objects.filter(~Exists(Page.objects.filter(stored=OuterRef("pk"))))
    return unused.delete()[0]
