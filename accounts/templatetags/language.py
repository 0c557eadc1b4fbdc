"""The language that pages are written in."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi, to_locale

register = template.Library()


@register.simple_tag
def language_attributes() -> SafeString:
    """Those of `<html>`: `lang="en-GB"`, with the direction where it is read from right to left."""
    language = to_locale(settings.LANGUAGE_CODE).replace("_", "-")
    return format_html('lang="{}"{}', language, SafeString(' dir="rtl"' if get_language_bidi() else ""))
