"""Steps that several walks take: signing in, the buttons of the admin, and what workers do meanwhile."""

import re
from typing import Any

from django.core import mail
from playwright.sync_api import expect

from accounts.server.clock import database_now
from breaking.jobs import do_what_is_due
from leaderboard.publication.services import publish_ready, refresh_stale
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due

PATIENCE = 10_000  # milliseconds that something may take to appear
Page = Any
"""A page of Playwright."""
File = dict[str, Any]
"""A file that the reader chooses from the disk."""


def do_the_workers_part() -> None:
    """What worker and beat do by themselves, here in the test's own process."""
    close_due(database_now())
    do_what_is_due(database_now())
    score_all_due(database_now())
    finish_batches(database_now())
    do_what_is_due(database_now())  # a batch that is finished now may open gold labels
    publish_ready(database_now())
    refresh_stale()


def sees(page: Page, text: str) -> None:
    """The page says so, or does within a few moments: what was clicked before may still be on its way."""
    expect(page.locator("body")).to_contain_text(text, timeout=PATIENCE)


FAULTS_OF_LAYOUT = """() => {
    const width = document.documentElement.clientWidth;
    const name = one => one.tagName.toLowerCase() + " " + JSON.stringify(one.innerText.trim().slice(0, 40));
    const cut = one => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    const beside = one => {
        const { left, right } = one.getBoundingClientRect();
        return left < -1 || right > width + 1;
    };
    const found = document.documentElement.scrollWidth > width ? ["the page scrolls sideways"] : [];
    for (const one of document.querySelectorAll("main :is(h1, h2, h3, button, .btn, summary)")) {
        if (!one.checkVisibility() || one.closest(".scroll, .pan, table, .vh")) continue;
        if (cut(one)) found.push("cut: " + name(one));
        if (beside(one)) found.push("outside of the window: " + name(one));
    }
    return found;
}"""


def fits(page: Page) -> None:
    """The page does not scroll sideways, no heading or button is cut, and none stands outside of the window."""
    page.wait_for_load_state()
    assert page.evaluate(FAULTS_OF_LAYOUT) == [], page.url


def sign_in(page: Page, email: str, password: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    sees(page, "Sign out")


def link_that_confirms() -> str:
    """The path of the link in the first mail, with which a newcomer confirms an address."""
    link = re.search(r"/accounts/confirm-email/\S+", str(mail.outbox[0].body))
    assert link
    return link[0]


def file_of(name: str, content: bytes | str) -> File:
    """A file with that name and content, as a file chooser takes it."""
    data = content.encode() if isinstance(content, str) else content
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def main_of(page: Page) -> str:
    """The words of the page itself, without what every page has."""
    page.wait_for_load_state()
    text: str = page.locator("main").inner_text()
    return text


def press(page: Page, name: str) -> None:
    """A button of the admin, which looks alike whether it is a link or sends a form."""
    page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).first.click()


def answer(page: Page, button: str, *, file: File | None = None, **fields: str) -> None:
    """Fill in the form of a question that the admin asks, and press its button."""
    question = page.locator("#question")
    for name, value in fields.items():
        field = question.locator(f"[name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    if file:
        question.locator("input[type=file]").set_input_files(file)
    question.get_by_role("button", name=button, exact=True).click()


def open_phase(page: Page, phase: str) -> None:
    """From the first page of all benchmarks, or from the home of the only one; `phase` is “Benchmark / Phase”."""
    page.goto("/admin/")
    changing = page.get_by_role("link", name=f"Change {phase.partition(' / ')[2]}", exact=True)
    page.get_by_role("link", name=phase, exact=True).or_(changing).click()


def close_now(page: Page, phase: str, *, says: str = "The phase was closed with") -> None:
    """An organiser closes a phase ahead of its schedule; all is scored and published."""
    open_phase(page, phase)
    press(page, "Close now")
    answer(page, "Close now")
    sees(page, says)
    do_the_workers_part()


def found_team_and_system(page: Page, team: str, system: str) -> None:
    """What a newcomer is led through before the first upload."""
    page.goto("/submit/")
    page.get_by_role("link", name="Found a team").click()
    page.get_by_label("Name", exact=True).fill(team)
    page.locator("main form button").first.click()
    page.get_by_label("Name", exact=True).fill(system)
    page.locator("main form button").first.click()
    sees(page, "was entered")


def board(page: Page, link: str, title: str = "") -> dict[str, list[str]]:
    """Follow a link to a board, and read all its columns. By default the board is called like the link.

    The link may stand in the menu of boards, or on the page of tasks and rules.
    """
    page.wait_for_load_state()
    target = page.get_by_role("link", name=link, exact=True)
    if not target.count():
        in_menu = page.locator(".menu .axes a").get_by_text(link, exact=True)
        way = (
            page.get_by_text("Boards", exact=True) if in_menu.count() else page.get_by_text("Tasks and rules")
        )
        way.first.click()
    target.first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title or link, timeout=PATIENCE)
    page.goto(f"{page.url.partition('?')[0].partition('#')[0]}?view=columns")
    return rows_of(page)


def rows_of(page: Page) -> dict[str, list[str]]:
    """What stands in each row of the board, by the row's name: the rank and the scores, `-` where there is none.

    Of two rows of one name, the one that was scored here.
    """
    page.wait_for_load_state()
    found: list[list[str]] = page.locator("table.board tbody").evaluate(
        """body => [...body.rows].map(row => {
            const bare = cell => {
                const copy = cell.cloneNode(true);
                copy.querySelectorAll(".vh, small, svg, .tag").forEach(one => one.remove());
                return copy.textContent.trim().replace("\\u2013", "-");
            };
            return [row.querySelector("th"), ...row.querySelectorAll("td")].map(bare).concat(row.className);
        })"""
    )
    found.sort(key=lambda row: "reported" not in row[-1])
    return {name: cells for name, *cells, _ in found}
