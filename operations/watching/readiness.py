"""Whether this process can take requests that need database and files."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache

from django.db import Error, close_old_connections, connection

from operations.schema import applied_migrations, known_migrations
from submissions.uploads.storage import upload_storage

logger = logging.getLogger(__name__)

WITHIN = 1.0  # seconds for what is asked of the database
STORAGE_WITHIN = 1.0  # seconds for what is asked of what keeps uploads
HELD = 1.0  # seconds for which an answer is given again, so that asking costs nothing


class Readiness:
    """Why this process is not ready, a sentence each; asked again at most once in HELD seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked_at = -HELD
        self._said: tuple[str, ...] = ()
        self._asking = ThreadPoolExecutor(2, thread_name_prefix="readiness")
        self._pending: dict[str, Future[tuple[str, ...]]] = {}

    def problems(self) -> tuple[str, ...]:
        with self._lock:
            if time.monotonic() - self._asked_at >= HELD:
                self._said = (
                    *self._told("database", problems_of_database, WITHIN),
                    *self._told("storage", problems_of_storage, STORAGE_WITHIN),
                )
                self._asked_at = time.monotonic()
            return self._said

    def _told(self, what: str, question: Callable[[], tuple[str, ...]], within: float) -> tuple[str, ...]:
        """What hangs must not hang us: one thread waits for it, and it is not asked again before it is back.

        A question that fails is told as a problem, and asked anew the next time.
        """
        asked = self._pending.pop(what, None) or self._asking.submit(question)
        try:
            return asked.result(within)
        except Exception as error:
            if not asked.done():
                self._pending[what] = asked
                return (f"{what}: no answer within {within:.0f} s.",)
            logger.exception("Whether the %s is ready could not be found out.", what)
            return (f"{what}: the question failed with {type(error).__name__}; the log says more.",)


def problems_of_database() -> tuple[str, ...]:
    """Whether it answers, has the tables that this code needs, and takes writes."""
    try:
        lacking = sorted(_known() - set(applied_migrations()))
        takes_writes = _takes_writes()
    except Error as error:
        return (f"database: {type(error).__name__}.",)
    finally:
        if not connection.in_atomic_block:
            close_old_connections()
    if lacking:
        return (
            f"migrations: {len(lacking)} are not applied, the first is {lacking[0]}; run `manage.py migrate`.",
        )
    if not takes_writes:
        return ("database: it takes no writes. It is a standby, or default_transaction_read_only is on.",)
    return ()


def _takes_writes() -> bool:
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone() == ("off",))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(known_migrations())


def problems_of_storage() -> tuple[str, ...]:
    """Whether an upload could be stored."""
    problem = upload_storage().problem()
    return (f"storage: {problem}",) if problem else ()
