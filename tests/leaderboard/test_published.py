"""Published pages: answered before Django, from one printing, even while the database is away."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connections, transaction

from benchmarks.models import Phase
from leaderboard.models import Page, Printing
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import publish
from leaderboard.serving import page_server as published
from leaderboard.serving.page_server import POLL_SECONDS, answer
from leaderboard.serving.served_page import ServedPage
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import System
from tests.conftest import the_system, the_toy
from tests.web_layer import BOARD, Web
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


@pytest.fixture
def web() -> Web:
    return Web()


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    release(the_system(), the_toy().phases.get())


@pytest.fixture
def really_released(system: System, phase: Phase) -> None:
    """The same, committed."""
    release(system, phase)


def release(system: System, phase: Phase) -> None:
    """Release 1 is out, and a batch is scored that makes release 2."""
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    upload(system, phase, mood=ONE_WRONG, at=CUT_OFF)
    close_due(CUT_OFF + WEEK)
    score_all_due(CUT_OFF + WEEK)
    finish_batches(CUT_OFF + WEEK)
    watch_batches(CUT_OFF + WEEK)


def publish_second() -> None:
    publish(batch=Batch.objects.ready().get(), now=CUT_OFF + WEEK)


def test_a_page_is_answered_with_its_bytes(released, web):
    status, headers, body = web.get(BOARD)

    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert body == bytes(Page.objects.get(pk=BOARD).body)
    assert headers["Content-Length"] == str(len(body))


def test_a_page_is_left_to_django_to_refuse_where_the_site_has_another_name(released, web):
    assert web.get(BOARD, host="testserver:8000")[0] == 200
    for host in ("evil.example", "evil.example:80", "", "[", "testserver.evil.example"):
        assert web.get(BOARD, host=host)[1] == {"X-From": "Django"}


def test_a_held_page_costs_no_query(released, web, django_assert_num_queries):
    web.get(BOARD)
    with django_assert_num_queries(0):
        web.get(BOARD)


def test_an_unchanged_page_is_answered_with_304_and_no_body(released, web):
    etag = web.get(BOARD)[1]["ETag"]
    status, headers, body = web.get(BOARD, if_none_match=etag)
    assert (status, body, headers["ETag"]) == (304, b"", etag)


def test_an_etag_of_the_release_before_is_answered_with_the_new_page(released, web):
    etag = web.get(BOARD)[1]["ETag"]
    publish_second()
    web.a_moment_later()
    assert web.get(BOARD, if_none_match=etag)[0] == 200


def test_a_browser_that_takes_gzip_gets_it(released, web):
    plain = web.get(BOARD)[2]
    _, headers, body = web.get(BOARD, accept_encoding="br, gzip")
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Content-Length"] == str(len(body))
    assert gzip.decompress(body) == plain


def test_head_has_the_headers_of_get_and_no_body(released, web):
    _, get_headers, _ = web.get(BOARD)
    status, headers, body = web.get(BOARD, method="HEAD")
    assert (status, headers, body) == (200, get_headers, b"")


@pytest.mark.parametrize("path", ["/benchmarks/none/", "/benchmarks/%00", "/benchmarks/%FF/", "/elsewhere/"])
def test_what_is_not_published_is_left_to_django(released, web, path):
    status, headers, _ = web.get(path)
    assert (status, headers.get("X-From")) == (404, "Django")


def test_a_post_is_left_to_django(released, web):
    assert web.get(BOARD, method="POST")[1]["X-From"] == "Django"


def test_unknown_addresses_do_not_fill_the_memory(released, web, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(published, "MAX_HELD_BYTES", 10_000)
    for number in range(20):
        web.get(f"/benchmarks/unknown{number}/")
    web.get(BOARD)
    with django_assert_num_queries(0):
        web.get(BOARD)


def test_a_new_release_is_seen_a_moment_later(released, web):
    assert web.release() == 1
    publish_second()
    web.a_moment_later()
    assert web.release() == 2


def test_one_new_page_makes_all_old_ones_forgotten_at_once(released, web):
    assert web.release() == 1
    publish_second()
    assert web.release("/benchmarks/toy/tasks/mood.json") == 2  # not held, so fetched anew
    assert web.release() == 2


def test_a_page_that_was_fetched_before_a_release_is_not_held_after_it(released, web, monkeypatch):
    web.get("/")
    with monkeypatch.context() as patch:
        filter_pages = Page.objects.filter

        def _slowly(**query: Any) -> list[Page]:
            patch.undo()
            found = _List(filter_pages(**query).select_related("stored"))
            publish_second()
            web.a_moment_later()
            web.release("/benchmarks/toy/tasks/mood.json")  # another thread meets the new printing meanwhile
            return found

        patch.setattr(Page.objects, "filter", _slowly)
        assert web.release() == 1  # this one began before the release

    assert web.release() == 2


class _List(list[Page]):
    def of_everybody(self) -> "_List":
        return self

    def select_related(self, _name: str) -> "_List":
        return self

    def first(self) -> Page:
        return self[0]


def test_an_address_asked_for_before_its_release_is_found_after_it(released, web, monkeypatch):
    assert web.get("/benchmarks/toy/releases/2.json")[0] == 404
    publish_second()
    web.a_moment_later()
    assert web.get("/benchmarks/toy/releases/2.json")[0] == 200


@pytest.mark.parametrize("error", [OperationalError, InterfaceError, DatabaseError])
def test_held_pages_are_served_while_the_database_is_away(released, web, monkeypatch, error):
    body = web.get(BOARD)[2]

    def _away(*arguments: Any, **options: Any) -> Any:
        raise error("the database is away")

    monkeypatch.setattr(Page.objects, "filter", _away)
    monkeypatch.setattr(Printing.objects, "filter", _away)
    web.a_moment_later()

    assert web.get(BOARD)[2] == body
    assert web.get("/benchmarks/toy.csv")[0] == 404


def test_nothing_of_a_release_is_seen_before_its_commit(released, web):
    with transaction.atomic():
        publish_second()
        transaction.set_rollback(True)
    web.a_moment_later()

    assert web.release() == 1
    assert web.get("/benchmarks/toy/releases/2.json")[0] == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("pause", "shown"), [(POLL_SECONDS, 1), (3600, 2)])
def test_reader_who_comes_while_another_asks_is_shown_nothing_of_long_ago(really_released, pause, shown):
    web, asks, may_go_on, seen = Web(), threading.Event(), threading.Event(), []
    assert web.release() == 1

    @contextmanager
    def slow_database() -> Iterator[None]:
        asks.set()
        assert may_go_on.wait(10)
        yield

    def read() -> None:
        try:
            seen.append(web.release())
        finally:
            connections.close_all()

    first, second = threading.Thread(target=read), threading.Thread(target=read)
    publish_second()
    web.application._store._database = slow_database
    web.now += pause
    first.start()
    assert asks.wait(10)
    second.start()
    second.join(0.2)
    assert seen == ([1] if shown == 1 else [])
    may_go_on.set()
    first.join()
    second.join()
    assert sorted(seen) == [shown, 2]


@pytest.mark.django_db(transaction=True)
def test_readers_during_publication_see_the_old_release_and_then_the_new_one(really_released):
    """Through one store, whoever has seen a page of release 2 never sees one of release 1 again."""
    web = Web()
    paths = [BOARD, "/benchmarks/toy/tasks/mood.json", "/benchmarks/toy/tasks/colour.json"]
    seen: list[list[int]] = [[] for _ in range(6)]
    is_over = threading.Event()

    def _read(mine: list[int]) -> None:
        try:
            while not is_over.is_set():
                mine.extend(web.release(path) for path in paths)
        finally:
            connections.close_all()

    readers = [threading.Thread(target=_read, args=(mine,)) for mine in seen]
    web.application._store = published.PageStore(clock=_restless_clock())
    for reader in readers:
        reader.start()
    publish_second()
    patience = time.monotonic() + 30
    while not all(mine[-1:] == [2] for mine in seen) and time.monotonic() < patience:
        time.sleep(0.01)
    is_over.set()
    for reader in readers:
        reader.join()

    assert all(mine == sorted(mine) for mine in seen)
    assert all(mine[-1] == 2 for mine in seen)


def _restless_clock() -> Any:
    """Every question comes after a pause long enough to look at the printing again."""
    ticks = iter(range(10_000_000))
    return lambda: float(next(ticks))


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_of_the_pages_never_mixes_releases(really_released):
    """Within one reading transaction every current board carries the same release."""
    snapshots: list[set[int]] = []
    is_over = threading.Event()

    def _look() -> None:
        try:
            while not is_over.is_set():
                found = Page.objects.filter(path__startswith="/benchmarks/toy", path__endswith=".json")
                current = found.exclude(path__contains="/releases/")
                snapshots.append({json.loads(bytes(page.body))["release"] for page in current})
        finally:
            connections.close_all()

    reader = threading.Thread(target=_look)
    reader.start()
    publish_second()
    time.sleep(0.3)
    is_over.set()
    reader.join()

    assert {frozenset(one) for one in snapshots} <= {frozenset({1}), frozenset({2})}
    assert snapshots[-1] == {2}


def test_a_page_carries_the_headers_that_protect_readers(released):
    _, headers, _ = answer(ServedPage.of(Page.objects.get(pk="/benchmarks/toy/")), "", "")
    fields = dict(headers)
    assert "default-src 'none'" in fields["Content-Security-Policy"]
    assert fields["X-Content-Type-Options"] == "nosniff"
    assert fields["Cache-Control"].split(",")[0] == "no-cache"


def test_the_view_answers_like_the_wsgi_layer(released, web, client):
    _, headers, body = web.get(BOARD)
    response = client.get(BOARD)
    assert response.content == body
    assert response["ETag"] == headers["ETag"]
