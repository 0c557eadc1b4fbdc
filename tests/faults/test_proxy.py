"""The installation's proxy: nobody who is slow, away or too many keeps others from reading; restarts lose nothing."""

import gzip
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count, product
from statistics import median, quantiles

import pytest

from tests.faults.board import BOARD, HTML, PRIVATE
from tests.faults.proxy import Proxy, find_nginx
from tests.faults.unmeasured import answer_to_unmeasured
from tests.faults.web import CHUNKED, HALF_SENT, MADE_UP, Web, post, said
from tests.ops.demos import ROOT, plain_environment

pytestmark = pytest.mark.faults


@dataclass(frozen=True)
class Site:
    """Two web servers behind a proxy, the token of somebody who may upload, and the servers' environment."""

    proxy: Proxy
    webs: tuple[Web, Web]
    token: str
    given: dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    nginx = find_nginx()
    if nginx is None:
        pytest.skip("nginx is not installed: the proxy is NOT tested")
    folder = tmp_path_factory.mktemp("site")
    given = {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(folder), "HELDOUT_PROXIES": "1"}
    token = _put(given)
    webs = tuple(Web("config.wsgi:application", folder / f"web{number}.log", **given) for number in (1, 2))
    for web in webs:
        web.wait_until_ready()
    proxy = Proxy(nginx, folder / "proxy", (webs[0].port, webs[1].port))
    yield Site(proxy, (webs[0], webs[1]), token, given)
    proxy.stop()
    for web in webs:
        web.stop()


def _put(given: dict[str, str], *board: str) -> str:
    """Put what `tests.faults.board` does into the database of that environment; what it prints."""
    command = [sys.executable, "-m", "tests.faults.board", *board]
    environment = plain_environment() | given
    return subprocess.run(
        command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def drip(clients: list, ended: threading.Event) -> None:
    while not ended.wait(2):
        for client in clients:
            with suppress(OSError):
                client.sendall(b"x")


LONG = 3.5  # seconds after which a copy is shown only while no server answers
HUNG_FOR = 25  # seconds after which a copy is shown where web servers have taken the question and say nothing
ASKED_AGAIN = 2.5  # seconds after which the proxy sends requests to a server that was gone


@pytest.fixture
def slow(site: Site) -> Iterator[Callable[..., None]]:
    """Begins requests that hold their bodies back, each of its own client; every other sends a byte now and then."""
    ended, threads, numbers = threading.Event(), [], count()

    def begin(how_many: int, *headers: str, body: bytes = b"") -> None:
        begun = [
            site.proxy.begin(post("/submit/", *headers), body, client=f"127.0.{1 + n // 200}.{1 + n % 200}")
            for n in (next(numbers) for _ in range(how_many))
        ]
        threads.append(threading.Thread(target=drip, args=(begun[::2], ended)))
        threads[-1].start()

    yield begin
    ended.set()
    for thread in threads:
        thread.join()


def test_board_is_read_at_once_beside_slow_uploads_and_idle_clients(site, slow):
    for _ in range(40):
        site.proxy.begin("GET / HTTP/1.1\nHost: localhost\nX-Unfinished: yes".replace("\n\n", ""))
    slow(200, HALF_SENT, f"Authorization: Token {site.token}", body=b"x" * 1000)
    slow(40, "Content-Length: 60000", body=b"x" * 1000)
    seconds = []
    until = time.monotonic() + 6
    while time.monotonic() < until:
        began = time.perf_counter()
        status, _, body = site.proxy.ask("GET", BOARD)
        seconds.append(time.perf_counter() - began)
        assert (status, body) == (200, HTML)
        other = f"127.0.12.{1 + len(seconds) % 200}"  # no network may ask for so many
        assert site.proxy.ask("GET", "/accounts/login/", client=other)[0] == 200
    assert quantiles(seconds, n=100)[-1] < 0.5


def test_long_body_of_nobody_known_is_refused_before_it_is_sent(site):
    for length in (HALF_SENT, CHUNKED):
        for who in ("X-None: 1", MADE_UP, "Authorization: Token abcdef"):
            answer = said(site.proxy.begin(post("/api/v1/submissions/", length, who, "Connection: close")))
            assert answer.startswith(b"HTTP/1.1 401 ")
            told = json.loads(answer[answer.index(b"{") : answer.rindex(b"}") + 1])
            assert told["code"] == "not_authenticated"
            assert "Sign in" in told["detail"]
    token = {"Authorization": f"Token {site.token}", "Content-Type": "application/octet-stream"}
    status, _, answer = site.proxy.ask("POST", "/api/v1/submissions/", b"x" * 200_000, token)
    assert status == 415, answer  # it has reached the API, which takes forms alone


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/api/v1/submissions/", b"401"),
        ("PATCH", "/api/v1/submissions/", b"401"),
        ("GET", BOARD, b"413"),
        ("DELETE", "/api/v1/submissions/", b"413"),
    ],
)
def test_long_body_without_a_length_is_taken_of_nobody_known_over_http2(site, method, path, status):
    """HTTP/2 knows no chunks: a head without a length may be followed by any number of bytes."""
    with closing(site.proxy.connect(over="h2")) as connection:
        assert status in answer_to_unmeasured(connection, method, path, b"x" * 1_000_000)


def test_too_large_a_body_is_refused_in_words_by_its_length(site):
    head = post(
        "/submit/", "Content-Length: 200000000", f"Authorization: Token {site.token}", "Connection: close"
    )
    answer = said(site.proxy.begin(head))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"larger than 100 MB" in answer


def test_one_client_among_many_is_held_back_and_told_when_to_come_again(site):
    ask = "GET /search/?text=x HTTP/1.1\nHost: localhost\nConnection: close"
    sent = [site.proxy.begin(ask, client="127.0.9.9") for _ in range(300)]  # no answer is waited for
    refused = [answer for answer in map(said, sent) if answer.startswith(b"HTTP/1.1 429 ")]
    assert refused
    assert b"Retry-After: 5\r\n" in refused[0]
    assert b"came from your network at once" in refused[0]
    assert site.proxy.ask("GET", "/search/?text=x", client="127.0.9.10")[0] == 200
    assert {site.proxy.ask("GET", BOARD, client="127.0.9.9")[0] for _ in range(100)} == {200}


@pytest.mark.parametrize("path", ["/accounts/login/", "/api/v1/benchmarks/"])
def test_whatever_is_computed_for_a_client_is_counted(site, path):
    client = f"127.0.8.{len(path)}"
    with ThreadPoolExecutor(8) as requests:
        answers = list(requests.map(lambda _: site.proxy.ask("GET", path, client=client)[0], range(500)))
    assert set(answers) == {200, 429}


def test_people_who_ask_for_the_same_page_at_once_do_not_wait_for_each_other(site):
    """nginx can have them, for a page of which it has no copy and may get one: half a second each."""

    def seconds(number: int) -> float:
        began = time.perf_counter()
        assert site.proxy.ask("GET", "/accounts/login/", client=f"127.0.7.{number}")[0] == 200
        return time.perf_counter() - began

    with ThreadPoolExecutor(20) as people:
        waited = list(people.map(seconds, range(1, 21)))
    assert median(waited) < 0.4


def test_web_servers_that_are_busy_are_not_taken_for_gone(site):
    crowd = [site.proxy.connect(f"127.0.{10 + n // 200}.{1 + n % 200}") for n in range(400)]
    for one in crowd:
        one.sendall(b"GET /search/?text=x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    others = [site.proxy.ask("GET", "/accounts/login/")[0] for _ in range(20)]
    answers = [said(one) for one in crowd]
    for one in crowd:
        one.close()
    busy = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503 ")]
    assert busy, "nobody was turned away"
    assert all(b"Many readers are having pages drawn" in answer for answer in busy)
    assert set(others) == {200}


def test_boards_stay_while_no_web_server_answers_and_the_rest_says_so(site):
    site.proxy.ask("GET", BOARD)
    for web in site.webs:
        web.kill()
    time.sleep(LONG)
    try:
        _see_boards_alone(site)
    finally:
        for web in site.webs:
            web.start()
        for web in site.webs:
            web.wait_until_ready()
        time.sleep(ASKED_AGAIN)


def test_boards_are_shown_as_they_were_while_web_servers_hang(site):
    for path in (BOARD, "/"):
        site.proxy.ask("GET", path)
    for web in site.webs:
        web.hang()
    time.sleep(LONG)
    try:
        began = time.monotonic()
        with ThreadPoolExecutor(2) as readers:
            answers = list(readers.map(lambda path: site.proxy.ask("GET", path, within=60), (BOARD, "/")))
        assert [answer[::2] for answer in answers] == [(200, HTML)] * 2
        assert time.monotonic() - began < HUNG_FOR
    finally:
        for web in site.webs:
            web.go_on()
        time.sleep(ASKED_AGAIN)
    assert site.proxy.ask("GET", "/accounts/login/")[0] == 200


def _see_boards_alone(site: Site) -> None:
    for _ in range(3):
        assert site.proxy.ask("GET", BOARD)[::2] == (200, HTML)
    status, headers, answer = site.proxy.ask("GET", "/api/v1/benchmarks/")
    assert (status, headers["Retry-After"]) == (503, "10")
    assert json.loads(answer)["code"] == "unavailable"
    status, headers, answer = site.proxy.ask("GET", "/accounts/login/")
    assert status == 503
    assert headers["Content-Type"].startswith("text/html")
    assert b"not there at this moment" in answer


def test_first_readers_after_a_change_see_it_however_long_nobody_has_read(site):
    assert site.proxy.ask("GET", BOARD)[::2] == (200, HTML)
    try:
        _put(site.given, "<p>Another release.</p>")
        time.sleep(LONG)
        with ThreadPoolExecutor(16) as readers:
            answers = list(readers.map(lambda _: site.proxy.ask("GET", BOARD)[2], range(64)))
        assert set(answers) == {b"<p>Another release.</p>"}
    finally:
        _put(site.given, HTML.decode())
        time.sleep(LONG)


def test_one_copy_of_a_page_is_kept_however_it_is_asked_for(site):
    """Strangers could else fill the folder; where it is full, nginx breaks answers off."""
    assert site.proxy.ask("GET", BOARD)[0] == 200
    before = site.proxy.copies()

    spellings = map("".join, product(*[(letter, f"%{ord(letter):02x}") for letter in "toy"]))
    queries = [f"{BOARD}?{query}" for query in ("a", "a=1", "sort=mood", "q=x")]
    for path in [*(f"/benchmarks/{spelling}/" for spelling in spellings), *queries]:
        for packing in ("gzip", "gzip, br", "identity", "gzip;q=0.5"):
            assert site.proxy.ask("GET", path, headers={"Accept-Encoding": packing})[0] == 200
    assert site.proxy.copies() == before


def test_whoever_takes_nothing_compressed_gets_the_page_as_it_is(site):
    for packing, packed in (("gzip", True), ("identity", False), ("gzip", True)):
        status, headers, body = site.proxy.ask("GET", BOARD, headers={"Accept-Encoding": packing})
        assert (status, headers["Content-Encoding"]) == (200, "gzip" if packed else None)
        assert (gzip.decompress(body) if packed else body) == HTML
        told = {"Accept-Encoding": packing, "If-None-Match": headers["ETag"]}
        assert site.proxy.ask("GET", BOARD, headers=told)[0] == 304


def test_proxy_keeps_nothing_that_one_reader_alone_may_see(site):
    token = {"Authorization": f"Token {site.token}"}
    for asked in (token, {}, token, {}):
        status, headers, answer = site.proxy.ask("GET", PRIVATE, headers=asked)
        assert (status, answer == HTML) == ((200, True) if asked else (404, False))
        assert headers["Cache-Control"] == "private, no-store" or not asked


def test_restart_of_one_web_server_after_the_other_fails_no_request(site):
    failures, ended, asked = [], threading.Event(), count()

    def ask(client: str) -> None:
        while not ended.is_set():
            next(asked)
            status, _, answer = site.proxy.ask("GET", "/accounts/login/", client=client)
            if status not in (200, 429):
                failures.append((status, answer))

    askers = [threading.Thread(target=ask, args=(f"127.0.5.{number}",)) for number in range(1, 5)]
    for asker in askers:
        asker.start()
    for web in site.webs:
        web.stop_gracefully()
        web.start()
        web.wait_until_ready()
        time.sleep(ASKED_AGAIN)
    ended.set()
    for asker in askers:
        asker.join()
    assert next(asked) > 50
    assert failures == []


def test_address_of_a_client_is_the_one_that_the_proxy_sees(site):
    forged = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "http"}
    # A request that claims to come over plain HTTP would be sent to the secure address again.
    assert site.proxy.ask("GET", BOARD, headers=forged)[0] == 200
