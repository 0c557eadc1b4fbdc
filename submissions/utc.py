"""An instant in UTC as sentences name it, in the site's language."""

from __future__ import annotations

import datetime as dt

from django.utils.dateformat import format as written


def day_in_utc(instant: dt.datetime) -> str:
    """Such as “Wed 02 Dec 2026”."""
    return str(written(instant.astimezone(dt.UTC), "D d M Y"))


def time_in_utc(instant: dt.datetime) -> str:
    """Such as “12:00”, to be followed by “UTC”."""
    return f"{instant.astimezone(dt.UTC):%H:%M}"
