"""A published board sorted, filtered or shaded as a query string asks: its page, with another table in its place.

Everything else on the page is what was published. The table comes from the JSON that was published with it, so that it
can show nothing that is not public.
"""

import gzip
import json
import re
from functools import lru_cache
from hashlib import sha256
from urllib.parse import parse_qsl

from django.template.loader import render_to_string

from benchmarks.models import Benchmark
from leaderboard.board.exports.board_json import JSON
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict
from leaderboard.board.tables.board_query import HEAT, KEYS, understand
from leaderboard.board.tables.board_table import TableView, arranged, table
from leaderboard.models import Page
from leaderboard.pages.item_pages import set_links
from leaderboard.serving.view_cache import Readings, place_to_draw

MAX_QUERY = 2000
"""Characters of a query string that are looked at; no link of ours is as long."""
HELD_TABLES = 24
"""Whole boards that a process keeps drawn: the next answer about one of them costs its rows alone."""

_READINGS = Readings()
_ASKS = re.compile(rf"(?:^|&)(?:{'|'.join(KEYS)})=")
_ADDRESS = re.compile(r"/benchmarks/[^/]+/(?:releases/\d+/)?(?:(?:tasks|boards)/[^/]+/)?")
_TABLE = re.compile(rb"(?<=<!--board )(\d+)-->.*(?=<!--/board-->)", re.DOTALL)
"""The table's place on a page, with the number of its release, as public/board.html marks it."""


def asks_for_reading(path: str, query: str) -> bool:
    """Whether that may be a board that is to be read otherwise than it was published."""
    return bool(query and _ASKS.search(query) and _ADDRESS.fullmatch(path))


def read_otherwise(page: Page, query: str, if_none_match: str) -> Page | None:
    """The page with its table as the query asks, compressed and not saved; None where it shows no board that could be.

    Its body is empty if the reader holds it already. TooManyReaders if it would have to be drawn and cannot be soon.
    """
    etag = sha256(f"{page.etag} {query}".encode(errors="replace")).hexdigest()[:32]
    made = Page(path=page.path, content_type=page.content_type, etag=etag)
    if f'"{etag}"' in if_none_match:
        return made
    asked = page.path, page.etag, query[:MAX_QUERY]
    compressed = _READINGS.asked(asked)
    if not compressed:
        with place_to_draw():
            compressed = _compressed(page, asked)
    made.body_gzip = compressed or b""
    return made if compressed else None


def _compressed(page: Page, asked: tuple[str, str, str]) -> bytes | None:
    fields = _fields(asked[-1])
    board, whole = _drawn(page.path, page.etag, heat=("view", HEAT) in fields)
    if board is None or whole is None:
        return None
    reading = understand(fields, board)

    def draw() -> bytes:
        body = bytes(page.body)
        place = _TABLE.search(body)
        if place is None or board.release != int(place[1]):
            return b""  # no board, or another release is being put in place at this moment
        context = {"table": arranged(whole, board, reading), "board": board}
        text = f"{board.release}-->{render_to_string('_board_table.html', context)}".encode()
        return gzip.compress(body[: place.start()] + text + body[place.end() :], compresslevel=6, mtime=0)

    return _READINGS.shown(asked, (page.path, page.etag, reading), draw)


def _fields(query: str) -> list[tuple[str, str]]:
    """The query's keys and values; what is too long is left off at a whole field."""
    if len(query) > MAX_QUERY:
        query = query[:MAX_QUERY].rpartition("&")[0]
    return [(key, value) for key, value in parse_qsl(query) if key.isprintable() and value.isprintable()]


@lru_cache(maxsize=HELD_TABLES)
def _drawn(path: str, etag: str, *, heat: bool) -> tuple[Board, TableView] | tuple[None, None]:
    """The board of the page at `path` and its whole table; `etag` is the page's, so that a newer one is drawn anew."""
    row = Page.objects.filter(pk=f"{path[:-1]}.{JSON.ending}").values_list("body", flat=True).first()
    if row is None:
        return None, None
    board = from_dict(json.loads(bytes(row)))
    return board, table(board, heat=heat).with_links(_head_links(path, board))


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
