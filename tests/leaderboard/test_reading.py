"""Boards sorted, filtered and shaded by their query string: answered by Django, from what is published."""

import gzip
import json
import re
import threading
import time
import tracemalloc
from typing import Any

import pytest
from django.test import Client, RequestFactory

from benchmarks.models import Benchmark
from leaderboard.board.model.board import Board
from leaderboard.board.tables.board_query import BoardQuery
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.publication.services import refresh_stale
from leaderboard.rendering.held_values import HeldValues
from leaderboard.rendering.row_files import ReadTable
from leaderboard.serving import board_views as reading
from leaderboard.serving.board_views import Readings, asks_for_reading
from leaderboard.serving.page_server import PageStore, PublishedPages
from submissions.models import System
from tests.conftest import NOW, the_system, the_team, the_toy
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, WEEK, run_batch, upload

BOARD = "/benchmarks/toy/"
A_PAGE = 20_000  # bytes that a page of this board is held in, at most


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    """Release 1 has one system and release 2 a better one besides."""
    system, phase, team = the_system(), the_toy().phases.get(), the_team()
    System.objects.filter(pk=system.pk).update(tags=["few-shot"])
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    other = System.objects.create(team=team, name="Zenith", tags=["large"], created_at=NOW)
    upload(other, phase, mood=ALL_RIGHT, at=NOW + WEEK)
    run_batch(CUT_OFF + WEEK)


def get(query: str, path: str = BOARD, **headers: Any) -> Any:
    return Client(headers=headers or None).get(f"{path}?{query}" if query else path)


def page(query: str, path: str = BOARD) -> str:
    return str(get(query, path).content.decode())


def shown(text: str) -> list[str]:
    """The names of the systems in the table, from the top."""
    body = text[text.index("<tbody") : text.index("</tbody>")]
    return re.findall(r'<tr class="system">.*?<a href="[^"]*">([^<]*)</a>', body)


def test_rows_are_sorted_and_filtered_and_the_rest_of_the_page_stays(released, system):
    plain = page("")
    assert shown(plain) == ["Zenith", system.name]
    turned = page("sort=-overall")
    assert shown(turned) == [system.name, "Zenith"]
    assert "ranks are those of the official order" in turned
    assert shown(page("tag=large")) == ["Zenith"]
    assert shown(page("q=zEn")) == ["Zenith"]
    for mark, side in (("<!--board 2-->", 0), ("<!--/board-->", 2)):
        assert mark in plain
        assert turned.partition(mark)[side] == plain.partition(mark)[side]


def test_a_board_without_such_rows_says_so(released):
    assert "No row is like that." in page("q=not+there")


def test_heat_map_shades_every_column_and_says_how(released):
    text = page("view=heat")
    assert "heat-4" in text
    assert "Shades run from the worst score" in text
    assert "heat-4" not in page("")


def test_a_page_without_a_board_is_answered_as_it_is(released):
    assert get("q=x", "/benchmarks/toy/releases/").status_code == 200
    assert get("q=x", "/benchmarks/nothing/").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "sort=%FF&q=%ED%A0%80",
        "q=" + "x" * 5000,
        "&".join(["tag=x"] * 3000),
        "q=%0A%0D<script>",
        "sort=--&view=%",
    ],
    ids=["no-utf8", "long", "many", "control", "percent"],
)
def test_no_query_breaks_the_page(released, query):
    answer = get(query)
    assert answer.status_code == 200
    assert b"<script>" not in answer.content


def test_answer_is_validated_without_being_made_again_and_names_the_plain_page(released):
    first = get("tag=large")
    assert first["Link"] == '</benchmarks/toy/>; rel="canonical"'
    again = get("tag=large", **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert get("tag=few-shot")["ETag"] != first["ETag"]


def test_only_boards_that_are_asked_for_so_are_drawn():
    assert not asks_for_reading(BOARD, "")
    assert not asks_for_reading(BOARD, "utm_source=mail")
    assert not asks_for_reading("/benchmarks/toy.json", "q=x")
    assert asks_for_reading(BOARD, "q=x")
    assert asks_for_reading("/benchmarks/toy/releases/1/tasks/mood/", "a=b&sort=overall")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[ReadTable]:
    """The tables that are drawn from now on, where none is held yet."""
    tables: list[ReadTable] = []
    text = ReadTable.text

    def noted_text(table: ReadTable) -> str:
        tables.append(table)
        return text(table)

    monkeypatch.setattr(ReadTable, "text", noted_text)
    monkeypatch.setattr(reading, "_READINGS", Readings(3 * A_PAGE))
    monkeypatch.setattr(reading, "_WRITTEN", Readings(3 * A_PAGE))
    return tables


def test_queries_that_ask_for_the_same_are_drawn_once(released, drawn):
    pages = {
        page(query)
        for query in ("tag=large&sort=team", "sort=team&tag=large", "q=&sort=team&tag=large&tag=large")
    }
    assert (len(pages), len(drawn)) == (1, 1)
    assert page("tag=large&sort=system") not in pages
    assert len(drawn) == 2


def test_what_readers_write_themselves_pushes_nothing_out_that_links_ask_for(released, drawn):
    first = page("sort=team")
    for number in range(9):
        page(f"q=nothing{number}")
        page(f"sort=nothing{number}")
    count = len(drawn)
    assert page("sort=team") == first
    assert len(drawn) == count
    page("q=nothing0")
    assert len(drawn) == count + 1  # long gone


def test_what_is_held_is_bounded_in_bytes_with_what_it_costs_to_hold():
    held, count = Readings(1_000_000), 5000
    tracemalloc.start()
    try:
        for number in range(count):
            path, etag, search = f"/benchmarks/{number}/", f"{number:032x}", BoardQuery(search=f"{number}")
            held.shown((path, etag), (path, etag[::-1], search), lambda: bytes(100))
        assert tracemalloc.get_traced_memory()[0] <= 1_000_000
    finally:
        tracemalloc.stop()
    assert held.asked(("/benchmarks/0/", f"{0:032x}")) is None
    assert held.asked((path, etag))


def test_of_large_boards_fewer_are_kept_drawn_but_the_last_always(released, monkeypatch):
    drawn_of: list[str] = []

    def noted_table(board: Board, *, view: str) -> TableView:
        drawn_of.append(board.task or "overall")
        return table(board, view=view)

    monkeypatch.setattr(reading, "_TABLES", HeldValues(1, lambda drawn: drawn[0].cell_count))
    monkeypatch.setattr(reading, "_WRITTEN", Readings(0))
    monkeypatch.setattr(reading, "table", noted_table)
    for number, path in enumerate((BOARD, f"{BOARD}tasks/mood/", f"{BOARD}tasks/mood/", BOARD)):
        page(f"sort=team&q={number}", path)
    assert drawn_of == ["overall", "mood", "overall"]


def test_reader_is_told_to_come_again_while_others_wait_for_their_boards(released, drawn, monkeypatch):
    monkeypatch.setattr(reading, "PATIENCE", 0)
    kept = page("tag=large")
    with reading._places:  # another reader has it
        answer = get("sort=team")
        assert page("tag=large") == kept
        assert get("").status_code == 200
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert get("sort=team").status_code == 200


def test_the_next_board_waits_as_long_as_others_work_and_no_longer(monkeypatch):
    others = [True, True, True, False]  # during the first board, in two glances, in the third
    asked: list[bool] = []

    def others_work(_glance: reading.Glance) -> bool:
        asked.append(others[len(asked)])
        return asked[-1]

    monkeypatch.setattr(reading.Glance, "others_work", others_work)
    monkeypatch.setattr(reading, "REST", 1e9)  # however short the work is, a second is slept off
    rest = reading.Rest()
    with rest:
        sum(range(1000))
    rest.__enter__()
    assert asked == others


def test_a_board_beside_which_no_other_worked_is_not_slept_off(monkeypatch):
    monkeypatch.setattr(reading.Glance, "others_work", lambda _glance: False)
    monkeypatch.setattr(reading, "REST", 1e9)
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    for _ in range(3):
        with reading.Rest():
            sum(range(1000))
    assert slept == []


def test_a_process_sees_that_its_other_threads_work():
    def others_work(own_seconds: float = 0.0) -> bool:
        glance = reading.Glance()
        time.sleep(0.1)
        while glance.own() < own_seconds:
            sum(range(1000))
        return glance.others_work()

    def at_some_time(expected: bool, own_seconds: float = 0.0) -> bool:
        """A busy machine may take the processor from one glance, and not from fifty."""
        return any(others_work(own_seconds) is expected for _ in range(50))

    assert at_some_time(False)
    assert at_some_time(False, own_seconds=0.05), "what one does oneself is no reason to rest"
    is_over = threading.Event()

    def work() -> None:
        while not is_over.is_set():
            sum(range(1000))

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert at_some_time(True)
        assert at_some_time(True, own_seconds=0.05)
    finally:
        is_over.set()
        worker.join()


@pytest.mark.parametrize(
    "path", ["/benchmarks/toy/compare/", "/search/", "/benchmarks/toy/none/", "/api/v1/benchmarks/"]
)
def test_pages_that_django_draws_for_a_reader_wait_for_their_turn(path, released, monkeypatch):
    """Before they take one of Django's places: whoever uploads or signs in does not wait for them."""
    asked: list[str] = []
    monkeypatch.setattr(reading, "PATIENCE", 0)
    monkeypatch.setattr(PageStore, "get", lambda *_: None)

    def ask(method: str = "GET") -> tuple[str, bytes]:
        def in_django(environ: dict[str, Any], start_response: Any) -> list[bytes]:
            asked.append(environ["PATH_INFO"])
            start_response("200 OK", [])
            return [b"drawn"]

        started: list[str] = []
        environ = RequestFactory().generic(method, f"{path}?q=x").environ
        body = b"".join(PublishedPages(in_django)(environ, lambda status, _headers: started.append(status)))
        return started[0], body

    with reading._places:  # another reader has it
        status, said = ask()
        assert status == "503 Service Unavailable"
        assert b"Please try again in a few seconds." in said
        if path.startswith("/api/"):
            assert json.loads(said)["code"] == "busy"
        assert ask("HEAD") == (status, b"")
    assert asked == []
    assert ask() == ("200 OK", b"drawn")
    assert asked == [path]


def test_crowd_does_not_have_a_proxy_show_its_copy_of_a_page_that_was_hidden(released, monkeypatch):
    """Which it does where the answer is 503; the copy is of the time when everybody might read the page."""
    monkeypatch.setattr(reading, "PATIENCE", 0)
    published = PublishedPages(lambda *_: pytest.fail("asked Django"))
    Benchmark.objects.filter(pk="toy").update(visibility="private")
    told = {}
    with reading._places:  # another reader has it
        for path in ("/benchmarks/toy/", "/benchmarks/toy.json", "/benchmarks/toy/none/"):
            environ = RequestFactory().get(path).environ
            b"".join(published(environ, lambda status, _headers, path=path: told.update({path: status})))

    assert told == {
        "/benchmarks/toy/": "404 Not Found",
        "/benchmarks/toy.json": "404 Not Found",
        "/benchmarks/toy/none/": "503 Service Unavailable",
    }


@pytest.mark.parametrize(
    "known",
    [
        {"HTTP_AUTHORIZATION": "Token x"},
        {"HTTP_COOKIE": "a=b; heldout_session=x"},
        {"REQUEST_METHOD": "POST"},
    ],
)
@pytest.mark.parametrize("path", ["/benchmarks/toy/none/", "/api/v1/benchmarks/"])
def test_who_is_known_or_sends_something_waits_for_no_turn(path, known, monkeypatch):
    monkeypatch.setattr(reading, "PATIENCE", 0)
    monkeypatch.setattr(PageStore, "get", lambda *_: None)
    environ = RequestFactory().get(path).environ | known
    with reading._places:  # another reader has it
        assert PublishedPages(lambda *_: [b"answered"])(environ, lambda *_: None) == [b"answered"]


def test_boards_are_read_otherwise_without_django(released):
    def ask(query: str, method: str = "GET", **headers: str) -> tuple[str, dict[str, str], bytes]:
        environ = RequestFactory().generic(method, f"{BOARD}?{query}").environ | headers
        started: list[Any] = []
        body = b"".join(PublishedPages(None)(environ, lambda *head: started.append(head)))  # type: ignore[arg-type]
        ((status, fields),) = started
        return status, dict(fields), body

    status, fields, body = ask("sort=-overall")
    assert status == "200 OK"
    assert body.decode() == page("sort=-overall")
    assert (fields["Vary"], fields["Link"]) == ("Accept-Encoding", f'<{BOARD}>; rel="canonical"')
    _, packed, compressed = ask("sort=-overall", HTTP_ACCEPT_ENCODING="gzip")
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed) == body
    assert ask("sort=-overall", "HEAD")[1:] == (fields, b"")
    assert ask("sort=-overall", HTTP_IF_NONE_MATCH=fields["ETag"])[0].startswith("304 ")


def test_anonymous_systems_cannot_be_searched_for_by_name_or_tag(released):
    Benchmark.objects.all().mark_stale(is_anonymous=True, archive=True)
    refresh_stale()
    text = page("q=zenith")
    assert "No row is like that." in text
    assert "large" not in page("tag=large").replace("“large”", "").replace("summary_large_image", "")
