"""Nothing that axe-core finds wrong stands on a page that a reader, a participant or an organiser can open.

Its rules for WCAG 2.2 A and AA on phones and desks, those for best practice on desks, in light and dark by turns; one
page of each role and template. A new address that takes a parameter nobody has said a value for, or that opens for
nobody, fails here: tests/site.py has the samples.
"""

import re
from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page

from accounts.models import User
from tests.browser.axe import Opening, open_address, problems_on, window_of
from tests.browser.steps import answer, file_of, sees
from tests.contested import LATER
from tests.pages import browser_of, read
from tests.site import Site, make_site
from tests.uploads import toy_zip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROLES = ("reader", "participant", "organiser")
AT_ONCE = 2  # windows: while one is looked into, the next page is opened in another
# The search of the admin answers with a list that Unfold puts into the page it is on.
FRAGMENTS = {"/admin/search/"}
# A few lists and forms stand for all that Unfold makes alike; the admin's own questions are all looked at.
ADMIN = (
    "admin/",
    "admin/accounts/auditentry/",
    "admin/benchmarks/benchmark/<path:object_id>/history/",
    "admin/benchmarks/phase/",
    "admin/benchmarks/phase/<path:object_id>/change/",
    "admin/submissions/submission/",
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
    "benchmarks/<slug:benchmark>/data-kit/<str:name>": "a file, and no benchmark here gives any",
    "admin/benchmarks/benchmark/rehearsal/pages/": "a file, and nobody here has rehearsed anything",
    "admin/benchmarks/writtenpage/preview/": "it draws what is posted, and is not opened",
    "accounts/second-factor/webauthn/keys/<int:pk>/edit/": "nobody here has a passkey; test_passkeys.py adds one",
    "accounts/second-factor/webauthn/keys/<int:pk>/remove/": "nobody here has a passkey",
    "label/<uuid:campaign>/stop/": "a button of workers' pages, which only sends",
    "label/<uuid:campaign>/go-on/": "a button of workers' pages, which only sends",
    "admin/benchmarks/benchmarkrole/<path:object_id>/change_role/": "only of owners, and the one here is the last",
    "admin/benchmarks/benchmarkrole/<path:object_id>/take_away/": "only of owners, and the one here is the last",
    "admin/benchmarks/participantquestion/<path:object_id>/answer_it/": "nobody here has asked a question",
    "admin/benchmarks/roleinvitation/<path:object_id>/withdraw_it/": "nobody here is invited to a role",
    "admin/submissions/ban/<path:object_id>/lift/": "nobody here is banned",
    "admin/submissions/rowclaim/<path:object_id>/accept/": "no row here was moved in and claimed",
    "admin/submissions/rowclaim/<path:object_id>/refuse/": "no row here was moved in and claimed",
}


@pytest.fixture
def site(toy, games, fact_lists, system, staff, signers, monkeypatch) -> Site:
    """It is the hour after all has happened."""
    for module in ("accounts.server.clock", "breaking.development"):
        monkeypatch.setattr(f"{module}.database_now", lambda: LATER)
    return make_site(toy=toy, games=games, system=system, staff=staff)


def test_axe_core_finds_nothing_on_the_pages_that_most_people_see(site, chromium, live_server):
    window = window_of(chromium, live_server.url, site.owner)
    pages = ("/", "/benchmarks/toy/", "/submit/?benchmark=toy")
    problems = list(
        problems_on([window], [(address, partial(open_address, address=address)) for address in pages])
    )
    assert not problems, "\n".join(problems)


def test_icons_of_the_admin_are_seen_and_not_heard(site, chromium, live_server):
    window = window_of(chromium, live_server.url, site.staff)
    window.goto(f"{live_server.url}/admin/submissions/submission/?o=1")
    icons = {text.strip() for text in window.locator(".material-symbols-outlined").all_text_contents()}
    assert "arrow_circle_down" in icons
    heard = window.locator("body").aria_snapshot()
    assert [icon for icon in icons if "_" in icon and icon in heard] == []
    assert window.get_by_role("link", name="Toggle sorting", exact=True).count() == 1
    assert window.get_by_role("link", name="Remove from sorting", exact=True).count() == 1
    assert window.get_by_role("button", name="search", exact=True).count() == 1


def test_everything_that_can_be_pressed_in_the_admin_is_pressed_by_keyboard(site, chromium, live_server):
    window = window_of(chromium, live_server.url, site.staff)
    window.set_viewport_size({"width": 390, "height": 844})
    window.goto(f"{live_server.url}/admin/submissions/submission/")
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.textContent") == "Skip to content"
    for control, shown in (("Sidebar", "#nav-sidebar"), ("Filters", "#changelist-filter")):
        assert not window.locator(shown).is_visible()
        button = window.get_by_role("button", name=control, exact=True)
        button.focus()
        button.press("Enter")
        window.locator(shown).wait_for()
    account = window.get_by_role("button", name=site.staff.email)
    account.focus()
    account.press("Space")
    window.get_by_role("button", name="Sign out", exact=True).wait_for()
    unreached = window.locator("[x-on\\:click].cursor-pointer").evaluate_all(
        "all => all.filter(one => one.tabIndex < 0).map(one => one.outerHTML)"
    )
    assert unreached == []


ADDED = """
window.added = [];
addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target.closest?.("[role=status]")) window.added.push(...[...addedNodes].map((one) => one.textContent));
  }
}).observe(document.body, { childList: true, subtree: true }));
"""
"""Keeps what is put into a status once the page is there, which is what programs that read aloud wait for."""


@pytest.mark.parametrize(
    ("address", "button", "sentence"),
    [
        (
            "/admin/benchmarks/benchmark/toy/registration_dates/",
            "Set the dates",
            "The dates of registration are set.",
        ),
        ("/account/", "Save", "Saved."),
    ],
)
def test_what_a_page_says_when_it_opens_is_read_aloud(site, chromium, live_server, address, button, sentence):
    window = window_of(chromium, live_server.url, site.staff)
    window.add_init_script(ADDED)
    window.goto(live_server.url + address)
    window.get_by_role("button", name=button, exact=True).first.click()
    window.get_by_role("status").filter(has_text=sentence).wait_for()
    window.wait_for_function("sentence => window.added.some((one) => one.includes(sentence))", arg=sentence)
    assert window.get_by_role("status").filter(has_text=sentence).count() == 1


def test_rows_of_a_long_list_of_the_admin_are_low_on_a_phone(site, chromium, live_server):
    window = window_of(chromium, live_server.url, site.staff)
    window.set_viewport_size({"width": 390, "height": 844})
    window.goto(f"{live_server.url}/admin/submissions/submission/")
    row = window.locator("#result_list tbody tr.data-row").first
    line = _box(row.locator("th a").first)["height"]
    assert row.locator("td, th").count() >= 8
    assert _box(row)["height"] < 10 * line
    boxes = [_box(one) for one in row.locator("a, input, td, th").filter(visible=True).all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)


def test_a_card_of_the_admin_leaves_out_what_its_row_does_not_have(site, chromium, live_server):
    window = window_of(chromium, live_server.url, site.staff)
    window.goto(f"{live_server.url}/admin/submissions/submission/")
    track = window.locator("#result_list tbody td.field-track").first
    assert track.inner_text() == "-"
    window.set_viewport_size({"width": 390, "height": 844})
    assert not track.is_visible()
    assert window.locator("#result_list tbody td.field-team").first.is_visible()


def _box(shown: Locator) -> FloatRect:
    box = shown.bounding_box()
    assert box is not None
    return box


@pytest.mark.walks
@pytest.mark.parametrize("role", ROLES)
def test_axe_core_finds_nothing(site, chromium, live_server, role):
    user = _person(site, role)
    plain = [(address, partial(open_address, address=address)) for address in _pages(site, role, user, set())]
    windows = [window_of(chromium, live_server.url, user) for _ in range(AT_ONCE)]
    problems = list(problems_on(windows, [*plain, *ANSWERS[role]]))
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
    window.get_by_label("E-mail address").fill("nobody@example.org")
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
