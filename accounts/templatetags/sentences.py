"""Whole sentences for translators, also where a sentence holds markup that a template part prints."""

from __future__ import annotations

from django import template

register = template.Library()


@register.simple_block_tag
def piece(content: str) -> str:
    """Keep what stands between the tags, for a sentence below: `{% piece as when %}…{% endpiece %}`."""
    return content
