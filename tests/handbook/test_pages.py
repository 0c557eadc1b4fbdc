"""Every page of the handbook opens, its links lead somewhere, and it says what docs/ says."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client

from handbook.anchors import anchor
from handbook.glossary import terms
from handbook.manuscript import read_manuscript
from handbook.shelf import ROOT, docs, stems

pytestmark = pytest.mark.thorough

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
ADDRESSES = [ROOT + key for key in stems()] + [ROOT + "api/addresses/"]
EXPLAINED = """
labels-public cut-off release phase edition official-order resamples exchange-test borda copeland kendalls-tau
ei-reg se16 bits commitment slot protected sealed provisional minimal-pairs interval surely-ahead could-be-chance tie
corrected-range tries luck
"""
USED = re.compile(r'\{% term "([^"]+)"')


class _Links(HTMLParser):
    """Addresses that a page links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and tag == "a" and value:
                self.links.append(value)
            if name == "id" and value:
                self.anchors.append(value)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    browser = Client()
    return {address: browser.get(address).content.decode() for address in ADDRESSES}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_opens_with_one_title(address, pages):
    assert pages[address].count("<h1") == 1


@pytest.mark.parametrize("address", ADDRESSES)
def test_anchors_of_a_page_are_its_own(address, pages):
    anchors = _Links(pages[address]).anchors
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("address", ADDRESSES)
def test_links_within_the_handbook_lead_to_a_heading_that_is_there(address, pages):
    anchors = {other: set(_Links(text).anchors) for other, text in pages.items()}
    for link in _Links(pages[address]).links:
        path, _, fragment = link.partition("#")
        path = path or address
        if path.startswith(ROOT):
            assert path in anchors, link
            assert not fragment or fragment in anchors[path], link


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_link_leads_to_a_file_of_the_repository(address, pages):
    assert not [link for link in _Links(pages[address]).links if ".md" in link or link.startswith(".")]


def test_every_file_of_docs_is_a_page():
    files = {str(file.relative_to(docs()).with_suffix("")) for file in docs().rglob("*.md")}
    assert files == set(stems().values())


def test_what_a_file_says_stands_on_its_page(pages):
    said = "The second line checks the saved copy again, without a network."
    assert said in " ".join((docs() / "handbook" / "checking.md").read_text("utf-8").split())
    assert said in " ".join(pages["/handbook/checking/"].split())


def test_raw_html_is_shown_and_not_obeyed():
    body = read_manuscript("# A\n\n<script>alert(1)</script>", "a.md", str, str).body
    assert "<script>" not in body


def test_every_term_of_the_templates_is_in_the_glossary(pages):
    anchors = set(_Links(pages["/handbook/glossary/"]).anchors)
    used = {name for file in TEMPLATES.rglob("*.html") for name in USED.findall(file.read_text("utf-8"))}
    assert used
    assert {anchor(name) for name in used} <= anchors


def test_a_term_has_words_that_explain_it():
    assert [name for name, words in terms().items() if len(words) < 20] == []


@pytest.mark.parametrize("name", EXPLAINED.split())
def test_the_glossary_explains(name):
    assert name in terms()


def test_a_page_is_sent_once_to_whoever_keeps_it(client):
    first = client.get("/handbook/how-sure/")
    again = client.get("/handbook/how-sure/", HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_a_compressed_page_is_sent_once_too(client):
    first = client.get("/handbook/how-sure/", HTTP_ACCEPT_ENCODING="gzip")
    assert first["Content-Encoding"] == "gzip"
    again = client.get("/handbook/how-sure/", HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH=first["ETag"])
    assert again.status_code == 304


def test_what_is_no_page_is_not_found(client, db):
    assert client.get("/handbook/none/").status_code == 404
    assert client.get("/handbook/../settings/").status_code == 404


def test_the_image_of_the_server_has_every_folder_that_pages_come_from():
    allowed = {
        line[1:]
        for line in (TEMPLATES.parent / ".dockerignore").read_text("utf-8").splitlines()
        if line[0] == "!"
    }
    packages = {path.parent.name for path in TEMPLATES.parent.glob("*/__init__.py")} - {
        "deploy",
        "perf",
        "tests",
    }
    assert packages | {"docs", "templates", "static"} <= allowed


def test_the_site_is_searched_with_its_handbook(client, db):
    page = client.get("/search/?q=whisker+copeland+duels").content.decode()
    assert "Nothing published" in page
    page = client.get("/search/?q=kendall").content.decode()
    assert "/handbook/glossary/#kendalls-tau" in page
