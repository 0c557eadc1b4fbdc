"""A Markdown file of docs/ as HTML: headings with anchors, links between files as links between pages.

Raw HTML is not read. A quotation is a note beside the text. What is too wide scrolls by itself.
"""

import posixpath
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from handbook.anchors import anchor

AddressOf = Callable[[str], str]
"""The address of the page made of a file of docs/, such as `adr/0001-x.md`; empty where there is none."""
PictureOf = Callable[[str], str]
"""The text of an SVG file of docs/."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its level (1 to 6) and its anchor, and the plain words from it to the next one."""

    level: int
    title: str
    anchor: str
    words: str


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A file as it is shown: `title` is its first heading, `lead` its first paragraph in plain words."""

    title: str
    lead: str
    body: SafeString
    headings: tuple[Heading, ...]


def read_manuscript(text: str, file: str, address_of: AddressOf, picture: PictureOf) -> Manuscript:
    """The Markdown of `file` (its path in docs/) as HTML; `picture` reads the pictures that it shows.

    Raises
    ------
    ValueError
        If the file does not begin with a heading of the first level.
    """
    tokens = MARKDOWN.parse(text)
    if not tokens or tokens[0].tag != "h1":
        raise ValueError(f"docs/{file} must begin with a heading of the first level, “# …”.")
    headings = name_headings(tokens)
    _link(tokens, file, address_of)
    _draw(tokens, file, picture)
    name_regions(tokens)
    lead = next(
        (token.content for token in tokens if token.type == "inline" and token.content != headings[0].title),
        "",
    )
    body = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return Manuscript(
        headings[0].title,
        _plain(MARKDOWN.parseInline(lead)),
        SafeString(body),  # made by the renderer from files of this repository, raw HTML switched off
        tuple(headings),
    )


def inline_html(text: str) -> SafeString:
    """One paragraph of Markdown without the paragraph around it."""
    body: str = MARKDOWN.renderInline(text)
    return SafeString(body)  # raw HTML is switched off


def _plain(tokens: Sequence[Token]) -> str:
    """The words of inline tokens, without marks."""
    words = []
    for token in tokens:
        for part in token.children or ():
            words.append(" " if part.type in ("softbreak", "hardbreak") else part.content)
    return "".join(words)


def name_headings(tokens: list[Token]) -> list[Heading]:
    """All headings; sets their `id`, a second one of the same words with a number behind."""
    used: Counter[str] = Counter()
    headings: list[Heading] = []
    words: list[str] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            if headings:
                headings[-1] = _with_words(headings[-1], words)
            words = []
            title = _plain([tokens[at + 1]])
            name = anchor(title)
            used[name] += 1
            if used[name] > 1:
                name = f"{name}-{used[name] - 1}"
            token.attrSet("id", name)
            headings.append(Heading(int(token.tag[1]), title, name, ""))
        elif token.type == "inline" and tokens[at - 1].type != "heading_open":
            words.append(_plain([token]))
        elif token.type in ("fence", "code_block"):
            words.append(token.content)
    if headings:
        headings[-1] = _with_words(headings[-1], words)
    return headings


def _with_words(heading: Heading, words: Sequence[str]) -> Heading:
    return Heading(heading.level, heading.title, heading.anchor, " ".join(" ".join(words).split()))


def _link(tokens: Sequence[Token], file: str, address_of: AddressOf) -> None:
    """Turn links to other files into links to their pages; what has no page becomes plain words."""
    for token in tokens:
        open_links: list[Token] = []
        for part in token.children or ():
            if part.type == "link_open":
                open_links.append(part)
                target = _target(str(part.attrGet("href")), file, address_of)
                part.attrSet("href", target) if target else make_plain(part)
            elif part.type == "link_close" and open_links.pop().hidden:
                make_plain(part)


def _target(href: str, file: str, address_of: AddressOf) -> str:
    if href.startswith(("#", "/", "https://", "http://", "mailto:")):
        return href
    path, hash_sign, fragment = href.partition("#")
    address = address_of(posixpath.normpath(posixpath.join(posixpath.dirname(file), path)))
    return address + hash_sign + fragment if address else ""


def _draw(tokens: Sequence[Token], file: str, picture: PictureOf) -> None:
    """Put pictures into the page itself, so that its stylesheet gives them the reader's colours."""
    for token in tokens:
        for part in token.children or ():
            if part.type == "image":
                path = posixpath.normpath(posixpath.join(posixpath.dirname(file), str(part.attrGet("src"))))
                part.meta["drawing"] = picture(path)


def make_plain(part: Token) -> None:
    part.type, part.tag, part.hidden = "text", "", True


def name_regions(tokens: Sequence[Token]) -> None:
    """Tell tables and blocks of code which section they stand in: it names what can be scrolled."""
    section = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            section = _plain([tokens[at + 1]])
        elif token.type in ("table_open", "fence", "code_block"):
            token.meta["section"] = section


def _table_open(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return format_html(
        '<div class="scroll" tabindex="0" role="region" aria-label="Table: {}, {}"><table class="plain">\n',
        tokens[at].meta["section"],
        _number(tokens, at, "table_open"),
    )


def _table_close(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def _code(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return format_html(
        '<pre tabindex="0" role="group" aria-label="Code: {}">{}</pre>\n',
        tokens[at].meta["section"],
        tokens[at].content,
    )


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    named = format_html('<svg class="figure" role="img" aria-label="{}" ', tokens[at].content)
    drawing: str = tokens[at].meta["drawing"]
    return drawing.replace("<svg ", named, 1)


def _note_open(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return '<div class="beside-text" role="note">\n'


def _note_close(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</div>\n"


def _head_cell(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """An empty head is no head."""
    return '<th scope="col">' if tokens[at + 1].content else "<td>"


def _head_cell_close(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</th>\n" if tokens[at - 1].content else "</td>\n"


def _number(tokens: Sequence[Token], at: int, kind: str) -> int:
    """Which of its kind a token is, from 1."""
    return sum(token.type == kind for token in tokens[: at + 1])


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    for name, rule in {
        "table_open": _table_open,
        "table_close": _table_close,
        "th_open": _head_cell,
        "th_close": _head_cell_close,
        "fence": _code,
        "code_block": _code,
        "image": _image,
        "blockquote_open": _note_open,
        "blockquote_close": _note_close,
    }.items():
        markdown.add_render_rule(name, rule)
    return markdown


MARKDOWN = _markdown()
