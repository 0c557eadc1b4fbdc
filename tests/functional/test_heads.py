"""What search engines, browsers and caches are told of each page: looked at on a site where everything has happened."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from html import unescape
from urllib.parse import urlsplit

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.urls import resolve

from accounts.models import ApiToken
from leaderboard.models import Page
from tests.conftest import person, the_games, the_system, the_toy
from tests.contested import LATER
from tests.pages import browser_of, read
from tests.published import systems_published
from tests.site import ARCHIVED, Site, make_site

MOST = 160  # characters of a description that results of a search show
MADE_ON_REQUEST = ("/benchmarks/toy/compare/", "/search/")


@pytest.fixture(scope="module")
def site(stage: None) -> Site:
    staff = person("staff", is_staff=True, is_superuser=True)
    with time_machine.travel(LATER, tick=False):
        return make_site(toy=the_toy(), games=the_games(), system=the_system(), staff=staff)


@pytest.fixture(autouse=True)
def _later() -> Iterator[None]:
    """It is the hour after all has happened."""
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def pages(site: Site) -> Mapping[str, str]:
    """Every page that is for everybody, by its address; what other sites frame is no page of its own."""
    rows = Page.objects.filter(content_type__startswith="text/html").exclude(path__endswith="/embed/")
    stored = {page.path: bytes(page.body).decode() for page in rows}
    stored |= {path: body.decode() for path, body in systems_published().items() if path.endswith("/")}
    return stored | {address: read(Client().get(address)).decode() for address in MADE_ON_REQUEST}


def every(pattern: str, page: str) -> list[str]:
    return [unescape(found) for found in re.findall(pattern, page)]


def cache_of(address: str) -> str:
    """What caches are told of a file, which is closed again."""
    answer = Client().get(address)
    read(answer)
    answer.close()
    return str(answer.headers["Cache-Control"])


@pytest.mark.thorough
def test_every_public_page_has_a_head_that_is_complete_and_its_own(pages):
    titles: Counter[str] = Counter()
    descriptions: Counter[str] = Counter()
    for address, page in pages.items():
        (title,) = every(r"<title>(.*?)</title>", page.partition("</head>")[0])
        (description,) = every(r'<meta name="description" content="([^"]*)">', page)
        (canonical,) = every(r'<link rel="canonical" href="([^"]*)">', page)
        assert canonical == f"{settings.SITE_URL}{address}"
        assert 20 <= len(description) <= MOST, (address, description)
        assert " ".join(description.split()) == description, address
        assert re.search(r'<html lang="[a-z-]+', page, re.IGNORECASE), address
        assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page, address
        assert len(re.findall(r"<h1[ >]", page)) == 1, address
        if not ARCHIVED.match(address):
            titles[title] += 1
            descriptions[description] += 1

    assert [one for one, count in descriptions.items() if count > 1] == []
    assert [one for one, count in titles.items() if count > 1] == []


def test_a_view_of_a_board_names_the_board_itself(pages):
    found = read(Client().get("/benchmarks/toy/?sort=mood")).decode()

    assert every(r'<link rel="canonical" href="([^"]*)">', found) == [f"{settings.SITE_URL}/benchmarks/toy/"]


def test_public_pages_are_asked_for_again_and_those_of_one_reader_kept_by_nobody(site):
    for address in ("/", "/benchmarks/toy/", "/benchmarks/toy/tasks/mood/", "/benchmarks/toy/releases/1/"):
        answer = Client().get(address)
        assert answer.headers["Cache-Control"].startswith("no-cache,"), address
        assert answer.headers["ETag"], address
    for address in ("/submissions/", "/submit/", "/account/", "/teams/", "/admin/"):
        answer = browser_of(site.staff).get(address, follow=True)
        assert {"private", "no-store"} <= set(answer.headers.get("Cache-Control", "").split(", ")), address


def test_no_cache_keeps_what_a_program_or_a_search_of_somebody_known_is_answered(site):
    token = {"Authorization": f"Token {ApiToken.objects.create(site.staff)[1]}"}
    mine = (
        "/api/v1/me/",
        "/api/v1/teams/",
        "/api/v1/submissions/",
        "/api/v1/benchmarks/",
        "/search/?text=toy",
    )
    for address in mine:
        for answer in (browser_of(site.staff).get(address), Client().get(address, headers=token)):
            assert answer.headers.get("Cache-Control") == "private, no-store", address
    assert "Cache-Control" not in Client().get("/search/?text=toy").headers


def test_nothing_is_kept_unasked_but_static_files_and_the_signed_log(site, pages):
    addresses: dict[tuple[str, object], str] = {}
    for page in pages.values():
        for address in every(r'(?:href|src|content)="([^"#]*)', page):
            path = address.removeprefix(settings.SITE_URL)
            if path.startswith("/") and not path.startswith(("/static/", "/log/")):
                route = resolve(urlsplit(path).path)
                addresses.setdefault((route.view_name, route.func), path)
    assert "leaderboard:card" in {name for name, _ in addresses}
    kept = {address: Client().get(address).headers.get("Cache-Control", "") for address in addresses.values()}

    assert {address: told for address, told in kept.items() if re.search("max-age=[1-9]", told)} == {}


@pytest.mark.django_db
def test_a_static_file_is_kept_for_ever_under_the_digest_of_what_it_holds():
    (address,) = set(
        every(r'href="(/static/heldout\.css\?v=\w+)"', read(Client().get("/accounts/login/")).decode())
    )

    assert "immutable" in cache_of(address)
    for other in (f"{address}0", "/static/heldout.css"):
        assert "immutable" not in cache_of(other)
