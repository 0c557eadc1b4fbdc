"""The instants of a bundle, which states them in many ways; those without a zone are in UTC."""

import datetime as dt
import re

_MONTH_FIRST = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?:[ T](.+))?")
_WORDS = ("%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%d %b %Y", "%B %d, %Y %H:%M", "%d %B %Y %H:%M")


def instant(text: str) -> tuple[dt.datetime, str] | None:
    """The instant in UTC, and what was assumed to read it so; None where it cannot be read.

    >>> instant("6-15-2020")
    (datetime.datetime(2020, 6, 15, 0, 0, tzinfo=datetime.timezone.utc), 'the month first')
    >>> instant("2020-01-15 18:53:00+00:00")
    (datetime.datetime(2020, 1, 15, 18, 53, tzinfo=datetime.timezone.utc), '')
    """
    text = " ".join(text.split())
    assumed = ""
    if found := _MONTH_FIRST.fullmatch(text):
        first, second, year, rest = found.groups()
        month, day = int(first), int(second)
        assumed = "the month first"
        if month > 12:
            month, day, assumed = day, month, ""
        text = f"{year}-{month:02}-{day:02}" + (f" {rest}" if rest else "")
    read = _iso(text) or _in_words(text)
    if read is None:
        return None
    if read.tzinfo is None:
        read = read.replace(tzinfo=dt.UTC)
    try:
        return read.astimezone(dt.UTC), assumed
    except OverflowError:
        return None


def _iso(text: str) -> dt.datetime | None:
    text = re.sub(r"^(\d{4})-(\d)-", r"\1-0\2-", text)
    text = re.sub(r"^(\d{4}-\d\d)-(\d)(?!\d)", r"\1-0\2", text)
    text = (
        re.sub(r"^(\d{4}-\d\d-\d\d)[ T](\d):", r"\1 0\2:", text).replace(" UTC", "+00:00").replace(" +", "+")
    )
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        return None


def _in_words(text: str) -> dt.datetime | None:
    for form in _WORDS:
        try:
            return dt.datetime.strptime(text, form).replace(tzinfo=dt.UTC)
        except ValueError:
            continue
    return None
