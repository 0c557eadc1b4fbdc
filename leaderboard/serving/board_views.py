"""A published board sorted, filtered or shaded as a query string asks: its page, with another table in its place.

Everything else on the page is what was published. The table comes from the JSON that was published with it, so that it
can show nothing that is not public. Such pages are compressed and held; few are drawn at once, so that others go on.
"""

import gzip
import json
import re
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from hashlib import sha256
from urllib.parse import parse_qsl

from benchmarks.models import Benchmark
from leaderboard.board.exports.board_json import JSON
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict
from leaderboard.board.tables.board_query import HEAT, KEYS, understand
from leaderboard.board.tables.board_table import TableView, arranged, table
from leaderboard.models import Page
from leaderboard.pages.item_pages import set_links
from leaderboard.rendering.held_values import HeldValues
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.rendering.row_files import ROWS, ReadTable, frame_file, has_row_files, row_file
from leaderboard.serving.served_page import ETAG, ServedPage, served_page

# Bytes of compressed pages that a process keeps: of what links ask for, and of what readers write themselves, such as a
# search, which hardly anybody asks for again. Each costs so many bytes beside its body, about.
MAX_BYTES, MAX_WRITTEN_BYTES = 16_000_000, 2_000_000
PAGE_COSTS = 1000
AT_ONCE = 1
WAITING = 56
# Seconds that a reader waits until others' boards are drawn.
PATIENCE = 10.0
# After a board is drawn none is for so many times as long as it took, at most for a second, so that published pages
# keep most of a process; but no longer than others take more than such a share of each glance of so many seconds.
REST, LONGEST_REST = 16.0, 1.0
GLANCE, IDLE = 0.02, 0.1
# Characters of a query string that are looked at; no link of ours is as long.
MAX_QUERY = 2000
# Cells of whole boards that a process keeps drawn, about 40 MB: the next answer about one of them costs its rows alone.
HELD_CELLS = 120_000

Database = Callable[[], AbstractContextManager[None]]
"""Gives a thread a connection to the database for as long as it asks there; where none is needed, `nullcontext`."""

_ASKS = re.compile(rf"(?:^|&)(?:{'|'.join(KEYS)})=")
_ADDRESS = re.compile(r"/benchmarks/[^/]+/(?:releases/\d+/)?(?:(?:tasks|boards)/[^/]+/)?")
# The table's place on a page, with the number of its release, as public/board.html marks it.
_TABLE = re.compile(rb"(?<=<!--board )(\d+)-->.*(?=<!--/board-->)", re.DOTALL)


class TooManyReaders(Exception):
    """Others' boards are being drawn, and enough readers wait already."""


class Readings:
    """Compressed pages by what they show and by the queries that ask for it: many queries ask for the same.

    They are `most` bytes in all, where a page counts once for each.
    """

    def __init__(self, most: int) -> None:
        self._pages: HeldValues[Hashable, bytes] = HeldValues(most, lambda page: PAGE_COSTS + len(page))

    def asked(self, query: Hashable) -> bytes | None:
        """The page that such a query was answered with before."""
        return self._pages.find(query)

    def shown(self, query: Hashable, shows: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The page that shows this, drawn if there is none yet; the query is remembered as one that asks for it.

        What `draw` cannot draw is empty, and not held.
        """
        page = self._pages.find(shows) or draw()
        if page:
            self._pages.keep(shows, page)
            self._pages.keep(query, page)
        return page


class Rest:
    """Between two pieces of work by turns: the next one waits until the one before is slept off, or no other works."""

    def __init__(self) -> None:
        self._until = 0.0
        self._glance = Glance()

    def __enter__(self) -> None:
        while time.monotonic() < self._until:
            glance = Glance()
            time.sleep(GLANCE)
            if not glance.others_work():
                break
        self._glance = Glance()

    def __exit__(self, *_raised: object) -> None:
        rest = min(REST * self._glance.own(), LONGEST_REST) if self._glance.others_work() else 0.0
        self._until = time.monotonic() + rest


class Glance:
    """At what this process does from now on, in this thread and in others."""

    def __init__(self) -> None:
        self._began = time.monotonic(), time.process_time(), time.thread_time()

    def own(self) -> float:
        """Seconds that this thread has worked."""
        return time.thread_time() - self._began[2]

    def others_work(self) -> bool:
        """Whether other threads have taken a share of the time that is worth resting for."""
        began, all_threads, _ = self._began
        others = time.process_time() - all_threads - self.own()
        return others > IDLE * (time.monotonic() - began)


_rest = Rest()
_places = threading.BoundedSemaphore(AT_ONCE)
_queue = threading.BoundedSemaphore(AT_ONCE + WAITING)
_own = threading.local()


@contextmanager
def place_to_draw(database: Database = nullcontext) -> Iterator[None]:
    """A place among the few who draw at once, which rests afterwards. TooManyReaders if there is none in time.

    Who waits has no connection to the database: there are fewer of these than may wait. A thread that has a place keeps
    to it: what Django answers in its turn may be drawn as well.
    """
    if getattr(_own, "has_place", False):
        yield
        return
    if not _queue.acquire(blocking=False):
        raise TooManyReaders
    try:
        if not _places.acquire(timeout=PATIENCE):
            raise TooManyReaders
        try:
            _own.has_place = True
            with _rest, database():
                yield
        finally:
            _own.has_place = False
            _places.release()
    finally:
        _queue.release()


_READINGS, _WRITTEN = Readings(MAX_BYTES), Readings(MAX_WRITTEN_BYTES)


def asks_for_reading(path: str, query: str) -> bool:
    """Whether that may be a board that is to be read otherwise than it was published."""
    return bool(query and _ASKS.search(query) and _ADDRESS.fullmatch(path))


def read_otherwise(page: ServedPage, query: str, if_none_match: str, database: Database) -> ServedPage | None:
    """The page with its table as the query asks, compressed and not saved; None where it shows no board that could be.

    Its body is empty if the reader holds it already. TooManyReaders if it would have to be drawn and cannot be soon.
    """
    etag = sha256(f"{page.etag} {query}".encode(errors="replace")).hexdigest()[:ETAG]
    if f'"{etag}"' in if_none_match:
        return ServedPage(page.path, page.content_type, etag, b"", page.printing)
    compressed = _READINGS.asked((page.path, etag)) or _WRITTEN.asked((page.path, etag))
    if not compressed:
        with place_to_draw(database):
            compressed = _compressed(page, query, etag)
    return ServedPage(page.path, page.content_type, etag, compressed, page.printing) if compressed else None


def _compressed(page: ServedPage, query: str, etag: str) -> bytes | None:
    fields = _fields(query)
    drawn = _drawn(page.path, page.etag, view=HEAT if ("view", HEAT) in fields else "")
    if drawn is None:
        return None
    board, whole = drawn
    reading = understand(fields, board)

    def draw() -> bytes:
        body = page.plain
        place = _TABLE.search(body)
        if place is None or board.release != int(place[1]):
            return b""  # no board, or another release is being put in place at this moment
        text = f"{board.release}-->{ReadTable(arranged(whole, board, reading), board).text()}".encode()
        return gzip.compress(body[: place.start()] + text + body[place.end() :], compresslevel=6, mtime=0)

    held = _WRITTEN if reading.is_written else _READINGS
    return held.shown((page.path, etag), (page.path, page.etag, reading), draw)


def file_beside(page: ServedPage, ending: str) -> RenderedPage | None:
    """One of the files by which a browser arranges the board of that page itself; None where the server does."""
    drawn = _drawn(page.path, page.etag, view="")
    if drawn is None or not has_row_files(drawn[0]):
        return None
    file = row_file(*drawn) if ending == ROWS else frame_file(*drawn)
    return file.at(f"{page.path[:-1]}{ending}")


def _fields(query: str) -> list[tuple[str, str]]:
    """The query's keys and values; what is too long is left off at a whole field."""
    if len(query) > MAX_QUERY:
        query = query[:MAX_QUERY].rpartition("&")[0]
    return [(key, value) for key, value in parse_qsl(query) if key.isprintable() and value.isprintable()]


_Drawn = tuple[Board, TableView]
_TABLES: HeldValues[tuple[str, str], _Drawn] = HeldValues(HELD_CELLS, lambda drawn: drawn[0].cell_count)


def _drawn(path: str, etag: str, *, view: str) -> _Drawn | None:
    """The board of the page at `path` and its whole table; `etag` is the page's, so that a newer one is drawn anew."""
    drawn = _TABLES.find((path, view), etag)
    if drawn is None and (data := served_page(f"{path[:-1]}.{JSON.ending}")) is not None:
        board = from_dict(json.loads(data.plain))
        drawn = board, table(board, view=view).with_links(_head_links(path, board))
        _TABLES.keep((path, view), drawn, etag)
    return drawn


def _head_links(path: str, board: Board) -> dict[str, str]:
    """Where the heads lead, by the keys of their columns: to whatever is published about them."""
    if board.task is not None:
        return {}
    base = path.partition("/boards/")[0].removesuffix("/")
    links = {
        f"{base}/{kind}/{column.key}/": column.key for column in board.columns for kind in ("tasks", "boards")
    }
    if "/releases/" not in path:
        links |= {url: key for key, url in set_links(Benchmark.objects.get(pk=board.benchmark)).items()}
    published = Page.objects.filter(pk__in=links).values_list("pk", flat=True)
    return {links[url]: url for url in published}
