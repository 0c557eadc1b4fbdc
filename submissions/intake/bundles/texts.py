"""Texts of a bundle: decoded, and HTML made Markdown. What a page shows is made safe where it is drawn."""

import re
from html.parser import HTMLParser

_BLOCKS = {
    "p",
    "div",
    "section",
    "article",
    "table",
    "ul",
    "ol",
    "pre",
    "blockquote",
    "tr",
    "header",
    "footer",
    "center",
}
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "tt": "`"}
_SILENT = {"script", "style", "head", "title", "template", "noscript", "iframe", "object"}
_OPEN = re.compile(r"<(?=!--|!\[|[^<>]*(?:<|\Z))")
_DEEPEST_LIST = 12
_HEADING = re.compile(r"h([1-6])")
_IS_HTML = re.compile(r"<(!doctype|html|h[1-6]|p|div|ul|ol|table|br|a|strong|span)\b[^<>]*>", re.IGNORECASE)
_WINDOWS = re.compile(rb"[\x80-\x9f]")  # control characters in Latin-1, quotes and dashes in Windows-1252
_SPECIAL = re.compile(r"([\\`*_\[\]<>#])")


def decoded(data: bytes) -> tuple[str, str]:
    """The text, and the encoding that it was read in: UTF-8; else UTF-16 by its mark, Windows-1252, or Latin-1."""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    is_windows = _WINDOWS.search(data) is not None
    for encoding, name in (
        ("utf-8-sig", "UTF-8"),
        *((("utf-16", "UTF-16"),) if is_wide else ()),
        *((("cp1252", "Windows-1252"),) if is_windows else ()),
    ):
        try:
            return data.decode(encoding), name
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "Latin-1"


def looks_like_html(text: str) -> bool:
    return _IS_HTML.search(text) is not None


def as_markdown(html: str) -> str:
    """HTML as Markdown: headings, paragraphs, lists, emphasis, links. Scripts, styles and frames are dropped."""
    return _written(html, marks=True)


def as_plain(text: str) -> str:
    """HTML as plain text with blank lines between paragraphs; other text as it is."""
    if not looks_like_html(text):
        return _tidy(text)
    return _written(text, marks=False)


def _written(html: str, *, marks: bool) -> str:
    writer = _Writer(marks=marks)
    writer.feed(_closed(html))
    writer.close()
    return writer.text()


def _closed(html: str) -> str:
    """The same without comments, and with what looks like a tag and does not end as text.

    For the end of each of those Python's parser reads all that follows: minutes for a page of a hundred kilobytes.
    """
    parts, at = [], 0
    while (begin := html.find("<!--", at)) >= 0 and (end := html.find("-->", begin)) >= 0:
        parts.append(html[at:begin])
        at = end + len("-->")
    return _OPEN.sub("&lt;", "".join((*parts, html[at:])))


class _Writer(HTMLParser):
    def __init__(self, *, marks: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._marks, self._out, self._silent = marks, [""], 0
        self._lists: list[str] = []
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        elif self._silent:
            return
        elif tag == "a":
            href = re.sub(r"[\s<>]", "", next((value or "" for name, value in attrs if name == "href"), ""))
            self._links.append(href if href.startswith(("http://", "https://", "mailto:")) else "")
            self._out.append("[" if self._marks and self._links[-1] else "")
        elif tag in _BLOCKS:
            self._out.append("\n\n" if not self._lists or tag in ("ul", "ol") else "\n")
            self._lists += [tag] if tag in ("ul", "ol") else []
        else:
            self._out.append(self._before(tag))

    def _before(self, tag: str) -> str:
        """What stands before the words of a heading, an entry, a cell or words that are marked."""
        if heading := _HEADING.fullmatch(tag):
            return "\n\n" + ("#" * int(heading[1]) + " " if self._marks else "")
        if tag == "li":
            depth, kind = len(self._lists[1:_DEEPEST_LIST]), (self._lists or ["ul"])[-1]
            return "\n" + "  " * depth + ("1. " if kind == "ol" else "- ")
        if tag == "br":
            return "  \n" if self._marks else "\n"
        return " " if tag in ("td", "th") else _MARKS.get(tag, "") if self._marks else ""

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(self._silent - 1, 0)
        elif self._silent:
            return
        elif tag == "a" and self._links:
            if href := self._links.pop():
                self._out.append(f"](<{href}>)" if self._marks else f" ({href})")
        elif tag in _MARKS:
            self._out.append(_MARKS[tag] if self._marks else "")
        elif _HEADING.fullmatch(tag) or (tag in _BLOCKS and not self._lists):
            self._out.append("\n\n")
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            self._out.append("\n\n" if not self._lists else "\n")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        words = re.sub(r"\s+", " ", data)
        if words == " " and (not self._out[-1] or self._out[-1].endswith("\n")):
            return
        self._out.append(_SPECIAL.sub(r"\\\1", words) if self._marks else words)

    def text(self) -> str:
        joined = "".join(self._out)
        for mark in ("**", "`"):
            joined = joined.replace(mark * 2, "")
        return _tidy(joined)


def _tidy(text: str) -> str:
    lines = [line.rstrip(" ") if not line.endswith("  ") else line for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
