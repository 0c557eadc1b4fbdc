"""Show sentences that anybody may have written."""

import re

from django import template

register = template.Library()

# Embeddings, overrides and isolates: they make a reader see letters in another order than they stand in.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")


@register.filter
def spelt_out(text: str) -> str:
    """The text with every character that reorders others spelt out, such as `\\u202e`; it is not escaped by this.

    >>> spelt_out("a\\u202eb")
    'a\\\\u202eb'
    """
    return _DIRECTIONS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
