"""Whether this process can take requests that need database and files."""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db import Error, close_old_connections, connection

from operations.schema import applied_migrations, known_migrations

WITHIN = 1.0  # seconds for what is asked of the database
HELD = 1.0  # seconds for which an answer is given again, so that asking costs nothing
LEAST_FREE = 10**9  # bytes


class Readiness:
    """Why this process is not ready, a sentence each; asked again at most once in HELD seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._asked_at = -HELD
        self._said: tuple[str, ...] = ()
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._pending: Future[tuple[str, ...]] | None = None

    def problems(self) -> tuple[str, ...]:
        with self._lock:
            if self._clock() - self._asked_at >= HELD:
                self._said = (*self._of_database(), *problems_of_storage())
                self._asked_at = self._clock()
            return self._said

    def _of_database(self) -> tuple[str, ...]:
        """A database that hangs must not hang us: one thread waits for it, and is not asked again before it is back."""
        if self._pending is None:
            self._pending = self._asking.submit(problems_of_database)
        try:
            said = self._pending.result(WITHIN)
        except TookTooLong:
            return (f"database: no answer within {WITHIN:.0f} s.",)
        self._pending = None
        return said


def problems_of_database() -> tuple[str, ...]:
    """Whether it answers and has the tables that this code needs."""
    try:
        lacking = sorted(_known() - set(applied_migrations()))
    except Error as error:
        return (f"database: {type(error).__name__}.",)
    finally:
        if not connection.in_atomic_block:
            close_old_connections()
    if lacking:
        return (
            f"migrations: {len(lacking)} are not applied, the first is {lacking[0]}; run `manage.py migrate`.",
        )
    return ()


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(known_migrations())


def problems_of_storage() -> tuple[str, ...]:
    """Whether an upload could be stored."""
    folder = Path(settings.MEDIA_ROOT)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"1")
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return (f"storage: {folder} cannot be written: {error.strerror}.",)
    if free < LEAST_FREE:
        return (
            f"storage: {free / 10**9:.2f} GB are free where uploads are kept; {LEAST_FREE / 10**9:.0f} GB is wanted.",
        )
    return ()
