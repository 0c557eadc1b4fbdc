"""A published page as a file: its links lead to files beside it, and what needs a server is gone. Pure."""

import re
from collections.abc import Callable
from html import escape, unescape
from posixpath import dirname, relpath
from urllib.parse import urljoin, urlsplit

_TAG = re.compile(r"<(a|area|image|img|link|script|source|use)\b([^>]*)>")
_TARGET = re.compile(r'(\s(?:xlink:)?)(href|src)="([^"]*)"')
_MODULE = re.compile(r'<script\b[^>]*type="module"[^>]*>\s*</script>\s*')
_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
_NAV = re.compile(r'<nav aria-label="Main">.*?</nav>', re.DOTALL)
_NAV_ENTRY = re.compile(r'<a href="/(?:submit|submissions|accounts)/[^"]*"[^>]*>[^<]*</a>\s*')
_BUTTON = re.compile(r'<a class="(?:btn|sign-in)" href="/(?:submit|accounts)/[^"]*"[^>]*>[^<]*</a>\s*')
_MENU = re.compile(r'<details class="menu"[^>]*>.*?</details>\s*', re.DOTALL)
_BODY = re.compile(r"<body[^>]*>")

FindsFile = Callable[[str], str | None]
"""From an address of the site to a file's path in the folder, with slashes; None where the folder has none for it."""


def file_of(path: str) -> str:
    """The file in which the page at an address of the site is kept."""
    return f"{path[1:]}index.html" if path.endswith("/") else path[1:]


def as_file(text: str, path: str, *, site: str, notice: tuple[str, str], find: FindsFile) -> str:
    """The page at an address, as the file `file_of` names, with a notice about the copy on top.

    Of the notice a narrow screen shows the first part.

    Links to the site itself become relative, without their query, or lead nowhere where the folder has nothing for
    them; links elsewhere stay. Forms, scripts that load as modules (no browser loads those from a disk), the ways to
    hand in and sign in, and menus that would have the server draw a board otherwise are taken out.
    """
    here = dirname(file_of(path)) or "."

    def tag(found: re.Match[str]) -> str:
        return f"<{found[1]}{_TARGET.sub(target, found[2])}>"

    def target(found: re.Match[str]) -> str:
        before, name, value = found.groups()
        address = unescape(value)
        if address.startswith("#"):
            return found[0]
        parts = urlsplit(urljoin(f"{site}{path}", address))
        if f"{parts.scheme}://{parts.netloc}" != site:
            return found[0]
        file = None if _asks(parts.path, parts.query) else find(parts.path)
        if file is None:
            return "" if address.startswith(("/", ".", "?")) else found[0]
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f'{before}{name}="{escape(relpath(file, here) + fragment)}"'

    for gone in (_FORM, _MODULE, _BUTTON):
        text = gone.sub("", text)
    text = _NAV.sub(lambda found: _NAV_ENTRY.sub("", found[0]), text)
    text = _MENU.sub(lambda found: "" if 'rel="nofollow"' in found[0] else found[0], text)
    text = _TAG.sub(tag, text)
    first, rest = map(escape, notice)
    banner = f'<aside class="demo" aria-label="About this copy"><strong>{first}</strong> <span>{rest}</span></aside>'
    return _BODY.sub(lambda found: f"{found[0]}\n{banner}", text, count=1)


def _asks(path: str, query: str) -> bool:
    """Whether a query asks the server for something; static files carry their digest in one."""
    return bool(query) and not path.startswith("/static/")
