"""The Markdown of organisers as HTML that is safe on everybody's screen.

Raw HTML is text. Links lead to http, https and mailto, to a heading of the page, to another page about the benchmark
or to a file that is given with it; pictures are files that are given with it. Whatever else stands there is words.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it.token import Token

from handbook.manuscript import MARKDOWN, make_plain, name_headings, name_regions

_BYTES = "application/octet-stream"
# By how their names end. Not SVG: opened by itself it is a document that could hold a script.
_PICTURES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}
_SCHEMES = {"http", "https", "mailto"}
_CONTROL = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]")
_FIRST_LEVEL, _LAST_LEVEL = 3, 6


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page can link to and show: addresses of pages and files that are given, by the names that texts use."""

    pages: dict[str, str]
    files: dict[str, str]

    def address(self, name: str) -> str:
        return self.files.get(name) or self.pages.get(name, "")


def kind_of(file_name: str) -> str:
    """The media type of a file that is given: that of a picture, else bytes that no browser shows."""
    return _PICTURES.get(file_name.rpartition(".")[2].lower(), _BYTES)


def as_safe_html(text: str, around: Surroundings) -> SafeString:
    """The text drawn below the page's own heading, which is of the second level."""
    tokens = MARKDOWN.parse(text)
    headings = name_headings(tokens)
    anchors = {heading.anchor for heading in headings}
    deeper = _FIRST_LEVEL - min((heading.level for heading in headings), default=_FIRST_LEVEL)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + deeper, _LAST_LEVEL)}"
        _link(token.children or (), around, anchors)
    name_regions(tokens)
    body = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return SafeString(body)  # made of tokens: raw HTML is switched off, links and pictures are ours


def _link(parts: Collection[Token], around: Surroundings, anchors: Collection[str]) -> None:
    open_links: list[Token] = []
    for part in parts:
        if part.type == "link_open":
            open_links.append(part)
            target = _target(str(part.attrGet("href")), around, anchors)
            part.attrs = {"href": target} if target else {}
            if not target:
                make_plain(part)
            elif not target.startswith(("#", "/")):
                part.attrSet("rel", "nofollow noopener")
        elif part.type == "link_close" and open_links.pop().hidden:
            make_plain(part)
        elif part.type == "image":
            _show(part, around)


def _target(href: str, around: Surroundings, anchors: Collection[str]) -> str:
    """Where a link may lead; empty for anywhere else."""
    if href.startswith("#"):
        return href if href[1:] in anchors else ""
    if known := around.address(href):
        return known
    try:
        scheme = urlsplit(href).scheme
    except ValueError:
        return ""
    return href if scheme in _SCHEMES and not _CONTROL.search(href) else ""


def _show(part: Token, around: Surroundings) -> None:
    """A picture that is given, else the words that stand for it."""
    name = str(part.attrGet("src"))
    address = around.files.get(name) if kind_of(name) != _BYTES else None
    if address is None:
        make_plain(part)
    else:
        part.type = "html_inline"
        part.content = format_html('<img src="{}" alt="{}" loading="lazy">', address, part.content)
