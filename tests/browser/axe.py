"""What axe-core finds wrong with pages that a window opens, on phones and desks, in light and dark."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from accounts.models import User
from tests.browser.steps import PATIENCE
from tests.pages import browser_of

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
Look = tuple[int, Literal["light", "dark"], list[str]]
"""Width, theme and rules."""
# Two neighbours are looked at in all four pairs of width and theme.
LOOKS: tuple[tuple[Look, Look], ...] = (
    ((360, "light", WCAG), (1440, "dark", [*WCAG, "best-practice"])),
    ((360, "dark", WCAG), (1440, "light", [*WCAG, "best-practice"])),
)
# Rules that a library breaks by itself: Unfold's frame has no main part and puts buttons outside of every landmark,
# repeats landmarks, tells links in sentences by colour and sorts by small arrows.
NOT_OURS_IN_ADMIN = {"landmark-one-main", "region", "landmark-unique", "link-in-text-block", "target-size"}
TURNED = "theme => { if (window.Alpine) document.documentElement.classList.toggle('dark', theme === 'dark') }"
"""Unfold asks for the theme when a page is loaded, and not again."""
Opening = tuple[str, Callable[[Page], object]]
"""What a page is called, and what a window does to get there."""


def window_of(chromium: Browser, url: str, user: User | None) -> Page:
    context = chromium.new_context(base_url=url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(AXE_SCRIPT)
    for name, cookie in browser_of(user).cookies.items():
        context.add_cookies([{"name": name, "value": cookie.value, "url": url}])
    return context.new_page()


def open_address(window: Page, address: str) -> None:
    window.goto(address)


def problems_on(windows: Sequence[Page], openings: Iterable[Opening]) -> Iterator[str]:
    """What is wrong with the pages, all windows at work at the same time."""
    waiting = iter(openings)
    at_work = [_visits(window, waiting, first=at) for at, window in enumerate(windows)]
    while at_work:
        for visits in tuple(at_work):
            found = next(visits, None)
            if found is None:
                at_work.remove(visits)
            else:
                yield from found


def _visits(window: Page, openings: Iterator[Opening], *, first: int) -> Iterator[list[str]]:
    """Page after page; hands over to the other windows while the browser is at work, with what was found before."""
    found: list[str] = []
    for (name, get_there), looks in zip(openings, cycle((LOOKS[first], LOOKS[1 - first]))):
        get_there(window)
        for width, theme, rules in looks:
            window.set_viewport_size({"width": width, "height": 900})
            window.emulate_media(color_scheme=theme)
            window.evaluate(TURNED, theme)
            options = {"resultTypes": ["violations"], "runOnly": rules}
            window.evaluate("options => { window.looked = axe.run(options) }", options)
            yield found
            result = window.evaluate("window.looked")
            found = [f"{name}, {width}, {theme}: {one}" for one in _violations(result, name)]
    yield found


def _violations(result: Any, name: str) -> Iterator[str]:
    """What is wrong, where, and what to do."""
    theirs: set[str] = NOT_OURS_IN_ADMIN if "/admin/" in name else set()
    for one in result["violations"]:
        if one["id"] not in theirs:
            node = one["nodes"][0]
            yield (
                f"{one['id']}, {len(one['nodes'])} times: {node['html'][:200]} {node['failureSummary'][:300]}"
            )
