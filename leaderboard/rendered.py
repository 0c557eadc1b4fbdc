"""A page ready to be sent, and how a template becomes one."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """One path with the bytes it answers."""

    path: str
    content_type: str
    body: bytes

    @property
    def body_gzip(self) -> bytes:
        """The body compressed; the same body always gives the same bytes."""
        return gzip.compress(self.body, compresslevel=6, mtime=0)

    @property
    def etag(self) -> str:
        """Digest of the body."""
        return sha256(self.body).hexdigest()[:32]


def html(path: str, template: str, context: dict[str, Any]) -> RenderedPage:
    """The template as a page, told of the site's version and whether its data are made up."""
    site = {"version": settings.VERSION, "synthetic": settings.SYNTHETIC_DEMO}
    return RenderedPage(path, HTML, render_to_string(template, site | context).encode())
