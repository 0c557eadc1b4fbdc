"""The first view of a board is small whatever stands on it: bytes and elements of its page."""

import datetime as dt
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.spec import OVERALL
from leaderboard.pages.board_pages import BoardPages
from leaderboard.pages.rendered_release import PrintedBoard, PrintedHistory, PrintedRelease
from perf.boards.large_boards import large_boards
from tests.conftest import NOW

MOST_BYTES, MOST_ELEMENTS = 60_000, 1_500
SYSTEMS = 60  # more are never shown, so that a thousand make no other page


class Elements(HTMLParser):
    """How many elements a page has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.count = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count += 1


@pytest.mark.thorough
@pytest.mark.parametrize("benchmark", ["raft", "stance", "ait2018"])
def test_the_page_of_every_board_is_small_however_many_systems_stand_on_it(sync, benchmark):
    definition = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / f"{benchmark}.yaml"
    made = sync(definition.read_text("utf-8"))
    phase = made.phases.order_by("pk").last()
    boards = large_boards(phase, SYSTEMS, now=NOW.astimezone(dt.UTC), release=1)
    printed = {key: PrintedBoard.of(key, board, made.spec) for key, board in boards.items()}
    rankings = (boards[OVERALL],)
    release = PrintedRelease(phase, printed, {}, rankings, PrintedHistory.of(rankings))
    pages = [
        page
        for page in BoardPages(made, release, f"/benchmarks/{benchmark}", is_archived=False).render()
        if page.content_type.startswith("text/html") and b'id="board"' in page.body
    ]

    assert len(pages) == len(boards)
    for page in pages:
        assert len(page.body) <= MOST_BYTES, page.path
        assert Elements(page.body.decode()).count <= MOST_ELEMENTS, page.path
