"""Nothing that axe-core finds wrong stands on a page that a reader, a participant or an organiser can open.

Its rules for WCAG 2.2 A and AA on phones and desks, those for best practice on desks, in light and dark by turns; one
page of each role and template. A new address that takes a parameter nobody has said a value for, or that opens for
nobody, fails here: tests/site.py has the samples.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from accounts.models import User
from tests.browser.steps import PATIENCE, answer, file_of, sees
from tests.contested import LATER
from tests.pages import browser_of, read
from tests.site import Site, make_site
from tests.uploads import toy_zip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROLES = ("reader", "participant", "organiser")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
Look = tuple[int, Literal["light", "dark"], list[str]]
"""Width, theme and rules."""
# Two neighbours are looked at in all four pairs of width and theme.
LOOKS: tuple[tuple[Look, Look], ...] = (
    ((360, "light", WCAG), (1440, "dark", [*WCAG, "best-practice"])),
    ((360, "dark", WCAG), (1440, "light", [*WCAG, "best-practice"])),
)
AT_ONCE = 2  # windows: while one is looked into, the next page is opened in another
# The search of the admin answers with a list that Unfold puts into the page it is on.
FRAGMENTS = {"/admin/search/"}
# Rules that a library breaks by itself: Unfold's frame has no main part and puts buttons outside of every landmark,
# repeats landmarks, tells links in sentences by colour and sorts by small arrows.
NOT_OURS_IN_ADMIN = {"landmark-one-main", "region", "landmark-unique", "link-in-text-block", "target-size"}
# A few lists and forms stand for all that Unfold makes alike; the admin's own questions are all looked at.
ADMIN = (
    "admin/",
    "admin/accounts/auditentry/",
    "admin/benchmarks/benchmark/<path:object_id>/history/",
    "admin/benchmarks/phase/",
    "admin/benchmarks/phase/<path:object_id>/change/",
)
UNFOLD = re.compile(r"admin/\w+/\w+/(<\w+>/password/|(add/)?|<path:object_id>/((history|delete|change)/)?)")
# Published pages are the same for everybody.
FOR_ALL = ("benchmarks/<rest>", "handbook/<path:name>/", "systems/<uuid:system>/", "")
OPENS_FOR_NOBODY = {
    "api/": "the rest of the API's addresses: there is nothing there, and it is said in JSON",
    "benchmarks/<slug:benchmark>/texts/<slug:task>/<slug:split>.csv": "a file, and no task here has texts",
    "admin/autocomplete/": "Django's answer to fields that complete what is typed; none of ours does",
    "admin/r/<path:content_type_id>/<path:object_id>/": "Django's way to a row's page on the site; none has one",
    "admin/<url>": "Django's answer to addresses that the admin does not know",
    "submit/repaired/<slug:token>/": "a file, and nothing here was refused that could be mended",
}
Opening = tuple[str, Callable[[Page], object]]
"""What a page is called, and what a window does to get there."""


@pytest.fixture
def site(toy, games, fact_lists, system, staff, signers, monkeypatch) -> Site:
    """It is the hour after all has happened."""
    for module in ("accounts.server.clock", "breaking.development"):
        monkeypatch.setattr(f"{module}.database_now", lambda: LATER)
    return make_site(toy=toy, games=games, system=system, staff=staff)


def test_axe_core_finds_nothing_on_the_pages_that_most_people_see(site, chromium, live_server):
    window = _window(chromium, live_server.url, site.owner)
    pages = ("/", "/benchmarks/toy/", "/submit/?benchmark=toy")
    problems = list(_problems([window], [(address, partial(_open, address=address)) for address in pages]))
    assert not problems, "\n".join(problems)


@pytest.mark.walks
@pytest.mark.parametrize("role", ROLES)
def test_axe_core_finds_nothing(site, chromium, live_server, role):
    user = _person(site, role)
    plain = [(address, partial(_open, address=address)) for address in _pages(site, role, user, set())]
    windows = [_window(chromium, live_server.url, user) for _ in range(AT_ONCE)]
    problems = list(_problems(windows, [*plain, *ANSWERS[role]]))
    assert not problems, "\n".join(problems)


@pytest.mark.walks
def test_every_address_opens_for_somebody(site):
    opened: set[str] = set()
    for role in ROLES:
        for _ in _pages(site, role, _person(site, role), opened):
            pass
    known = {route for route, _ in site.addresses() if any(_is_for(role, route) for role in ROLES)}
    assert known - opened == set(OPENS_FOR_NOBODY)


def _person(site: Site, role: str) -> User | None:
    return {"reader": None, "participant": site.owner, "organiser": site.staff}[role]


def _pages(site: Site, role: str, user: User | None, opened: set[str]) -> Iterator[str]:
    """Addresses that answer this person with a page of their own, one of each kind; notes which routes open."""
    browser = browser_of(user)
    browser.raise_request_exception = False
    seen: set[Hashable] = set()
    for route, address in site.addresses():
        if not _is_for(role, route):
            continue
        answered = browser.get(address)
        body = read(answered)
        if answered.status_code < 400:
            opened.add(route)
        kind = _kind(route, answered, body)
        if _is_page(answered) and address not in FRAGMENTS and kind not in seen:
            seen.add(kind)
            yield address


def _is_for(role: str, route: str) -> bool:
    """Whether this role looks at the page: nobody looks at one that is the same for somebody before."""
    if route.startswith("api/v1/"):
        return False
    if route.startswith("admin/"):
        return role == "organiser" and (route in ADMIN or not UNFOLD.fullmatch(route))
    if route == "styleguide/":
        return role == "organiser"
    return role == "reader" or (role == "participant" and route not in FOR_ALL)


def _is_page(answered: Any) -> bool:
    is_html = answered.headers.get("Content-Type", "").startswith("text/html")
    is_file = "Content-Disposition" in answered.headers
    return is_html and not is_file and answered.status_code not in (301, 302, 404, 405)


def _kind(route: str, answered: Any, body: bytes) -> Hashable:
    """Its templates; a published page is printed before, but tells what elements it is made of."""
    templates = frozenset(one.name for one in answered.templates)
    elements = frozenset(re.findall(rb'<[a-z]\w*(?: class="[^"]*")?', body))
    return answered.status_code, templates or (route, elements)


def _window(chromium: Browser, url: str, user: User | None) -> Page:
    context = chromium.new_context(base_url=url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(AXE_SCRIPT)
    for name, cookie in browser_of(user).cookies.items():
        context.add_cookies([{"name": name, "value": cookie.value, "url": url}])
    return context.new_page()


def _open(window: Page, address: str) -> None:
    window.goto(address)


def _refused(window: Page) -> None:
    _send(window, toy_zip(mood="good god bad bad good bad"), "Upload and check", "Not accepted: 1 problem")


def _checked(window: Page) -> None:
    _send(window, toy_zip(), "Check only", "No problem found")


def _send(window: Page, data: bytes, button: str, says: str) -> None:
    file: Any = file_of("toy.zip", data)
    window.goto("/submit/?benchmark=toy")
    window.locator("input[type=file]").set_input_files(file)
    window.get_by_role("button", name=button).click()
    sees(window, says)


def _wrong_password(window: Page) -> None:
    window.goto("/accounts/login/")
    window.get_by_label("Email").fill("nobody@example.org")
    window.get_by_label("Password").fill("wrong")
    window.get_by_role("button", name="Sign in").click()
    sees(window, "not correct")


def _mail(window: Page) -> None:
    window.goto("/admin/benchmarks/benchmark/toy/write_mail/")
    answer(window, "Preview", audience="submitted", subject="A fault", text="One label was wrong.")
    sees(window, "Send to 1 person")


# Pages that answer what was filled in.
ANSWERS: dict[str, tuple[Opening, ...]] = {
    "reader": (("a wrong password", _wrong_password),),
    "participant": (("a refused file", _refused), ("a checked file", _checked)),
    "organiser": (("/admin/ with a mail before it is sent", _mail),),
}


def _problems(windows: Sequence[Page], openings: Iterable[Opening]) -> Iterator[str]:
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
