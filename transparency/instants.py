"""Instants as the log writes them."""

import datetime as dt


def instant_text(when: dt.datetime) -> str:
    """In UTC to the microsecond: "2026-11-18T12:00:00.000000Z"."""
    return when.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
