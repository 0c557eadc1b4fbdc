"""A benchmark's pages as a folder: every link leads somewhere, nothing needs a server, and an audit finds it whole."""

import hashlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import CommandError, call_command

from leaderboard.publication.services import enter_in_ledger, refresh_stale
from leaderboard.publication.visibility import Visibility, set_visibility
from leaderboard.take_home.site.static_links import as_file
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload
from transparency.keys import KeyRole

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]


class Links(HTMLParser):
    """What a page leads to and loads, what can be led to in it, and elements that need a server."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = {"top", ""}
        self.forms = 0
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.anchors.add(said.get("id", ""))
        self.forms += tag == "form"
        if tag != "link" or said.get("rel") != "canonical":
            self.targets += [said[name] for name in ("href", "src", "xlink:href") if name in said]


@pytest.fixture
def folder(toy, phase, system, signers, tmp_path):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    upload(system, phase, at=CUT_OFF + WEEK / 2)
    run_batch(CUT_OFF + WEEK)
    enter_in_ledger()
    refresh_stale()
    call_command("archive", "toy", str(tmp_path / "toy"))
    return tmp_path / "toy"


def broken_links(folder: Path) -> list[str]:
    pages = {file: Links(file) for file in folder.rglob("*.html") if "published" not in file.parts}
    wrong = []
    for file, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme:
                continue
            goal = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if (
                not goal.is_file()
                or target.startswith("/")
                or parts.query
                or (parts.fragment and goal in pages and parts.fragment not in pages[goal].anchors)
            ):
                wrong.append(f"{file.relative_to(folder)}: {target}")
    return wrong


def test_every_link_of_the_folder_leads_to_a_file_and_nothing_asks_a_server(folder):
    assert broken_links(folder) == []
    board = (folder / "benchmarks/toy/index.html").read_text("utf-8")
    assert "Archived on" in board
    assert not Links(folder / "benchmarks/toy/index.html").forms
    assert 'type="module"' not in board
    for path in ("index.html", "handbook/reading-a-board/index.html", "benchmarks/toy/releases/2/index.html"):
        assert (folder / path).is_file(), path
    assert (folder / "benchmarks/toy/releases/1.csv").is_file()


def test_every_number_leads_to_its_card_in_the_folder(folder, system):
    anchor = str(system.pk)[:8]
    for board in ("benchmarks/toy/index.html", "benchmarks/toy/releases/1/tasks/mood/index.html"):
        cards = [
            target for target in Links(folder / board).targets if f"/provenance/{anchor}/index.html" in target
        ]
        assert cards
    card = folder / f"benchmarks/toy/releases/2/provenance/{anchor}/index.html"
    assert system.name in card.read_text("utf-8")


def test_of_a_private_benchmark_cards_go_along_too(toy, phase, system, staff, tmp_path):
    upload(system, phase)
    run_batch(CUT_OFF)
    set_visibility(benchmark=toy, visibility=Visibility.PRIVATE, by=staff)
    refresh_stale()
    call_command("archive", "toy", str(tmp_path / "toy"))
    assert (tmp_path / f"toy/benchmarks/toy/releases/1/provenance/{str(system.pk)[:8]}/index.html").is_file()


def test_an_audit_of_the_folder_finds_it_whole_and_a_changed_page_in_it(folder, run):
    result = run("audit", folder, "--benchmark", "toy")
    assert (result.exit_code, "2 releases" in result.stdout) == (0, True), result.output
    page = folder / "published/benchmarks/toy/releases/1/index.html"
    page.write_bytes(page.read_bytes().replace(b"Larch", b"Lurch"))
    result = run("audit", folder, "--benchmark", "toy")
    assert result.exit_code != 0
    assert "/benchmarks/toy/releases/1/ is not what entered the log" in result.output


def test_signed_checksums_cover_every_file(folder, run, signers):
    sums = {
        path: digest
        for digest, path in (line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines())
    }
    there = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert there - {"SHA256SUMS", "SHA256SUMS.note"} == sums.keys()
    for path, digest in sums.items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest
    signed = run("checksums", folder, "--key", str(signers[KeyRole.LOG].verifier))
    assert signed.exit_code == 0, signed.output


def test_a_whole_site_has_its_first_page_and_a_full_folder_is_refused(folder, tmp_path):
    call_command("archive", str(tmp_path / "site"), "--all")
    assert broken_links(tmp_path / "site") == []
    assert "benchmarks/toy/index.html" in (tmp_path / "site/index.html").read_text("utf-8")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("archive", str(tmp_path / "site"), "--all")


def test_a_whole_site_leaves_out_what_strangers_are_to_learn_nothing_of(folder, toy, staff, tmp_path):
    set_visibility(benchmark=toy, visibility=Visibility.PRIVATE, by=staff)
    call_command("archive", str(tmp_path / "site"), "--all")
    files = [file for file in (tmp_path / "site").rglob("*") if file.is_file()]
    assert files
    assert not [file for file in files if "/toy" in str(file.relative_to(tmp_path))]
    assert not [file for file in files if b"Larch" in file.read_bytes() and file.parent.name != "log"]


def test_links_become_relative_lead_nowhere_or_stay():
    page = (
        '<body class="x"><a href="/a/?sort=b#board">S</a><a href="../c/#d">C</a><a href="https://x.example/">X</a>'
        '<a href="#e">E</a><form method="get"><input name="q"></form><link href="/static/a.css?v=1">'
    )
    files = {"/a/c/": "a/c/index.html", "/static/a.css": "static/a.css"}
    made = as_file(
        page, "/a/b/", site="https://s.example", notice=("Kept.", "From elsewhere."), find=files.get
    )
    assert (
        '<a>S</a><a href="../c/index.html#d">C</a><a href="https://x.example/">X</a><a href="#e">E</a>'
        in made
    )
    assert made.endswith('<link href="../../static/a.css">')
    assert "Kept." in made
    assert "<form" not in made


def test_what_only_a_server_does_is_not_offered():
    page = (
        '<body><nav aria-label="Main"><a href="/">All</a><a href="/submit/">Submit</a></nav>'
        '<a class="btn" href="/submit/?benchmark=b">Submit</a>'
        '<details class="menu"><summary>Sort</summary><div><a href="./#board" rel="nofollow">Rank</a></div></details>'
        '<details class="menu"><summary>Export</summary><div><a href="/b.csv">CSV</a></div></details>'
    )
    made = as_file(
        page, "/", site="https://s.example", notice=("Kept.", ""), find=lambda path: path[1:] or "index.html"
    )
    assert "Submit" not in made
    assert "Sort" not in made
    assert '<a href="b.csv">CSV</a>' in made
