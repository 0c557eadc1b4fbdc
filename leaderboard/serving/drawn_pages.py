"""Pages of systems with the files beside them, cards, rows of long boards, and the first home, drawn when asked for.

A thousand systems have few readers each, and a board may have none who arranges it. Pages of systems show what
releases have frozen, and the system as it is called and described now; cards and rows are those that are published
beside them.
"""

import re
from collections.abc import Callable
from contextlib import nullcontext

from leaderboard.models import Page, Printing
from leaderboard.pages.benchmark_pages import ALL_BENCHMARKS, HOME, front_pages
from leaderboard.pages.card_page import card_page, document_of
from leaderboard.pages.system_pages import system_pages, systems_with_pages
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.serving.board_views import Database, file_beside, place_to_draw
from leaderboard.serving.served_page import ServedPage, is_served, served_page

_OF_A_SYSTEM = re.compile(
    r"/systems/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?:badges/[\w-]+\.svg|model-index\.yaml)?"
)
_OF_ROWS = re.compile(r"(/benchmarks/[^/]+(?:/(?:tasks|boards)/[^/]+)?)(-(?:rows|frames)\.json)")
TRIES = 3  # while releases come out

# Draws all pages that belong together.
_Drawing = Callable[[], list[RenderedPage]]
# Draws one from a page that is published.
_FromPublished = Callable[[ServedPage], RenderedPage | None]


def find_page(
    path: str,
    *,
    of_everybody: bool = False,
    held: Callable[[], ServedPage | None] = lambda: None,
    keep: Callable[[ServedPage], None] = lambda page: None,
    database: Database = nullcontext,
) -> ServedPage | None:
    """The page of that path: as it was published, or drawn; None where there is none.

    `of_everybody` leaves out pages of drafts and private benchmarks. While a page waits to be drawn, another reader may
    have had it drawn: then `held` has it. `keep` gets all that was drawn, the badges of a system with its page.
    TooManyReaders if it cannot be drawn soon.
    """
    with database():
        found = _published_or_drawn(path, of_everybody=of_everybody)
    if found is None or isinstance(found, ServedPage):
        return found
    with place_to_draw(database):
        page = held()
        if page is None:
            pages = _drawn(found)
            for each in pages.values():
                keep(each)
            page = pages.get(path)
        return page


def _published_or_drawn(path: str, *, of_everybody: bool) -> ServedPage | _Drawing | None:
    """The page that is published at that path, or else what draws it."""
    if found := _OF_A_SYSTEM.fullmatch(path):
        return _of_a_system(found[1])
    page = served_page(path, of_everybody=of_everybody)
    if page is None and path in (HOME, ALL_BENCHMARKS):
        return front_pages  # of a new server: they are published with the first benchmark
    if page is not None or (source := _source(path)) is None:
        return page
    published, draw = source

    def drawing() -> list[RenderedPage]:
        source = served_page(published, of_everybody=of_everybody)
        drawn = draw(source) if source else None
        return [drawn] if drawn else []

    return drawing if is_served(published, of_everybody=of_everybody) else None


def _source(path: str) -> tuple[str, _FromPublished] | None:
    """The address of what is published and drawn from at that path, and how; None where it is no such path."""
    if found := _OF_ROWS.fullmatch(path):
        return f"{found[1]}/", lambda board: file_beside(board, found[2])
    if document := document_of(path):
        return document, lambda published: card_page(path, published.plain)
    return None


def benchmark_of(path: str) -> str | None:
    """The benchmark whose page stands at that path, or is drawn there; None where there is neither."""
    source = _source(path)
    paths = [path, source[0]] if source else [path]
    owners = dict(Page.objects.filter(pk__in=paths).values_list("pk", "benchmark_id"))
    return next((owners[one] for one in paths if one in owners), None)


def _of_a_system(system: str) -> _Drawing | None:
    systems = systems_with_pages().filter(pk=system)

    def drawing() -> list[RenderedPage]:
        return [page for one in systems.all() for page in system_pages(one)]

    return drawing if systems.exists() else None


def _drawn(drawing: _Drawing) -> dict[str, ServedPage]:
    """What is drawn by path, of one printing: where a release came out meanwhile it is drawn again."""
    for _ in range(TRIES):
        printing = Printing.count()
        pages = drawing()
        if printing == Printing.count():
            break
    return {page.path: ServedPage.drawn(page, printing) for page in pages}
