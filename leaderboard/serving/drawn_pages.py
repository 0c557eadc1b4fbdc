"""Pages of systems and the files beside them, drawn when they are asked for: a thousand systems have few readers each.

They show what releases have frozen, and the system as it is called and described now.
"""

import re
from collections.abc import Callable

from leaderboard.models import Printing
from leaderboard.pages.system_pages import system_pages, systems_with_pages
from leaderboard.serving.board_views import place_to_draw
from leaderboard.serving.served_page import ServedPage, served_page

_ADDRESS = re.compile(
    r"/systems/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?:badges/[\w-]+\.svg|model-index\.yaml)?"
)
TRIES = 3  # while releases come out


def find_page(
    path: str,
    *,
    of_everybody: bool = False,
    held: Callable[[], ServedPage | None] = lambda: None,
    keep: Callable[[ServedPage], None] = lambda page: None,
) -> ServedPage | None:
    """The page of that path: as it was published, or drawn where it is a system's; None where there is none.

    `of_everybody` leaves out pages of drafts and private benchmarks. While a page waits to be drawn, another reader may
    have had it drawn: then `held` has it. `keep` gets all that was drawn, the badges of a system with its page.
    TooManyReaders if it cannot be drawn soon.
    """
    found = _ADDRESS.fullmatch(path)
    if found is None:
        return served_page(path, of_everybody=of_everybody)
    systems = systems_with_pages().filter(pk=found[1])
    if not systems.exists():
        return None
    with place_to_draw():
        page = held()
        if page is None:
            pages = _drawn(found[1])
            for each in pages.values():
                keep(each)
            page = pages.get(path)
        return page


def _drawn(system: str) -> dict[str, ServedPage]:
    """All pages of a system by path, of one printing: where a release came out meanwhile they are drawn again."""
    for _ in range(TRIES):
        printing = _printing()
        pages = [page for one in systems_with_pages().filter(pk=system) for page in system_pages(one)]
        if printing == _printing():
            break
    return {page.path: ServedPage.drawn(page, printing) for page in pages}


def _printing() -> int:
    return Printing.objects.filter(pk=1).values_list("number", flat=True).first() or 0
