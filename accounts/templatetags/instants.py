"""Instants: in the words of a reader's own zone, and as a part of translated sentences."""

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.formats import instants
from accounts.page_content import PageContent

register = template.Library()


@dataclass(frozen=True)
class PrintedInstant(PageContent):
    """An instant as a page prints it: the `day` alone, with a `countdown`, or in the reader's own zone (`zoned`)."""

    template = "_time.html"
    when: dt.datetime
    day: bool = False
    countdown: bool = False
    zoned: bool = False


@register.filter(expects_localtime=False)
def in_words(instant: dt.datetime) -> str:
    """The instant in the reader's own zone, with UTC beside it."""
    return instants.in_words(instant, timezone.get_current_timezone())


@register.simple_tag
def instant(when: dt.datetime | None, **options: bool) -> SafeString:
    """As _time.html writes it: `{% instant when day=True %}`."""
    return PrintedInstant(when, **options).text() if when else SafeString("")


@lru_cache(maxsize=1024)
def printed_day(when: dt.datetime) -> SafeString:
    """The day of an instant as HTML: that of a release stands on many pages."""
    return instant(when, day=True)
