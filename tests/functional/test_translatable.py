"""Every text that people read can be translated: a language that puts it into ⟦brackets⟧ leaves none outside."""

from __future__ import annotations

import ast
import calendar
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import pytest
import time_machine
from django.apps import apps
from django.conf.locale import LANG_INFO
from django.db.models import CharField, FileField, JSONField, TextField

from tests.contested import LATER
from tests.pages import browser_of, read, text_of
from tests.post import sent
from tests.site import Site, make_site
from tests.translation import (
    LANGUAGE,
    LETTERS,
    ROOT,
    raw_texts,
    templates,
    visible,
    without_marked,
    write_catalogue,
)

# Names, which are the same in every language.
NAMES = {"Heldout", "SVG", "CSV", "JSON", "LaTeX", "Markdown", "BibTeX", "OpenAPI", "UTC", "GitHub", "ORCID"}
# Its attributes are put together by tags, and it holds numbers alone.
UNREADABLE = {"_time.html"}
# What stays English for now, see docs/adr/0015: packages without Django, and what is frozen in releases.
IN_FORMS = ("benchmarks/spec/**/*.py",)
IN_ENGLISH = (
    *IN_FORMS,
    *(f"{name}/**/*.py" for name in ("submissions/intake", "scoring/core", "leaderboard/board")),
    *(
        f"leaderboard/{name}.py"
        for name in ("boards", "breaking", "human", "item_table", "robustness", "values")
    ),
)
# Pages of the admin and the API are not walked; the style guide shows samples; items are printed by the board package.
OTHERS = re.compile("/admin/|/api/|/styleguide/|.*/items/.+/.")
# Tables that hold what the site has written itself, not what people have.
OWN_TABLES = {
    *(
        "accounts.Mail",
        "accounts.AuditEntry",
        "admin.LogEntry",
        "auth.Permission",
        "contenttypes.ContentType",
    ),
    *("leaderboard.Page", "sessions.Session"),
}
ADDRESS = r"https?://\S+|[\w.-]+@[\w.-]+"
HASH = r"\b[0-9a-f]{8}\b"
FORMS: tuple[tuple[str, bool, dict[str, str]], ...] = (
    ("/accounts/login/", False, {"login": "nobody@example.org", "password": "wrong"}),
    ("/accounts/signup/", False, {"email": "nobody", "password1": "short"}),
    ("/accounts/password/reset/", False, {"email": ""}),
    (
        "/accounts/password/change/",
        True,
        {"oldpassword": "wrong", "password1": "short", "password2": "other"},
    ),
    ("/teams/new/", True, {"name": ""}),
    ("/systems/new/", True, {"name": "", "paper_url": "no address"}),
    ("/submit/", True, {}),
)


def test_no_template_says_anything_but_through_a_translation():
    raw = {name: raw_texts(name) for name in templates() if name.endswith(".html") and name not in UNREADABLE}

    problems = {
        name: rest for name, texts in raw.items() if (rest := [text for text in texts if not _is_name(text)])
    }
    assert problems == {}


def _is_name(text: str) -> bool:
    return all(word in NAMES for word in re.findall(r"\w+", text) if LETTERS.search(word))


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("locale")
    write_catalogue(folder)
    return folder


@pytest.fixture
def _marked(settings, monkeypatch, catalogue) -> None:
    """The whole server speaks the marked language."""
    monkeypatch.setitem(LANG_INFO, LANGUAGE, {"bidi": False, "code": LANGUAGE, "name": "", "name_local": ""})
    settings.LANGUAGES = [(LANGUAGE, LANGUAGE)]
    settings.LOCALE_PATHS = [catalogue]
    settings.LANGUAGE_CODE = LANGUAGE


@pytest.mark.usefixtures("_marked")
def test_pages_and_mails_can_be_read_in_another_language(toy, games, fact_lists, system, staff):
    with time_machine.travel(LATER, tick=False):
        site = make_site(toy=toy, games=games, system=system, staff=staff)
        pages = _pages(site)
        letters = {mail.subject: f"{mail.subject}\n{mail.body}" for mail in sent()}
        data = _known(_data(), _texts_of(IN_FORMS))
        printed = _known(_data(), _texts_of(IN_ENGLISH), calendar.day_name)

    left = {
        address: _rest(visible(page), printed if _is_public(address) else data)
        for address, page in pages.items()
    } | {subject: _rest(without_marked(text).splitlines(), data) for subject, text in letters.items()}
    assert letters
    assert {name: texts for name, texts in left.items() if texts} == {}


@pytest.mark.parametrize(("address", "is_signed_in", "values"), FORMS, ids=[address for address, *_ in FORMS])
@pytest.mark.usefixtures("_marked", "phase", "system")
def test_what_is_wrong_with_a_form_is_told_in_another_language(owner, team, address, is_signed_in, values):
    page = text_of(browser_of(owner if is_signed_in else None).post(address, values))

    assert 'class="errors' in page
    assert _rest(visible(page), _known(_data())) == []


def _pages(site: Site) -> dict[str, str]:
    """Everything that a participant can open, by its address."""
    browser = browser_of(site.owner)
    browser.raise_request_exception = False
    answers = {address: browser.get(address) for _, address in site.addresses() if not OTHERS.match(address)}
    bodies = {address: read(answer) for address, answer in answers.items()}
    return {address: body.decode() for address, body in bodies.items() if _is_page(answers[address])}


def _is_page(answer: Any) -> bool:
    is_html = answer.headers.get("Content-Type", "").startswith("text/html")
    return is_html and answer.status_code not in (301, 302)


def _is_public(address: str) -> bool:
    return address == "/" or address.startswith(("/benchmarks/", "/systems/", "/search/"))


def _rest(texts: Iterable[str], known: re.Pattern[str]) -> list[str]:
    """What nobody translates, of these texts, without what is known to stay."""
    left = (known.sub("", without_marked(text)).strip() for text in texts)
    return [text for text in left if not _is_name(text)]


def _known(*kinds: Iterable[str]) -> re.Pattern[str]:
    texts = {text.strip() for kind in kinds for text in kind if LETTERS.search(text)}
    longest_first = sorted(texts, key=lambda text: (-len(text), text))
    whole = (rf"\b{re.escape(text)}" if text[0].isalnum() else re.escape(text) for text in longest_first)
    ended = (rf"{text}\b" if text[-1].isalnum() else text for text in whole)
    return re.compile("|".join((ADDRESS, HASH, *ended)), re.IGNORECASE)


def _data() -> Iterator[str]:
    """Every text in the database but choices, what is about the site itself, and the names of time zones."""
    for model in apps.get_models():
        if model._meta.label not in OWN_TABLES:
            names = [f.attname for f in model._meta.concrete_fields if not f.choices and _holds_text(f)]
            for row in model._default_manager.values_list(*names):
                yield from (text for value in row for text in _texts_in(value))
    yield from (part.replace("_", " ") for zone in available_timezones() for part in zone.split("/"))


def _holds_text(field: Any) -> bool:
    return isinstance(field, CharField | TextField | FileField | JSONField)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _texts_in(one)
    elif value:
        for line in str(value).splitlines():
            yield from (line, *re.split(ADDRESS, line))


def _texts_of(places: Iterable[str]) -> Iterator[str]:
    """The texts that stand in these modules."""
    for path in (path for place in places for path in ROOT.glob(place)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from (node.value.replace("_", " "), *re.split("<[^>]*>", node.value))
