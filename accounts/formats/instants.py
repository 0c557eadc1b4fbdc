"""Instants in words, in the zone of whoever reads them."""

import datetime as dt

from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.formats import date_format, get_format
from django.utils.functional import lazy

_MINUTE = dt.timedelta(minutes=1)
_HOUR = dt.timedelta(hours=1)
_DAY = dt.timedelta(days=1)
# Up to which distance each unit is used.
_UNITS = ((2 * _HOUR, _MINUTE, "minute"), (2 * _DAY, _HOUR, "hour"), (dt.timedelta.max, _DAY, "day"))


def _in_own_zone(then: str = "") -> str:
    return f"In your own time zone, {timezone.get_current_timezone_name()}. {then}".strip()


in_own_zone = lazy(_in_own_zone, str)
"""What stands under a field of an instant: the zone of whoever fills it in, and what else is said of it."""


def in_words(instant: dt.datetime, zone: dt.tzinfo = dt.UTC) -> str:
    """“Mon 23 Nov 2026, 01:00 CET (00:00 UTC)”; a reader in UTC is not told twice."""
    local, utc = instant.astimezone(zone), instant.astimezone(dt.UTC)
    text = date_format(local, "DATETIME_FORMAT")
    if "T" not in get_format("DATETIME_FORMAT"):  # of most languages; a cut-off must not be mistaken
        text = f"{text} {local.tzname()}"
    if local.utcoffset() == dt.timedelta():
        return text
    utc_text = f"{date_format(utc, 'TIME_FORMAT')} UTC"
    if utc.date() != local.date():
        utc_text = f"{date_format(utc, 'MONTH_DAY_FORMAT')}, {utc_text}"
    return f"{text} ({utc_text})"


def distance(instant: dt.datetime, now: dt.datetime) -> str:
    """“in 3 days”, “2 hours ago”. Rounded towards now: a deadline must never seem farther off than it is."""
    away = abs(instant - now)
    unit, name = next((unit, name) for below, unit, name in _UNITS if away < below)
    count = away // unit
    counted = f"{count} {name}" if count == 1 else f"{count} {name}s" if count else "less than a minute"
    return f"in {counted}" if instant >= now else f"{counted} ago"


def day_in_utc(instant: dt.datetime) -> str:
    """Such as “Wed 2 Dec 2026”."""
    return str(written(instant.astimezone(dt.UTC), "D j M Y"))


def time_in_utc(instant: dt.datetime) -> str:
    """Such as “12:00”, to be followed by “UTC”."""
    return f"{instant.astimezone(dt.UTC):%H:%M}"
