"""Instants: in the words of a reader's own zone, and as a part of translated sentences."""

import datetime as dt

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.formats import instants

register = template.Library()


@register.filter(expects_localtime=False)
def in_words(instant: dt.datetime) -> str:
    """The instant in the reader's own zone, with UTC beside it."""
    return instants.in_words(instant, timezone.get_current_timezone())


@register.simple_tag
def instant(when: dt.datetime | None, **options: bool) -> SafeString:
    """As _time.html writes it: `{% instant when day=True %}`."""
    return SafeString(render_to_string("_time.html", {"when": when} | options) if when else "")
