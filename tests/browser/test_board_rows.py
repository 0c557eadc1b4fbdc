"""A long board is sorted, searched and filtered in the browser, from published files, as the server would show it."""

import datetime as dt

import pytest
from playwright.sync_api import Page, expect

from leaderboard.publication.services import refresh_stale
from perf.boards.large_boards import store_large_release
from tests.conftest import NOW

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SYSTEMS = 450
BOARD = "/benchmarks/toy/"
QUERIES = [
    "q=system+04",
    "q=TEAM+7&sort=team",
    "q=nobody",
    "tag=few-shot",
    "tag=retrieval&tag=corpus+11&q=1",
    "sort=-overall",
    "sort=mood&tag=LoRA",
    "sort=-mood&rows=all",
    "rows=all&page=2",
    "sort=-system&rows=all&page=99",
    "sort=-team&rows=all",  # many systems of a team
    "sort=-colour&rows=all&page=3",  # of which some have no score
]
# What a reader gets of a board: its rows, sentences and menus, and where each link leads.
SEEN = """board => {
  for (const tick of board.querySelectorAll(".tick, .pair")) tick.remove();
  const all = (kind) => [...board.querySelectorAll(kind)];
  const params = (link) => [...new URL(link.href).searchParams].map((pair) => pair.join("=")).join("&");
  return {
    head: board.querySelector("thead").innerText,
    rows: all("tbody tr").map((row) => row.outerHTML.replace(/ (tabindex|data-lines)="[^"]*"/g, "")),
    links: all("a").map((link) => `${link.textContent.trim()} ${params(link)} ${link.ariaCurrent}`),
    form: [...new FormData(board.querySelector("form"))].map((pair) => pair.join("=")),
    said: all(".said, .rest, .menu summary, .note, .key").map((one) => one.textContent.replace(/\\s+/g, " ")),
  };
}"""
SHOW = """address => new Promise((done) => {
  const board = document.getElementById("board"), link = document.createElement("a");
  board.addEventListener("shown", done, { once: true });
  link.href = address;
  board.append(link);
  link.click();
})"""


@pytest.fixture
def asked(page: Page, toy, phase) -> list[str]:
    """The addresses that a page with that board asks for from now on."""
    store_large_release(phase, SYSTEMS, now=NOW.astimezone(dt.UTC))
    refresh_stale()
    page.goto(BOARD)
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url.rpartition("/benchmarks/")[2]))
    return addresses


def test_every_query_shows_here_what_the_server_shows(page, asked):
    for query in QUERIES:
        page.evaluate(SHOW, f"{BOARD}?{query}")
        here = page.locator("#board").evaluate(SEEN)
        assert not [address for address in asked if "?" in address and "/static/" not in address], query
        page.goto(f"{BOARD}?{query}")
        there = page.locator("#board").evaluate(SEEN)
        for part in there:
            assert here[part] == there[part], (query, part)
        page.goto(BOARD)
        asked.clear()


def test_files_are_fetched_once_when_something_is_asked_for_and_not_before(page, asked):
    assert not asked
    page.get_by_label("Search").press_sequentially("system 004", delay=30)
    expect(page.locator(".said")).to_contain_text(f"of {SYSTEMS + 1} rows")
    expect(page.get_by_label("Search")).to_be_focused()
    page.locator(".menu", has_text="Sort").locator("summary").click()
    page.locator(".menu[open] a", has_text="Team").click()
    expect(page.locator(".said")).to_contain_text("Sorted by team")
    expect(page.get_by_role("status").first).to_contain_text("Sorted by team")
    assert page.url.endswith(f"{BOARD}?q=system+004&sort=team#board")
    assert sorted(one for one in asked if ".json" in one) == ["toy-frames.json", "toy-rows.json"]
    assert not [one for one in asked if one.startswith("toy/?")]


def test_what_the_files_cannot_tell_the_server_answers(page, asked):
    page.evaluate(SHOW, f"{BOARD}?q=stra%C3%9Fe")
    expect(page.locator(".said")).to_contain_text("0 of")
    page.evaluate(SHOW, f"{BOARD}?view=columns&sort=mood")
    expect(page.locator(".said")).to_contain_text("Sorted by")
    assert len([one for one in asked if one.startswith("toy/?")]) == 2


def test_without_its_files_a_board_is_sorted_by_the_server(page, asked):
    page.route("**/*-rows.json", lambda route: route.fulfill(status=404, body="no"))
    page.evaluate(SHOW, f"{BOARD}?sort=-overall")
    expect(page.locator(".said")).to_contain_text("worst first")
