"""Every address that the site knows."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def routes() -> Iterator[str]:
    """Every route of the URL resolver but those that sign the browser out."""
    for route in _walk(get_resolver().url_patterns):
        plain = re.sub(r"\(\?P(<\w+>)(?:[^()]|\([^()]*\))*\)", r"\1", route).replace("^", "").replace("$", "")
        if "logout" not in plain and "sign-out" not in plain:
            yield plain


def _walk(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, prefix + str(pattern.pattern))
        else:
            yield prefix + str(pattern.pattern)
