"""Django's `migrate`, one at a time: of two machines that start together, one waits and finds nothing left to do."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

_LOCK = 4_837_553_288  # any number that no other program locks in this database


class Command(migrate.Command):
    """On PostgreSQL under an advisory lock, which ends with the connection, however the command ends."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Wait for another that is at work, then migrate what is left."""
        with _little_collected():
            self._migrate(*args, **options)

    def _migrate(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        try:
            super().handle(*args, **options)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


@contextmanager
def _little_collected() -> Iterator[None]:
    """Look for garbage seldom: each step makes classes of models anew, and the search took two fifths of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
