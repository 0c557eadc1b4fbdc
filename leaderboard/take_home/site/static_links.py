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
_MENU = re.compile(r'<details class="menu"[^>]*>.*?</details>\s*', re.DOTALL)
_BODY = re.compile(r"<body[^>]*>")

FindsFile = Callable[[str], str | None]
"""From an address of the site to a file's path in the folder, with slashes; None where the folder has none for it."""


def file_of(path: str) -> str:
    """The file in which the page at an address of the site is kept."""
    return f"{path[1:]}index.html" if path.endswith("/") else path[1:]


def as_file(text: str, path: str, *, site: str, notice: str, find: FindsFile) -> str:
    """The page at an address, as the file `file_of` names, with a sentence about the copy on top.

    Links to the site itself become relative, without their query, or lead nowhere where the folder has nothing for
    them; links elsewhere stay. Forms, scripts that load as modules (no browser loads those from a disk), and menus
    without a link left are taken out.
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

    text = _TAG.sub(tag, _MODULE.sub("", _FORM.sub("", text)))
    text = _MENU.sub(lambda found: found[0] if " href=" in found[0] else "", text)
    banner = f'<aside class="demo" aria-label="About this copy"><span>{escape(notice)}</span></aside>'
    return _BODY.sub(lambda found: f"{found[0]}\n{banner}", text, count=1)


def _asks(path: str, query: str) -> bool:
    """Whether a query asks the server for something; static files carry their digest in one."""
    return bool(query) and not path.startswith("/static/")
