"""The one clock: the database's, so that every web server agrees on what came before a cut-off."""

import datetime as dt
import time
from typing import cast

from django.db import connection
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

# Where a request notes when its head had come, by this process's own clock: its body may have taken long since.
BEGAN = "heldout.began"
_RECEIVED_AT = "heldout.received_at"


def database_now() -> dt.datetime:
    """The database's present instant, in UTC with microseconds where it has them."""
    if connection.vendor == "sqlite":
        # SQLite runs inside this process: its clock is this machine's.
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cast(dt.datetime, cursor.fetchone()[0]).astimezone(dt.UTC)


def has_come(column: str, now: dt.datetime, *, longest: dt.timedelta) -> Q:
    """Rows whose instant in `column` has come, where none is ever set further ahead than `longest`.

    One that lies further ahead was set while the clock was wrong, and would hold its row up until then.
    """
    return Q(**{f"{column}__lte": now}) | Q(**{f"{column}__gt": now + longest})


def note_arrival(request: HttpRequest) -> None:
    """Note the instant at which a request began, which is when its head had come."""
    present = time.monotonic()
    waited = dt.timedelta(seconds=present - request.META.get(BEGAN, present))
    request.META[_RECEIVED_AT] = database_now() - waited


def received_at(request: HttpRequest) -> dt.datetime:
    """The instant at which the request began: an upload that takes an hour still came before the cut-off."""
    return request.META.get(_RECEIVED_AT) or database_now()
