"""Nothing that axe-core finds wrong stands on a page that a reader, a participant or an organiser can open.

Its rules for WCAG 2.2 A and AA and for best practice, on phones and desks, in light and dark. A new address that takes
a parameter nobody has said a value for, or that opens for nobody, fails here: tests/site.py has the samples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from accounts.models import User
from tests.contested import LATER
from tests.pages import browser_of, read
from tests.site import Site, make_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (360, 1440)
THEMES: dict[Literal["light", "dark"], list[str]] = {"light": RULES, "dark": ["color-contrast"]}
# Swagger UI draws itself below the head of its page, with a main part of its own.
SWAGGER = "/api/docs/"
# The search of the admin answers with a list that Unfold puts into the page it is on.
FRAGMENTS = {"/admin/search/"}
# Rules that libraries break by themselves: Swagger UI's main part is not looked into, Unfold's frame has none and puts
# buttons outside of every landmark, repeats landmarks, tells links in sentences by colour and sorts by small arrows.
NOT_OURS = {
    "docs": {"landmark-one-main"},
    "admin": {"landmark-one-main", "region", "landmark-unique", "link-in-text-block", "target-size"},
}
# One list and one form stand for all that Unfold makes alike; the admin's own questions are all looked at.
ADMIN = ("admin/", "admin/benchmarks/phase/", "admin/benchmarks/phase/<path:object_id>/change/")
UNFOLD = re.compile(r"admin/\w+/\w+/(<\w+>/password/|(add/)?|<path:object_id>/((history|delete|change)/)?)")
# Published pages are the same for everybody, and those of one kind of release alike.
FOR_ALL = ("benchmarks/<rest>", "systems/<uuid:system>/", "")


@pytest.fixture
def site(toy, games, fact_lists, system, staff, monkeypatch) -> Site:
    """It is the hour after all has happened."""
    for module in ("accounts.clock", "breaking.blind_views"):
        monkeypatch.setattr(f"{module}.database_now", lambda: LATER)
    return make_site(toy=toy, games=games, system=system, staff=staff)


@pytest.mark.parametrize("role", ["reader", "participant", "organiser"])
def test_axe_core_finds_nothing(role, site, chromium, live_server):
    user = {"reader": None, "participant": site.owner, "organiser": site.staff}[role]
    window = _window(chromium, live_server.url, user)

    found = {address: list(_violations(window, address)) for address in _pages(site, role, user)}

    problems = [f"{address}: {one}" for address, many in found.items() for one in many]
    assert not problems, "\n".join(problems)


def _window(chromium: Browser, url: str, user: User | None) -> Page:
    context = chromium.new_context(base_url=url)
    for name, cookie in browser_of(user).cookies.items():
        context.add_cookies([{"name": name, "value": cookie.value, "url": url}])
    return context.new_page()


def _pages(site: Site, role: str, user: User | None) -> list[str]:
    """Addresses that answer this person with a page of their own."""
    browser = browser_of(user)
    browser.raise_request_exception = False
    wanted = [address for route, address in site.addresses() if _is_for(role, route)]
    return [
        address
        for address in dict.fromkeys(wanted)
        if address not in FRAGMENTS and _is_page(browser.get(address))
    ]


def _is_for(role: str, route: str) -> bool:
    """Whether this role looks at the page: nobody looks at one that is the same for somebody before."""
    if route.startswith("api/v1/"):
        return False
    if route.startswith("admin/"):
        return role == "organiser" and (route in ADMIN or not UNFOLD.fullmatch(route))
    if route == "styleguide/":
        return role == "organiser"
    return role == "reader" or (role == "participant" and route not in FOR_ALL)


def _is_page(answer: Any) -> bool:
    read(answer)
    is_html = answer.headers.get("Content-Type", "").startswith("text/html")
    is_file = "Content-Disposition" in answer.headers
    return is_html and not is_file and answer.status_code not in (301, 302, 404, 405)


def _violations(window: Page, address: str) -> Iterator[str]:
    """What is wrong, where, and what to do; colours alone are looked at in the dark."""
    window.goto(address, wait_until="networkidle" if address == SWAGGER else "load")
    window.evaluate(AXE_SCRIPT)
    ours = {"exclude": [["#swagger-ui"]]} if address == SWAGGER else {"include": [["html"]]}
    theirs = NOT_OURS["docs"] if address == SWAGGER else NOT_OURS["admin"] if "/admin/" in address else set()
    for width in WIDTHS:
        window.set_viewport_size({"width": width, "height": 900})
        for theme, rules in THEMES.items():
            window.emulate_media(color_scheme=theme)
            options = {"resultTypes": ["violations"], "runOnly": rules}
            result = window.evaluate("([ours, options]) => axe.run(ours, options)", [ours, options])
            for one in result["violations"]:
                if one["id"] in theirs:
                    continue
                node = one["nodes"][0]
                yield (
                    f"{one['id']} at {width}, {theme}, {len(one['nodes'])} times: "
                    f"{node['html'][:200]} {node['failureSummary'][:300]}"
                )
