"""Boards read otherwise than they were published, compressed and held; few are drawn at once, so that pages go on."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

MAX_HELD = 512
MAX_BYTES = 32 * 1024 * 1024
MAX_SPELLINGS = 4096
AT_ONCE = 1
WAITING = 3
PATIENCE = 3.0
"""Seconds that a reader waits until others' boards are drawn."""


class TooManyReaders(Exception):
    """Others' boards are being drawn, and enough readers wait already."""


class Readings:
    """Compressed pages by what they show, and by the queries that ask for it: many queries ask for the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[Hashable, bytes] = OrderedDict()
        self._shown_by: OrderedDict[Hashable, Hashable] = OrderedDict()
        self._size = 0

    def asked(self, query: Hashable) -> bytes | None:
        """The page that such a query was answered with before."""
        with self._lock:
            return self._page(self._shown_by.get(query))

    def shown(self, query: Hashable, shows: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The page that shows this, drawn if there is none yet; the query is remembered as one that asks for it.

        What `draw` cannot draw is empty, and not held.
        """
        with self._lock:
            page = self._page(shows)
        page = page or draw()
        if not page:
            return page
        with self._lock:
            self._hold(shows, page)
            self._shown_by[query] = shows
            while len(self._shown_by) > MAX_SPELLINGS:
                self._shown_by.popitem(last=False)
        return page

    def _page(self, shows: Hashable) -> bytes | None:
        if shows not in self._pages:
            return None
        self._pages.move_to_end(shows)
        return self._pages[shows]

    def _hold(self, shows: Hashable, page: bytes) -> None:
        self._size += len(page) - len(self._pages.get(shows, b""))
        self._pages[shows] = page
        while len(self._pages) > MAX_HELD or self._size > MAX_BYTES:
            self._size -= len(self._pages.popitem(last=False)[1])


_places = threading.BoundedSemaphore(AT_ONCE)
_queue = threading.BoundedSemaphore(AT_ONCE + WAITING)


@contextmanager
def place_to_draw() -> Iterator[None]:
    """A place among the few who draw at once. TooManyReaders if there is none in time."""
    if not _queue.acquire(blocking=False):
        raise TooManyReaders
    try:
        if not _places.acquire(timeout=PATIENCE):
            raise TooManyReaders
        try:
            yield
        finally:
            _places.release()
    finally:
        _queue.release()
