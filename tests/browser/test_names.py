"""Names as people give them: long ones without a space, from right to left, in scripts that stack their marks."""

import pytest
from django.urls import reverse

from accounts.services import create_team
from benchmarks.models import Phase
from benchmarks.spec import OVERALL
from leaderboard.board.model.serialization import from_dict
from leaderboard.models import Release
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission, System
from tests.browser.axe import window_of
from tests.browser.steps import FAULTS_OF_LAYOUT, fits
from tests.browser.stored_boards import store_with_more_rows, stored_row
from tests.conftest import NOW, person
from tests.feelings import DEFINITION as FEELINGS
from tests.feelings import load_all_gold, load_gender
from tests.pages import browser_of
from tests.people import appoint
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = 100
LATIN = "W" * LONG
ARABIC = ("نظامتحليلالمشاعر" * 10)[:LONG]
THAI = ("ระบบวิเคราะห์ความรู้สึก" * 10)[:LONG]
EMOJI = ("\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466\U0001f680" * 20)[:LONG]
STACKED = ("Z\u0338\u0322\u031b\u0354a\u030c\u0335" * 20)[:LONG]
NAMES = (LATIN, ARABIC, THAI, EMOJI, STACKED)
MOST_TAKEN = 80  # characters that a form takes; rows of papers and of other sites have longer names
WIDTHS = (1440, 390)
# Words of two cells of a row that lie on each other, and rows in which neither a name nor a number can be read.
FAULTS_OF_TABLES = """() => {
    const shown = one => one.checkVisibility() && !one.closest(".vh") && getComputedStyle(one).clipPath === "none";
    const boxes = cell => {
        const found = [];
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            const around = text.parentElement;
            if (!text.data.trim() || around.closest(".vh, svg, select") || !shown(around)) continue;
            const range = document.createRange();
            range.selectNodeContents(text);
            let { left, right, top, bottom } = range.getBoundingClientRect();
            for (let one = text.parentElement; one && one.tagName !== "TABLE"; one = one.parentElement) {
                if (getComputedStyle(one).overflowX === "visible") continue;
                const box = one.getBoundingClientRect();
                [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            }
            if (right - left > 1) found.push({ left, right, top, bottom });
        }
        return found;
    };
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    const found = [];
    for (const row of document.querySelectorAll("main tr")) {
        const cells = [...row.cells].filter(shown).map(boxes);
        const words = row.innerText.trim().slice(0, 30);
        for (const [at, cell] of cells.entries())
            for (const other of cells.slice(at + 1))
                if (cell.some(a => other.some(b => meet(a, b)))) found.push("words lie on each other: " + words);
        const frame = row.closest(".scroll") || document.documentElement;
        const name = row.querySelector("tbody th");
        if (name && shown(name) && name.getBoundingClientRect().width < Math.min(60, frame.clientWidth / 6))
            found.push("no room for the name: " + words);
        if (name && name.getBoundingClientRect().width > frame.clientWidth * .8 && row.cells.length > 2
            && getComputedStyle(row).display === "table-row") found.push("no room beside the name: " + words);
    }
    return [...new Set(found)];
}"""


def test_no_name_breaks_a_page(open_window, system, phase, owner):
    mine = _released(system, phase)
    first = Release.objects.get()
    columns = from_dict(first.boards[OVERALL]).columns
    rows = [stored_row(at, columns, name, NAMES[-1 - at]) for at, name in enumerate(NAMES)]
    store_with_more_rows(first, rows)
    refresh_stale()
    page = open_window()
    for name, cookie in browser_of(owner).cookies.items():
        page.context.add_cookies([{"name": name, "value": cookie.value, "domain": "localhost", "path": "/"}])
    toy = "/benchmarks/toy/"
    addresses = (
        "/",
        toy,
        f"{toy}?view=columns",
        f"{toy}analysis/",
        f"{toy}tasks/mood/",
        f"{toy}compare/",
        f"{toy}releases/2/",
        f"{toy}releases/1/provenance/",
        f"{toy}releases/1/provenance/{str(system.pk)[:8]}/",
        f"/systems/{system.pk}/",
        "/submissions/",
        f"/submissions/{mine.pk}/",
        "/submit/?benchmark=toy",
        "/teams/",
        f"/teams/{system.team_id}/",
    )
    faults = []
    for address in addresses:
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            found = [*page.evaluate(FAULTS_OF_LAYOUT), *page.evaluate(FAULTS_OF_TABLES)]
            faults += [f"{address}, {width}: {one}" for one in found]
    assert not faults, "\n".join(faults)


def test_an_organiser_reads_the_page_of_a_phase_on_a_phone(toy, phase, chromium, live_server):
    """The table of what is handed in scrolls by itself."""
    organiser = person("organiser")
    appoint(toy, organiser)
    page = window_of(chromium, live_server.url, organiser)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(reverse("admin:benchmarks_phase_change", args=[phase.pk]))

    page.get_by_role("group", name="Targets").wait_for()
    fits(page)


def test_a_digest_in_the_admin_fits_a_phone(sync, gold_keys, chromium, live_server):
    feelings, organiser = sync(FEELINGS), person("organiser")
    load_all_gold(feelings)
    appoint(feelings, organiser)
    page = window_of(chromium, live_server.url, organiser)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(reverse("admin:scoring_pairset_change", args=[load_gender(feelings).pk]))
    page.get_by_text("gender.csv").first.wait_for()
    fits(page)


def _released(system: System, phase: Phase) -> Submission:
    """A release of three systems by three teams, all with names as long as forms take them."""
    system.name = LATIN[:MOST_TAKEN]
    system.save()
    system.team.name = ARABIC[:MOST_TAKEN]
    system.team.save()
    mine = upload(system, phase)
    for at, (name, of, mood) in enumerate(((ARABIC, THAI, HALF_WRONG), (EMOJI, STACKED, ONE_WRONG))):
        team = create_team(name=of[:MOST_TAKEN], founder=person(f"person{at}"), now=NOW)
        other = System.objects.create(team=team, name=name[:MOST_TAKEN], created_at=NOW)
        upload(other, phase, mood=mood)
    run_batch(CUT_OFF)
    return mine
