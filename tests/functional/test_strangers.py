"""To strangers, every address of a draft or of a private benchmark answers 404, and no page says its name."""

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from benchmarks.models import Benchmark
from benchmarks.people.models import Role
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import Visibility, set_visibility
from leaderboard.serving.page_server import PublishedPages
from submissions.participants import TeamRegistration
from tests.conftest import NOW, person
from tests.contested import LATER
from tests.pages import browser_of, read, text_of
from tests.people import appoint
from tests.site import Site, make_site

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]
# What was logged while it was public stays in the log, which cannot forget.
LOG = "/log/"


@pytest.fixture
def site(toy, games, fact_lists, system, staff) -> Iterator[Site]:
    with time_machine.travel(LATER, tick=False):
        yield make_site(toy=toy, games=games, system=system, staff=staff)


def hide(toy: Benchmark, visibility: Visibility, staff) -> None:
    set_visibility(benchmark=toy, visibility=visibility, by=staff)
    refresh_stale()


def is_of_toy(address: str) -> bool:
    return re.search(r"/toy(/|\.|-[\w-]+\.\w+$|$)", address) is not None


def tells_of(toy: Benchmark, text: str) -> bool:
    """Whether a text says the title as a word, or links to it; a form's token holds three given letters by chance."""
    return re.search(rf"\b{toy.title}\b|/benchmarks/toy", text) is not None


def walked(site: Site, browser: Client) -> Iterator[tuple[str, int, str]]:
    browser.raise_request_exception = False
    for _, address in dict.fromkeys(site.addresses()):
        if not address.startswith(("/admin/", LOG)):
            answer = browser.get(address)
            yield address, answer.status_code, read(answer).decode("utf-8", "replace")


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.PRIVATE])
def test_strangers_find_404_everywhere_and_the_name_nowhere(visibility, site, toy, staff, outsider):
    assert tells_of(toy, Client().get("/").content.decode())
    hide(toy, visibility, staff)
    for user in (None, outsider):
        found = list(walked(site, browser_of(user)))
        assert {address: status for address, status, _ in found if is_of_toy(address) and status != 404} == {}
        told = {address for address, status, text in found if status == 200 and tells_of(toy, text)}
        assert told == set()
        assert sum(is_of_toy(address) for address, _, _ in found) >= 40


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.PRIVATE])
def test_its_boards_as_files_and_pictures_are_for_those_alone_who_may_see_it(
    visibility, site, toy, staff, outsider
):
    hide(toy, visibility, staff)
    published = Page.objects.filter(benchmark=toy).values_list("pk", flat=True)
    beside = {path for path in published if not path.startswith("/benchmarks/toy/")}
    assert {"/benchmarks/toy.json", "/benchmarks/toy.csv", "/benchmarks/toy-submissions.json"} <= beside
    for user, status in ((None, 404), (outsider, 404), (staff, 200)):
        browser = browser_of(user)
        assert {
            path: answer for path in published if (answer := browser.get(path).status_code) != status
        } == {}


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.PRIVATE])
def test_its_addresses_answer_like_those_of_a_benchmark_that_is_not_there(
    visibility, site, toy, staff, outsider
):
    hide(toy, visibility, staff)
    hidden = {address for _, address in site.addresses() if is_of_toy(address)}
    assert len(hidden) >= 40
    for user in (None, outsider):
        browser = browser_of(user)

        def answered(method: str, address: str, asks: Client = browser) -> tuple[int, str, dict[str, str]]:
            answer = getattr(asks, method)(address)
            heads = dict(answer.headers) | {"Content-Length": "", "X-Request-ID": ""}
            heads["Location"] = heads.get("Location", "").replace(
                "/none/", "/toy/"
            )  # of the admin: to sign in
            return answer.status_code, "" if answer.streaming else text_of(answer), heads

        for method in ("get", "head", "options", "post"):
            told_apart = {
                address
                for address in hidden
                if answered(method, address) != answered(method, re.sub(r"\btoy\b", "none", address))
            }
            assert told_apart == set()


def test_the_layer_before_django_serves_no_page_of_it_either(site, toy, staff, monkeypatch):
    monkeypatch.setattr("leaderboard.serving.page_server.POLL_SECONDS", 0)
    passed_on: list[str] = []

    def django(environ: dict[str, str], start_response: object) -> list[bytes]:
        passed_on.append(environ["PATH_INFO"])
        return []

    layer = PublishedPages(django)
    paths = [path for path in Page.objects.values_list("pk", flat=True) if is_of_toy(path)]

    def walk() -> set[str]:
        """The paths that the layer leaves to Django, which asks who may see them."""
        passed_on.clear()
        for path in paths:
            environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "wsgi.url_scheme": "http"}
            list(layer(environ, lambda *_: None))
        return set(passed_on)

    assert walk() == set()
    hide(toy, Visibility.PRIVATE, staff)
    assert walk() == set(paths)
    hide(toy, Visibility.UNLISTED, staff)
    assert {path for path in walk() if path.startswith("/benchmarks/")} == set()
    assert not tells_of(toy, Client().get("/").content.decode())
    assert "/benchmarks/toy" not in read(Client().get("/search/?q=toy")).decode()


def test_members_and_roles_see_a_private_benchmark_and_roles_alone_a_draft(site, toy, staff, owner):
    reader = person("reader")
    appoint(toy, reader, Role.READER)
    TeamRegistration.objects.create(
        benchmark=toy, team=owner.teams.first(), asked_by=owner, asked_at=NOW, approved_at=NOW
    )
    for visibility, statuses in ((Visibility.PRIVATE, (200, 200)), (Visibility.DRAFT, (404, 200))):
        hide(toy, visibility, staff)
        answers = [browser_of(user).get("/benchmarks/toy/") for user in (owner, reader)]
        assert tuple(answer.status_code for answer in answers) == statuses
        assert answers[1]["Cache-Control"] == "private, no-store"
        lists = [browser_of(user).get("/api/v1/benchmarks/").content.decode() for user in (owner, reader)]
        assert tuple(200 if '"toy"' in text else 404 for text in lists) == statuses
