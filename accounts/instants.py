"""Instants in words, in the zone of whoever reads them."""

from __future__ import annotations

import datetime as dt

_MINUTE = dt.timedelta(minutes=1)
_HOUR = dt.timedelta(hours=1)
_DAY = dt.timedelta(days=1)


def in_words(instant: dt.datetime, zone: dt.tzinfo = dt.UTC) -> str:
    """“Mon 23 Nov 2026, 01:00 CET (00:00 UTC)”; a reader in UTC is not told twice."""
    local, utc = instant.astimezone(zone), instant.astimezone(dt.UTC)
    text = f"{_day(local)} {local:%Y, %H:%M} {local.tzname()}"
    if local.utcoffset() == dt.timedelta():
        return text
    utc_text = f"{utc:%H:%M} UTC" if utc.date() == local.date() else f"{_day(utc)}, {utc:%H:%M} UTC"
    return f"{text} ({utc_text})"


def distance(instant: dt.datetime, now: dt.datetime) -> str:
    """“in 3 days”, “2 hours ago”. Rounded towards now: a deadline must never seem farther off than it is."""
    away = abs(instant - now)
    if away < 2 * _HOUR:
        amount = _amount(away // _MINUTE, "minute")
    elif away < 2 * _DAY:
        amount = _amount(away // _HOUR, "hour")
    else:
        amount = _amount(away // _DAY, "day")
    return f"in {amount}" if instant >= now else f"{amount} ago"


def _day(local: dt.datetime) -> str:
    return f"{local:%a} {local.day} {local:%b}"


def _amount(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
