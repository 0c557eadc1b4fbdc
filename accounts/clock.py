"""The one clock: the database's, so that every web server agrees on what came before a cut-off."""

from __future__ import annotations

import datetime as dt

from django.db import connection
from django.utils import timezone


def database_now() -> dt.datetime:
    """The database's present instant, in UTC with microseconds where it has them."""
    if connection.vendor == "sqlite":
        # SQLite runs inside this process: its clock is this machine's.
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    instant: dt.datetime = now
    return instant.astimezone(dt.UTC)
