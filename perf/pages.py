"""Published pages from Granian against the same bytes as a static file, the same bytes from memory, and the same page
through Django; and how much of the home page's pace is left while 16 readers sort a large board, search, compare, miss
or ask the API: requests per second.

Run: python -m perf.pages [systems]        (needs wrk, from Debian's package of that name)
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import number_asked_for
from tests.ports import free_port

SECONDS = 5
TURNS = 7  # of a page and of the same bytes, one after the other: a machine's speed changes within seconds
ROUNDS = 3  # of the home page beside others
BOARD, API = "/benchmarks/raft/", "/api/v1/benchmarks/raft/releases/latest/"
# Of the requests a second for a static file of that size, and without other readers.
OF_STATIC_FILE, BESIDE_OTHERS = 2 / 3, 0.8
WRK = ["wrk", "-t1"]
GZIP = "Accept-Encoding: gzip"
_GRANIAN = [
    "--interface", "wsgi", "--blocking-threads", "128", "--no-access-log", "--log-level", "error",
]  # fmt: skip
_OTHER_EACH_TIME = """
local count = 0
request = function()
  count = count + 1
  return wrk.format("GET", "%s" .. count .. "-" .. math.random(1e9))
end
init = function() math.randomseed(os.time()) end
"""
OTHERS = {
    "search a board of it anew": f"{BOARD}?q=",
    "search the site anew": "/search/?q=",
    "compare two systems anew": f"{BOARD}compare/?q=",
    "ask for what is not there": f"{BOARD}x",
    "ask the API for the board": f"{API}?x=",
}
"""What 16 readers do who each ask for something else each time; what their addresses begin with."""


def main(systems: int) -> None:
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed; it is in Debian's package of that name")
    with scratch_server() as data:
        environment = os.environ | {"HELDOUT_DATA": str(data)}
        for release, size in enumerate(sorted({12, 100, systems}), start=1):
            publish_large(size, release)
            _print_pace_of_pages(environment, size)
        _print_pace_by_workers(environment)
        _print_pace_beside_sorters(environment, systems)


def publish_large(systems: int, release: int = 1) -> None:
    """A release of RAFT in which that many systems stand, with its pages."""
    from django.utils import timezone

    from benchmarks.models import Phase
    from leaderboard.publication.services import refresh_stale
    from perf.boards.large_boards import store_large_release

    store_large_release(Phase.objects.named("raft/main"), systems, release=release, now=timezone.now())
    refresh_stale()


def _print_pace_of_pages(environment: dict[str, str], systems: int) -> None:
    """Of a board of that many systems, beside the same bytes from a server that does nothing else."""
    with granian("config.wsgi:application", environment) as url, tempfile.TemporaryDirectory() as folder:
        unchanged = requests_per_second(url + BOARD, f"If-None-Match: {_etag(url + BOARD)}")
        file = Path(folder, "board.html.gz")
        file.write_bytes(_fetched(url + BOARD))
        constant = os.environ | {"HELDOUT_CONSTANT": str(file)}
        with granian("perf.requests.constant:application", constant, static=Path(folder)) as same:
            addresses = (url + BOARD, f"{same}/static/{file.name}", same + BOARD)
            turns = [[requests_per_second(each, GZIP, seconds=2) for each in addresses] for _ in range(TURNS)]
    ours, of_file, of_memory = map(median, zip(*turns, strict=True))
    share_of_file, share_of_memory = (median(turn[0] / turn[place] for turn in turns) for place in (1, 2))
    with granian("config.wsgi:django_application", environment) as url:
        through_django = requests_per_second(url + BOARD, GZIP)
    print(f"The RAFT board of {systems} systems, 2 Granian workers, 16 connections, wrk on the same machine")
    print(f"  before Django, gzip      {ours:8.0f} requests/s   {ours / through_django:5.1f} x")
    print(f"  before Django, 304       {unchanged:8.0f} requests/s   {unchanged / through_django:5.1f} x")
    print(f"  the same through Django  {through_django:8.0f} requests/s     1.0 x")
    print(f"  a static file            {of_file:8.0f} requests/s   {share_of_file:5.2f} of it reached")
    print(f"  the same from memory     {of_memory:8.0f} requests/s   {share_of_memory:5.2f} of it reached")
    report(
        Measurement(f"a board of {systems} systems", ours, "requests/s"),
        Measurement(f"of a static file, {systems} systems", share_of_file, "", OF_STATIC_FILE, at_least=True),
        Measurement(f"of the same bytes from memory, {systems} systems", share_of_memory, ""),
    )


def _print_pace_by_workers(environment: dict[str, str]) -> None:
    """Of a published page, and of a board through the API, which Django answers."""
    for workers in (1, 2, 4):
        with granian("config.wsgi:application", environment, workers=workers) as url:
            page = requests_per_second(url + BOARD, GZIP)
            api = requests_per_second(url + API, GZIP, connections=50)
        print(
            f"  {workers} workers: the board {page:8.0f} requests/s, 50 clients of the API {api:8.0f} requests/s"
        )
        report(
            Measurement(f"the board with {workers} workers", page, "requests/s"),
            Measurement(f"50 clients of the API with {workers} workers", api, "requests/s"),
        )


def _fetched(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})  # noqa: S310  # the server that this script started
    with urllib.request.urlopen(request, timeout=5) as response:  # noqa: S310  # that server again
        body: bytes = response.read()
    return body


def _print_pace_beside_sorters(environment: dict[str, str], systems: int) -> None:
    sorting = "sort a board of it"
    with granian("config.wsgi:application", environment) as url:
        turns = [_paces_beside_others(url, sorting) for _ in range(ROUNDS)]
    print(
        f"The home page, 16 connections, beside a board of {systems} systems and its baselines: {ROUNDS} rounds"
    )
    print(
        f"  alone                                    {median(turn.alone for turn in turns):8.0f} requests/s"
    )
    for what in turns[0].shares:
        share = median(turn.shares[what] for turn in turns)
        of = "beside 16 who read it" if what == sorting else "alone"
        print(f"  with 16 who {what:<28} {share:5.2f} of its pace {of}")
        report(
            Measurement(f"home page beside 16 who {what}, of {of}", share, "", BESIDE_OTHERS, at_least=True)
        )


class _Turn(NamedTuple):
    """One round: the home page's requests a second alone, and by what others do the share of its pace that is left."""

    alone: float
    shares: dict[str, float]


def _paces_beside_others(url: str, sorting: str) -> _Turn:
    """Each beside what it is held against, for a machine's speed changes from minute to minute.

    Who sort one board all ask for the same page, which is large: they are held against who read the board as it is.
    """
    with _readers(f"{url}{BOARD}"):
        plain = requests_per_second(f"{url}/", GZIP)
    with _readers(f"{url}{BOARD}?sort=-overall"):
        shares = {sorting: requests_per_second(f"{url}/", GZIP) / plain}
    alone = [requests_per_second(f"{url}/", GZIP)]
    for what, start in OTHERS.items():
        pace = _pace_beside_others(url, start)
        alone.append(requests_per_second(f"{url}/", GZIP))
        shares[what] = pace / mean(alone[-2:])
    return _Turn(median(alone), shares)


def _pace_beside_others(url: str, start: str) -> float:
    """Of the home page, while 16 readers each ask for another address that begins so."""
    with tempfile.NamedTemporaryFile("w") as script:
        script.write(_OTHER_EACH_TIME % start)
        script.flush()
        with _readers(url, "-s", script.name):
            return requests_per_second(f"{url}/", GZIP)


@contextmanager
def granian(
    target: str, environment: dict[str, str], *, workers: int = 2, static: Path | None = None
) -> Iterator[str]:
    """The address of a running server, which sends the files of a folder under /static/ by itself."""
    port = free_port()
    command = [
        str(Path(sys.executable).with_name("granian")),
        *_GRANIAN,
        "--workers",
        str(workers),
        "--port",
        str(port),
    ]
    command += ["--static-path-mount", str(static)] if static else []
    command.append(target)
    process = subprocess.Popen(command, env=environment)  # noqa: S603  # our own command
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url)
        yield url
    finally:
        process.terminate()
        process.wait()


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(url, timeout=5)  # noqa: S310  # our own server
        except urllib.error.HTTPError:
            return  # nothing is published, and it answers
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    sys.exit("Granian did not start")


def _etag(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310  # our own server
        return str(response.headers["ETag"])


def requests_per_second(url: str, header: str, *, connections: int = 16, seconds: int = SECONDS) -> float:
    command = [*WRK, f"-c{connections}", f"-d{seconds}s", "-H", header, url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own command
    if "Non-2xx" in output and "If-None-Match" not in header:
        sys.exit(output)
    found = re.search(r"Requests/sec:\s+([\d.]+)", output)
    return float(found[1]) if found else 0.0


@contextmanager
def _readers(url: str, *options: str) -> Iterator[None]:
    command = [*WRK, "-c16", "-d600s", "--timeout", "60s", "-H", GZIP, *options, url]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603  # our own command
    time.sleep(2)
    try:
        yield
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main(number_asked_for(1_000))
