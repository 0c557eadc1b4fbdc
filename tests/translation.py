"""A language made in tests: every text that can be translated stands in ⟦brackets⟧, so what cannot be is seen."""

from __future__ import annotations

import ast
import gettext
import re
import struct
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.template.base import Lexer, TokenType
from django.template.loader import get_template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation.trans_real import CONTEXT_SEPARATOR

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
APPS = ("accounts", "benchmarks", "breaking", "config", "leaderboard", "scoring", "submissions")
LANGUAGE = "tlh"  # one that neither Django nor any other package has a catalogue for
CALLS = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy"}
READ = {"alt", "aria-label", "placeholder", "title"}
SILENT = ("code", "pre", "script", "style", "svg")
LETTERS = re.compile(r"[^\W\d_]{2}")
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
NO_TEXT = re.compile(
    r"{% comment %}.*?{% endcomment %}|{% blocktranslate.*?{% endblocktranslate %}|{% block main_class %}\w*",
    re.DOTALL,
)
_HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"

Message = tuple[str, bool]
"""A text to translate, and whether it has a plural."""


def templates(root: Path = TEMPLATES) -> Iterator[str]:
    """The name of every template in the folder."""
    return (str(path.relative_to(root)) for path in sorted(root.rglob("*")) if path.is_file())


def write_catalogue(folder: Path) -> None:
    """The language as a folder for LOCALE_PATHS. Each text is itself between ⟦ and ⟧."""
    texts = {"": _HEADER}
    for text, is_plural in _messages():
        marked = f"⟦{text.rpartition(CONTEXT_SEPARATOR)[2]}⟧"
        texts[f"{text}\0" if is_plural else text] = f"{marked}\0{marked}" if is_plural else marked
    path = folder / LANGUAGE / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(_compiled(texts))


def _compiled(texts: Mapping[str, str]) -> bytes:
    """A GNU .mo file: a head, two tables of lengths and places, and the texts in the order of their ids."""
    pairs = sorted((one.encode(), other.encode()) for one, other in texts.items())
    count, at = len(pairs), 28 + 16 * len(pairs)
    tables, body = [b"", b""], b""
    for side in (0, 1):
        for pair in pairs:
            tables[side] += struct.pack("<II", len(pair[side]), at + len(body))
            body += pair[side] + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 0) + tables[0] + tables[1] + body


def _messages() -> set[Message]:
    unfold = Path(apps.get_app_config("unfold").path)
    found = set(_of_packages()) | set(_of_code(unfold, "unfold"))
    for name in (*templates(), *templates(unfold / "templates")):
        if "crispy" not in name:  # for a package that is not installed
            found |= set(_of_template(name))
    for app in APPS:
        found |= set(_of_code(ROOT / app, app))
    return found


def _of_template(name: str) -> Iterator[Message]:
    nodes = get_template(name).template.nodelist  # type: ignore[attr-defined]  # Django's own backend has it
    for one in nodes.get_nodes_by_type(TranslateNode):
        yield str(one.filter_expression.var.literal).replace("%", "%%"), False
    for block in nodes.get_nodes_by_type(BlockTranslateNode):
        yield block.render_token_list(block.singular)[0], False
        if block.plural:
            yield block.render_token_list(block.singular)[0], True


def _of_code(folder: Path, app: str) -> Iterator[Message]:
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
                text = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                assert isinstance(text, str) or app == "unfold", f"{path}:{node.lineno}: no plain text"
                yield str(text), node.func.id.startswith("n")


def _of_packages() -> Iterator[Message]:
    folders = (Path(django.__file__).parent / "conf", *(Path(app.path) for app in apps.get_app_configs()))
    for catalogue in (folder / "locale" / "de" / "LC_MESSAGES" / "django.mo" for folder in folders):
        if catalogue.is_file():
            with catalogue.open("rb") as file:
                keys: Any = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # no public way
            yield from ((key, False) if isinstance(key, str) else (key[0], True) for key in keys if key)


def raw_texts(name: str) -> list[str]:
    """What a template says without asking for a translation: in text, and in attributes that are read out."""
    source = NO_TEXT.sub("", (TEMPLATES / name).read_text(encoding="utf-8"))
    literals = re.findall(r"\|default(?:_if_none)?:\"([^\"]*)\"", source)
    pieces = (
        token.contents if token.token_type == TokenType.TEXT else "" for token in Lexer(source).tokenize()
    )
    return [text for text in (*visible("".join(pieces)), *literals) if LETTERS.search(text)]


class _Page(HTMLParser):
    """Text nodes, and attributes that are read, in their order. Code and changed sentences are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: list[str] = []
        self._closed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [value for name, value in attrs if name in READ and value]
        if tag in SILENT or ("class", "change") in attrs:
            self._closed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._closed and tag == self._closed[-1]:
            self._closed.pop()

    def handle_data(self, data: str) -> None:
        if not self._closed:
            self.found.append(data)


def visible(page: str) -> list[str]:
    """The texts of an HTML page, those of attributes last; what stands in ⟦⟧ is left out."""
    reader = _Page()
    reader.feed(page)
    texts = without_marked("\n".join(reader.found)).split("\n")
    for value in reader.attributes:
        texts += without_marked(value).split("\n")
    return [text.strip() for text in texts if text.strip()]


def without_marked(text: str) -> str:
    """The text without what stands in ⟦⟧, also within each other."""
    while MARKED.search(text):
        text = MARKED.sub("", text)
    return text
