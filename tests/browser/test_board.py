"""A board of many systems in a browser: sorted, searched and folded on the spot, small over the wire, and still."""

import gzip
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from leaderboard.board.model.board import Board, Chance
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from tests.browser.stored_boards import COLUMNS, large_board, store_release
from tests.conftest import NOW, TOY_DEFINITION
from tests.weeks import CUT_OFF, HALF_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SYSTEMS = 200
MOST_WORDS, MOST_LINKS, SHORTEST_WHISKER = 500, 70, 8  # of a board of eight rows, and in pixels on a phone
FIRST_VIEW = 100_000  # bytes over the wire, compressed: page, stylesheet, scripts
BOARD = "/benchmarks/toy/"
COLUMNS_OF = f"{BOARD}?view=columns"
STATIC = ("heldout.css", "heldout.js", "board.js", "cells.js")
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });
"""
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def board(toy: Benchmark, phase: Phase) -> Board:
    made = large_board(phase, SYSTEMS)
    store_release(made, phase)
    refresh_stale()
    return made


def top_of_first_row(page) -> float:
    found: float = page.locator(".ranking tbody tr").first.evaluate("row => row.getBoundingClientRect().top")
    return found


def names(page) -> list[str]:
    return page.locator(".board tbody th a, .board tbody th").evaluate_all(
        "heads => heads.map(head => head.firstChild.textContent)"
    )


@pytest.mark.parametrize("width", [390, 1440])
def test_where_a_published_figure_is_from_is_read_to_its_end(open_window, toy, phase, width):
    source = "five synthetic annotators of 2,250 responses each, Tables 6 and 9"
    made = large_board(phase, 8)
    human = made.rows[0]._replace(system="People", team="", kind=RowKind.HUMAN, source=source, rank=None)
    store_release(replace(made, rows=(human, *made.rows[1:])), phase)
    refresh_stale()
    page = open_window(width)
    page.goto(BOARD)
    shown = page.get_by_text(source)
    expect(shown).to_be_visible()
    assert shown.evaluate("one => one.scrollWidth <= one.clientWidth"), "no part of it is cut off"


def test_first_view_of_a_large_board_is_small_and_still(open_window, board, settings):
    body = bytes(Page.objects.get(pk=BOARD).stored.packed)
    files = [(settings.BASE_DIR / "static" / name).read_bytes() for name in STATIC]
    assert len(body) + sum(len(gzip.compress(one)) for one in files) < FIRST_VIEW
    page, asked = open_window(360), set()
    page.on("request", lambda request: asked.add(urlsplit(request.url).path))
    page.add_init_script(WATCH)
    for width in (360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(BOARD)
        page.mouse.wheel(0, 2000)
        page.locator(".foot").scroll_into_view_if_needed()
        page.evaluate(TWO_FRAMES)
        assert page.evaluate("window.shifts") == [], width
    assert asked <= {BOARD, *(f"/static/{name}" for name in STATIC), "/static/favicon.svg"}


@pytest.mark.parametrize(("width", "at_most"), [(1440, 360), (390, 520)])
def test_the_first_row_stands_in_the_first_view(open_window, board, width, at_most):
    page = open_window(width)
    page.goto(BOARD)
    assert top_of_first_row(page) <= at_most


@pytest.mark.parametrize(("width", "at_most"), [(1440, 360), (390, 520)])
def test_what_is_told_beside_a_ranking_keeps_its_first_row_in_the_first_view(
    open_window, phase, sync, width, at_most
):
    """As on the boards of the five papers: a summary of two lines, brackets, changed labels, and a closed phase."""
    summary = "Is a sentence positive or negative, which of its words answer a question, and does a system notice it?"
    sync(TOY_DEFINITION.replace("Two small tasks.", summary))
    Phase.objects.update(closes_at=NOW)
    chance = Chance(1000, ((1, 2), (2, 3), (3, 4), (4, 5)), 0.1)
    made = large_board(phase, 8)
    rows = tuple(row._replace(ahead_of=()) for row in made.rows)
    gold: dict[str, object] = {"since": 1, "board": "Toy", "sets": [], "systems": []}
    store_release(replace(made, chance=chance, rows=rows), phase, reports={"gold": gold})
    refresh_stale()

    page = open_window(width)
    page.goto(BOARD)

    for words in (summary, "Gold labels have changed", "closed", "The order of places 1 to 2"):
        assert words in page.locator("main").inner_text()
    assert top_of_first_row(page) <= at_most
    assert page.locator("body").evaluate("body => body.innerText.split(/\\s+/).length") <= MOST_WORDS
    assert page.locator("a").count() <= MOST_LINKS
    # An interval of 4 hundredths of the score on an axis from 0 to 1: two pixels on the bars of before.
    whisker = page.locator(".ranking tbody .w").first.evaluate("line => line.getBoundingClientRect().width")
    assert whisker >= SHORTEST_WHISKER
    assert "±" in page.locator(".ranking tbody tr").first.inner_text()
    assert page.locator(".ranking tbody .brk").count() > 0, "what chance cannot order is bracketed"


@pytest.fixture
def declared(toy, phase):
    """The address of a board with what teams declare in columns beside the picture."""
    facts = DeclaredFacts(parameters=7 * 10**9, weights="open", training_data="given", examples=50, cost=12.5)
    made = large_board(phase, 8)
    store_release(replace(made, rows=tuple(row._replace(facts=facts) for row in made.rows)), phase)
    refresh_stale()
    return f"{BOARD}?facts=1"


@pytest.mark.parametrize("width", [390, 768, 1100])
def test_what_teams_declare_can_be_read_beside_the_picture_at_every_width(open_window, declared, width):
    page = open_window(width)
    page.goto(declared)

    assert page.locator("tbody .pc").first.bounding_box()["width"] > 150
    price = page.locator("tbody td").filter(has_text="$12.50").first
    price.scroll_into_view_if_needed()
    box = price.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_what_teams_declare_is_on_the_printed_sheet(page, declared):
    """A4 as below. The lines of the picture end with it: what lies below it is text."""
    page.set_viewport_size({"width": 1032, "height": 700})
    page.goto(declared)
    page.emulate_media(media="print")

    ends = page.locator(".board tr > *").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(ends) <= 1032
    assert page.locator(".canvas").first.evaluate("one => getComputedStyle(one).overflowY") == "clip"


def test_a_printed_board_has_all_columns_on_the_sheet_and_nothing_to_press(page, board):
    """A4 on its long side within margins of 12 mm, as the stylesheet asks: 273 mm at 96 pixels an inch."""
    page.set_viewport_size({"width": 1032, "height": 700})
    for address in (BOARD, f"{COLUMNS_OF}&rows=all"):
        page.goto(address)
        page.emulate_media(media="print")
        for pressed in (".top nav", ".bar1", ".menus", ".tabs", ".sign-in", ".foot"):
            assert page.locator(pressed).first.is_hidden(), pressed
        ends = page.locator(".board tr > *").evaluate_all(
            "cells => cells.filter(c => c.checkVisibility()).map(c => c.getBoundingClientRect().right)"
        )
        assert max(ends) <= 1032, address
        frames = page.locator("main *").evaluate_all(
            """all => all.filter(
                one => one.querySelector(".board") && /auto|scroll/.test(getComputedStyle(one).overflow))"""
        )
        assert frames == [], "a frame that scrolls cuts what is printed"


def test_two_rows_are_ticked_to_be_compared_also_after_the_board_was_sorted(page, phase, system, team):
    names = ["Larch", "Elm"]
    elm = System.objects.create(team=team, name=names[1], created_at=NOW)
    upload(system, phase, mood=HALF_WRONG)
    upload(elm, phase)
    run_batch(CUT_OFF)
    button = page.get_by_role("link", name="Compare 2 systems")

    page.goto(BOARD)
    page.get_by_label("Compare Larch").check()
    expect(button).to_be_hidden()
    page.locator(".menu", has_text="Sort").locator("summary").click()
    page.locator(".menu[open] a").nth(1).click()
    expect(page.locator(".said")).to_contain_text("Sorted")
    page.get_by_label("Compare Elm").check()
    button.click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Compare")
    for name in names:
        expect(page.locator(".compared thead")).to_contain_text(name)


def test_the_address_of_the_sentence_can_be_copied(page, board):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(BOARD)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert urlsplit(copied)[2:] == (f"{BOARD}releases/1/", "", "sure")


def test_name_and_head_stay_in_sight_on_a_phone(open_window, board):
    page = open_window(360)
    page.goto(f"{COLUMNS_OF}&rows=all")
    frame = page.locator(".scroll:has(> .board)")
    frame.evaluate("frame => frame.scrollTo(600, 3000)")
    edges = frame.evaluate(
        """frame => {
          const {left, top} = frame.getBoundingClientRect();
          const name = frame.querySelector("tbody tr:nth-child(45) th").getBoundingClientRect();
          const head = frame.querySelector("thead th.name").getBoundingClientRect();
          return [name.left - left, head.top - top, head.left - left];
        }"""
    )
    assert all(abs(edge) <= 1.5 for edge in edges), edges


def test_what_links_ask_for_is_put_in_place_at_the_same_address(page, board):
    page.goto(COLUMNS_OF)
    page.evaluate("window.stayed = true")
    link = page.get_by_role("link", name="Sort by Task 3: F1 macro")
    address = link.get_attribute("href")
    link.click()
    expect(page.locator(".said")).to_contain_text("Sorted by Group 0: Task 3")
    assert page.url.endswith(f"{BOARD}{address}")
    expect(page.get_by_role("link", name="Sort by Task 3: F1 macro")).to_be_focused()
    sorted_here = names(page)
    assert page.evaluate("window.stayed")
    page.reload()
    assert names(page) == sorted_here


def test_search_keeps_what_is_typed_and_says_how_much_it_found(page, board):
    page.goto(BOARD)
    field = page.get_by_label("Search")
    field.press_sequentially("system 01")
    expect(page.locator(".said")).to_contain_text("10 of 200 rows")
    expect(field).to_be_focused()
    expect(page.get_by_role("status").first).to_contain_text("10 of 200 rows")
    assert page.url.endswith(f"{BOARD}?q=system+01#board")
    field.fill("")
    expect(page.locator(".said")).to_have_count(0)
    assert page.url.endswith(f"{BOARD}#board")


def test_a_group_folds_with_the_keyboard_and_prints_in_full(page, board):
    page.goto(COLUMNS_OF)
    page.get_by_role("link", name="Fold Group 1 to T5").press("Enter")
    unfold = page.get_by_role("link", name="Show all 5 columns of Group 1")
    expect(unfold).to_be_focused()
    expect(unfold).to_have_attribute("aria-expanded", "false")
    head = page.locator(".board thead th", has_text="T6")
    expect(head).to_be_hidden()
    page.emulate_media(media="print")
    expect(head).to_be_visible()
    expect(page.locator(".said")).to_be_hidden()
    widths = "row => [...row.children].filter(c => c.checkVisibility()).reduce((n, c) => n + c.colSpan, 0)"
    spans = [page.locator(rows).first.evaluate(widths) for rows in ("thead tr", "tbody tr")]
    assert spans == [COLUMNS + 2, COLUMNS + 2]


def test_without_scripts_links_and_form_do_the_same(chromium, live_server, board):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(COLUMNS_OF)
    page.get_by_role("link", name="Fold Group 1 to T5").click()
    assert page.url.endswith(f"{COLUMNS_OF}&fold=task_5#board")
    page.locator("summary", has_text="Sort").click()
    page.locator(".menu").get_by_role("link", name="Group 0: Task 3", exact=True).click()
    assert "Sorted by Group 0: Task 3;" in page.locator(".said").inner_text()
    assert "Folded: Group 1 to T5" in page.locator(".said").inner_text()
    context.close()


def test_a_cell_tells_its_submission_to_pointer_and_keyboard(page, system: System, phase: Phase):
    submission = upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    page.goto(BOARD)
    tip, cells = page.get_by_role("tooltip"), page.locator(f"td[data-submission='{str(submission.pk)[:8]}']")
    cells.first.hover()
    expect(tip).to_contain_text(f"SHA-256 of its file: {submission.file_sha256}")
    expect(tip).to_contain_text("in release 1")
    page.mouse.move(0, 0)
    expect(tip).to_be_hidden()
    page.locator("td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text(submission.file_sha256)
    expect(page.locator("td:focus")).to_have_attribute("aria-describedby", "cell-tip")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_a_number_leads_to_its_card_by_pointer_and_keyboard(page, system: System, phase: Phase):
    submission = upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    card = page.locator("tr[id='t-mood']")
    page.goto(BOARD)
    number = page.locator(f"td[data-submission='{str(submission.pk)[:8]}']").first
    number.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("press it for where it comes from")
    number.get_by_role("link").click()
    expect(card).to_contain_text(submission.file_sha256)
    assert page.url.endswith(f"/benchmarks/toy/releases/1/provenance/{str(system.pk)[:8]}/#t-mood")

    page.goto(BOARD)
    page.locator("td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
