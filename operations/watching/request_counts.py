"""Requests and how long they took, counted in each process and added up in the database, so that any process tells all.

Counting costs a request a microsecond and no statement: a thread adds what was counted, a few times a minute. What a
process has not added when it is killed is lost.
"""

import logging
import threading
from bisect import bisect_left
from collections.abc import Mapping

from django.db import Error, close_old_connections, connection

from operations.models import ROUTE_LENGTH, RequestCount

logger = logging.getLogger(__name__)

BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds up to which durations are counted together; what took longer than the last one has a place of its own."""
PROBED = ("/healthz", "/readyz", "/metrics")
"""What whoever watches asks."""
EVERY = 15.0  # seconds
MOST_KINDS = 2000  # held while the database is away; what is new beyond it is not counted

Kind = tuple[str, str, int]
_ADD = """
INSERT INTO operations_requestcount (route, code, within, count, seconds) VALUES {rows}
ON CONFLICT (route, code, within) DO UPDATE SET
    count = operations_requestcount.count + excluded.count, seconds = operations_requestcount.seconds + excluded.seconds
"""
_AT_ONCE = 150  # rows in a statement


class RequestCounts:
    """What one process has counted and not added yet; its thread begins with the first request."""

    def __init__(self, every: float = EVERY) -> None:
        self._every = every
        self._lock = threading.Lock()
        self._held: dict[Kind, tuple[int, float]] = {}
        self._thread: threading.Thread | None = None

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count a request by the pattern of its address; codes are told by their class, such as 2xx."""
        kind = (route[:ROUTE_LENGTH], f"{status // 100}xx", bisect_left(BOUNDS, seconds))
        with self._lock:
            self._hold(kind, 1, seconds)
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep_adding, name="request counts", daemon=True)
                self._thread.start()

    def add(self) -> None:
        """Add to the database what was counted; where it is away, hold it until the next time."""
        with self._lock:
            taken, self._held = self._held, {}
        kinds = sorted(taken)  # in one order, so that two processes never wait for each other
        try:
            for begin in range(0, len(kinds), _AT_ONCE):
                some = kinds[begin : begin + _AT_ONCE]
                _add({kind: taken[kind] for kind in some})
                for kind in some:
                    del taken[kind]
        except Error as error:
            logger.warning("Requests could not be added to the counts: %s", type(error).__name__)
            with self._lock:
                for kind, (count, seconds) in taken.items():
                    self._hold(kind, count, seconds)

    def _hold(self, kind: Kind, count: int, seconds: float) -> None:
        if kind not in self._held and len(self._held) >= MOST_KINDS:
            return
        held = self._held.get(kind, (0, 0.0))
        self._held[kind] = (held[0] + count, held[1] + seconds)

    def _keep_adding(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._every):
            self.add()
            close_old_connections()


def _add(counted: Mapping[Kind, tuple[int, float]]) -> None:
    rows = ", ".join(["(%s, %s, %s, %s, %s)"] * len(counted))
    values = [value for kind, sums in counted.items() for value in (*kind, *sums)]
    with connection.cursor() as cursor:
        cursor.execute(_ADD.format(rows=rows), values)


def all_counts() -> list[tuple[str, str, int, int, float]]:
    """Route, class of code, place among `BOUNDS`, requests and their seconds: of all processes, from the first on."""
    rows = RequestCount.objects.order_by("route", "code", "within")
    return list(rows.values_list("route", "code", "within", "count", "seconds"))
