"""Instants on pages that are made for one reader."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils import timezone

from accounts import instants

register = template.Library()


@register.filter(expects_localtime=False)
def in_words(instant: dt.datetime) -> str:
    """The instant in the reader's own zone, with UTC beside it."""
    return instants.in_words(instant, timezone.get_current_timezone())
