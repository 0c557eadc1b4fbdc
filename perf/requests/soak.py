"""Whether the memory of web processes stays flat: readers, searchers, clients of the API and uploads for an hour, with
a release every few minutes.

Run: python -m perf.requests.soak [minutes]
"""

import os
import random
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from perf.figures import Measurement, report
from perf.pages import granian, publish_large
from perf.requests.bulk import Upload, uploads
from perf.server import scratch_server
from perf.timing import number_asked_for

SYSTEMS, CLIENTS, PAUSE = (
    300,
    4,
    0.1,
)  # systems on the board; clients, and seconds between two requests of each
MINUTES_A_RELEASE, UPLOAD_EVERY = 4, 200  # of the requests one in so many is an upload
MOST_GROWTH = 5  # per cent, from the second quarter of the time to the last
PATHS = (
    "/",
    "/benchmarks/raft/",
    "/benchmarks/raft/releases/",
    "/benchmarks/raft.csv",
    "/benchmarks/raft/?sort=-overall",
    "/benchmarks/raft/?q={lot}",
    "/benchmarks/raft/compare/?q={lot}",
    "/api/v1/benchmarks/raft/releases/latest/",
    "/api/v1/benchmarks/raft/releases/",
    "/api/schema/",
    "/accounts/login/",
    "/nothing/{lot}",
)


def main(minutes: int) -> None:
    with scratch_server() as data:
        requests = uploads(minutes * 15)
        publish_large(SYSTEMS)
        with granian("config.wsgi:application", os.environ | {"HELDOUT_DATA": str(data)}) as url:
            ends = time.monotonic() + 60 * minutes
            counts: dict[int, int] = {}
            clients = [
                threading.Thread(target=_ask, args=(number, url, ends, requests[number::CLIENTS], counts))
                for number in range(CLIENTS)
            ]
            for client in clients:
                client.start()
            held = list(_held(ends))
            for client in clients:
                client.join()
    before, after = held[len(held) // 4 : len(held) // 2], held[3 * len(held) // 4 :]
    growth = max(
        100 * (median(late) / median(early) - 1)
        for early, late in zip(zip(*before, strict=True), zip(*after, strict=True), strict=True)
    )
    answers = ", ".join(f"{count} with {status}" for status, count in sorted(counts.items()))
    print(f"{minutes} minutes, a board of {SYSTEMS} systems, answered: {answers}")
    report(
        Measurement(f"memory of a web process after {minutes} minutes", max(held[-1]), "MB"),
        Measurement("its growth from the second quarter to the last", growth, "%", MOST_GROWTH),
        Measurement("answers of 500", counts.get(500, 0), "", 0),
    )


def _ask(seed: int, url: str, ends: float, own: list[Upload], counts: dict[int, int]) -> None:
    """Ask for one thing after the other until then; `counts` are answers by status."""
    lot, number = random.Random(seed), 0
    while time.monotonic() < ends:
        number += 1
        if number % UPLOAD_EVERY == 0 and own:
            body, headers = own.pop()
            request = urllib.request.Request(f"{url}/api/v1/submissions/", body, headers)  # noqa: S310  # our own server
        else:
            path = lot.choice(PATHS).format(lot=lot.randrange(10**9))
            request = urllib.request.Request(url + path)  # noqa: S310  # our own server
        try:
            with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310  # our own server
                response.read()
                status = response.status
        except urllib.error.HTTPError as error:
            status = error.code
        counts[status] = counts.get(status, 0) + 1
        time.sleep(PAUSE)


def _held(ends: float) -> Iterator[list[float]]:
    """Megabytes that each web process holds, every ten seconds until then; a release comes out now and then."""
    started, number = time.monotonic(), 1
    while time.monotonic() < ends:
        if time.monotonic() - started > number * 60 * MINUTES_A_RELEASE:
            number += 1
            publish_large(SYSTEMS, number)
        time.sleep(10)
        held = [_megabytes(process) for process in _descendants(os.getpid())]
        print("  " + ", ".join(f"{one:.0f}" for one in held) + " MB", flush=True)
        yield held


def _megabytes(process: int) -> float:
    """What that process holds, its share of what it has in common with its like included.

    Files that it has in memory, such as libraries, are not: its share of these changes with whatever else runs.
    """
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon:")) / 1024


def _descendants(process: int) -> list[int]:
    """The processes that this one has started, and theirs, by their numbers."""
    found = []
    for thread in Path(f"/proc/{process}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += [int(child), *_descendants(int(child))]
    return sorted(found)


if __name__ == "__main__":
    if not Path("/proc/self/smaps_rollup").exists():
        sys.exit("memory is read from /proc, which is not here")
    main(number_asked_for(60))
