"""Pages of systems are drawn for their readers: answered like published ones, and as new as these."""

import gzip
import threading
from typing import Any

import pytest
from django.test import Client, RequestFactory

from benchmarks.models import Benchmark
from leaderboard.board.model.board import Board
from leaderboard.models import Page, Printing, Release, ReleasePlace
from leaderboard.pages import rendered_release
from leaderboard.pages import system_pages as drawing
from leaderboard.pages.system_pages import system_pages
from leaderboard.publication import services
from leaderboard.publication.log_comparison import LogComparison
from leaderboard.publication.log_entries import log_pages
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import Visibility, set_visibility
from leaderboard.rendering.held_values import HeldValues
from leaderboard.rendering.release_places import heads_of
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.serving import board_views, drawn_pages, page_server
from submissions.models import System
from submissions.systems.services import change_system
from tests.conftest import the_system, the_toy
from tests.leaderboard.test_gold_changes import correct
from tests.published import systems_published
from tests.web_layer import Web
from tests.weeks import CUT_OFF, HALF_WRONG, WEEK, run_batch, upload
from transparency.models import LogEntry

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]
NOBODY = "/systems/00000000-0000-4000-8000-000000000000/"


@pytest.fixture
def web() -> Web:
    return Web()


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    upload(the_system(), the_toy().phases.get(), mood=HALF_WRONG)
    run_batch(CUT_OFF)


@pytest.fixture
def path(system: System) -> str:
    return f"/systems/{system.pk}/"


def next_week(system: System) -> None:
    upload(system, the_toy().phases.get(), at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)


def test_all_that_a_system_has_is_answered_with_the_headers_of_what_is_published(released, web, path):
    drawn = systems_published()
    types = {
        path: "text/html; charset=utf-8",
        f"{path}badges/toy.svg": "image/svg+xml; charset=utf-8",
        f"{path}model-index.yaml": "application/yaml; charset=utf-8",
    }
    assert drawn.keys() == types.keys()
    for each, content_type in types.items():
        status, headers, body = web.get(each)
        assert (status, body, headers["Content-Type"]) == (200, drawn[each], content_type)
        assert ("Access-Control-Allow-Origin" in headers) == (each != path)
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert gzip.decompress(web.get(each, accept_encoding="gzip")[2]) == body
        assert web.get(each, method="HEAD")[1:] == (headers, b"")
        assert web.get(each, if_none_match=headers["ETag"])[::2] == (304, b"")


def test_one_that_is_held_costs_no_query(released, web, path, django_assert_num_queries):
    web.get(path)
    with django_assert_num_queries(0):
        web.get(path)


def test_badges_are_drawn_with_the_page_that_shows_them(released, web, path, monkeypatch):
    badge = f"{path}badges/toy.svg"
    web.get(path)
    monkeypatch.setattr(drawn_pages, "system_pages", None)
    assert web.get(badge)[2] == systems_published()[badge]


def test_a_new_release_is_on_it_a_moment_later(released, web, path, system):
    assert b"releases/2/" not in web.get(path)[2]
    next_week(system)
    web.a_moment_later()
    assert b"releases/2/" in web.get(path)[2]


def test_what_its_team_changes_is_on_it_with_the_next_sweep(released, web, path, system):
    web.get(path)
    change_system(system=system, description="Made of wood.")
    refresh_stale()
    web.a_moment_later()
    assert b"Made of wood." in web.get(path)[2]


def test_of_a_benchmark_that_is_private_it_tells_nothing_a_moment_later(released, web, path, toy, staff):
    assert web.get(path)[0] == 200
    set_visibility(benchmark=toy, visibility=Visibility.PRIVATE, by=staff)
    web.a_moment_later()
    for each in (path, f"{path}badges/toy.svg", f"{path}model-index.yaml"):
        assert web.get(each)[1] == {"X-From": "Django"}
        assert Client().get(each).status_code == 404


@pytest.mark.parametrize("asked", [NOBODY, f"{NOBODY}badges/toy.svg", "/systems/none/", "/systems/new/"])
def test_nothing_is_drawn_of_what_is_no_system(released, web, asked, monkeypatch):
    monkeypatch.setattr(drawn_pages, "place_to_draw", None)
    assert web.get(asked)[1] == {"X-From": "Django"}


def test_a_badge_of_a_benchmark_that_it_never_stood_in_is_none(released, web, path):
    assert web.get(f"{path}badges/raft.svg")[1] == {"X-From": "Django"}


def test_readers_are_turned_away_for_a_moment_while_too_many_wait(released, web, path, monkeypatch):
    monkeypatch.setattr(board_views, "_queue", threading.BoundedSemaphore(1))
    with board_views._queue:
        for answered in (web.get(path)[:2], _from_django(path)):
            assert answered[0] == 503
            assert answered[1]["Retry-After"] == "3"
        assert web.get("/benchmarks/toy/")[0] == 200
    assert web.get(path)[0] == 200
    with board_views._queue:
        assert web.get(path)[0] == 200


@pytest.mark.parametrize("query", ["", "sort=-overall"])
def test_who_waits_until_others_pages_are_drawn_has_no_connection_to_the_database(
    released, web, path, query, monkeypatch
):
    held: list[int] = []

    class Places:
        def acquire(self, timeout: float) -> bool:
            held.append(web.connections)
            return True

        def release(self) -> None:
            held.append(web.connections)

    def drawn(one: System) -> list[RenderedPage]:
        held.append(web.connections)
        return system_pages(one)

    monkeypatch.setattr(board_views, "_places", Places())
    monkeypatch.setattr(drawn_pages, "system_pages", drawn)
    asked = "/benchmarks/toy/" if query else path
    environ = RequestFactory().get(f"{asked}?{query}").environ
    list(web.application(environ, lambda *_: None))
    assert held == ([0, 0] if query else [0, 1, 0])


def test_what_is_not_there_to_be_drawn_is_answered_at_once_by_django_in_its_turn(released, path, monkeypatch):
    """Django looks for it as well, in the thread that has the place to draw; it must not wait for itself."""
    monkeypatch.setattr(board_views, "PATIENCE", 0)
    answered: list[str] = []

    def in_django(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response(str(_from_django(environ["PATH_INFO"])[0]), [])
        return []

    for asked in (f"{path}badges/raft.svg", "/benchmarks/toy-rows.json"):
        environ = RequestFactory().get(asked).environ
        list(page_server.PublishedPages(in_django)(environ, lambda status, _: answered.append(status)))
    assert answered == ["404", "404"]


def _from_django(path: str) -> tuple[int, dict[str, str]]:
    answer = Client().get(path)
    return answer.status_code, dict(answer.headers)


def test_what_another_reader_had_drawn_meanwhile_is_not_drawn_again(released, path, monkeypatch):
    page = drawn_pages.find_page(path)
    monkeypatch.setattr(drawn_pages, "system_pages", None)
    assert drawn_pages.find_page(path, held=lambda: page) is page


def test_one_whose_release_comes_out_while_it_is_drawn_is_drawn_again(released, path, system, monkeypatch):
    times: list[int] = []

    def slowly(one: System) -> list[RenderedPage]:
        pages = system_pages(one)
        if not times:
            next_week(system)
        times.append(1)
        return pages

    monkeypatch.setattr(drawn_pages, "system_pages", slowly)
    page = drawn_pages.find_page(path)
    assert page is not None
    assert b"releases/2/" in page.plain
    assert page.printing == Printing.objects.get().number
    assert len(times) == 2


def test_pages_that_nobody_has_asked_for_longest_are_held_no_more(released, web, path, monkeypatch):
    two = [page for asked in ("/", path) if (page := drawn_pages.find_page(asked))]
    monkeypatch.setattr(
        page_server, "MAX_HELD_BYTES", sum(page_server.PAGE_COSTS + len(page.packed) for page in two)
    )
    web.application._store = page_server.PageStore(clock=lambda: 0.0)
    for asked in ("/", "/benchmarks/toy/", "/", path, "/"):
        web.get(asked)
    held = [asked for asked in ("/", "/benchmarks/toy/", path) if web.application._store._pages.find(asked)]
    assert held == ["/", path]


def test_rows_of_pages_from_before_are_served_no_more_and_the_log_hears_that_they_are_gone(
    released, web, path
):
    """Code of before stored them; that of now takes them away when it draws the benchmark next."""
    benchmark, printing = Benchmark.objects.get(pk="toy"), services.next_printing()
    old = RenderedPage(path, "text/html; charset=utf-8", b"from before")
    services.put_pages([old], benchmark, printing)
    log_pages("toy", [old], reason="as before")
    web.a_moment_later()
    assert web.get(path)[2] == systems_published()[path]

    services.refresh(benchmark)

    assert not Page.objects.filter(path__startswith="/systems/").exists()
    newest = LogEntry.objects.filter(benchmark="toy").order_by("-index")[0]
    assert newest.facts["pages"][path] is None
    assert [*LogComparison().of_release(Release.objects.get().pk)] == []


def test_a_release_of_code_that_kept_no_places_gets_them_at_the_next_drawing(
    released, path, system, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setattr(services, "keep_places", lambda releases: None)
        next_week(system)
    assert ReleasePlace.objects.filter(release__number=2).count() == 0

    services.refresh(the_toy())

    assert ReleasePlace.objects.filter(release__number=2).count() == 1
    assert b"/benchmarks/toy/releases/2/" in systems_published()[path]


def test_what_a_release_of_before_was_ranked_on_is_told_by_its_cells(released, path, system, monkeypatch):
    correct(the_toy())
    next_week(system)
    said = systems_published()[path]
    assert "Not comparable: mood: gold labels 1 \N{RIGHTWARDS ARROW} 2".encode() in said
    asked: list[int | None] = []

    def without_reports(slug: str, before: int | None) -> list[tuple[Board, None]]:
        asked.append(before)
        return [(board, None) for board, _ in heads_of(slug, before)]

    monkeypatch.setattr(rendered_release, "heads_of", without_reports)
    assert systems_published()[path] == said
    assert asked


def test_the_newest_board_is_read_once_for_all_its_systems(released, path, monkeypatch):
    monkeypatch.setattr(drawing, "_NEWEST", HeldValues(10_000, lambda board: board.cell_count))
    first = systems_published()
    monkeypatch.setattr(drawing, "from_dict", None)
    assert systems_published() == first
