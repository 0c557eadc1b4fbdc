"""Instants in words, in the zone of whoever reads them."""

from __future__ import annotations

import datetime as dt

from django.utils.formats import date_format, get_format
from django.utils.translation import ngettext_lazy

_MINUTE = dt.timedelta(minutes=1)
_HOUR = dt.timedelta(hours=1)
_DAY = dt.timedelta(days=1)
# Up to which distance each unit is used, and its words for what is to come and for what is past.
_UNITS = (
    (
        2 * _HOUR,
        _MINUTE,
        ngettext_lazy("in %d minute", "in %d minutes"),
        ngettext_lazy("%d minute ago", "%d minutes ago"),
    ),
    (
        2 * _DAY,
        _HOUR,
        ngettext_lazy("in %d hour", "in %d hours"),
        ngettext_lazy("%d hour ago", "%d hours ago"),
    ),
    (
        dt.timedelta.max,
        _DAY,
        ngettext_lazy("in %d day", "in %d days"),
        ngettext_lazy("%d day ago", "%d days ago"),
    ),
)


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
    unit, ahead, ago = next((unit, ahead, ago) for below, unit, ahead, ago in _UNITS if away < below)
    return str((ahead if instant >= now else ago) % (away // unit))
