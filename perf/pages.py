"""Published pages from Granian against the same page through Django, in requests per second on this machine.

Run: python -m perf.pages        (needs wrk, from Debian's package of that name)
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perf.server import ScratchServer

SECONDS = 5


def main() -> None:
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed; it is in Debian's package of that name")
    with ScratchServer() as server:
        _publish()
        environment = os.environ | {"HELDOUT_DATA": str(server.data)}
        with granian("config.wsgi:application", environment) as url:
            page = f"{url}/benchmarks/raft/"
            whole = requests_per_second(page, "Accept-Encoding: gzip")
            unchanged = requests_per_second(page, f"If-None-Match: {_etag(page)}")
        with granian("config.wsgi:django_application", environment) as url:
            through_django = requests_per_second(f"{url}/benchmarks/raft/", "Accept-Encoding: gzip")
    print("The RAFT board, 2 Granian workers, 16 connections, wrk on the same machine")
    print(f"  before Django, gzip      {whole:8.0f} requests/s   {whole / through_django:5.1f} x")
    print(f"  before Django, 304       {unchanged:8.0f} requests/s   {unchanged / through_django:5.1f} x")
    print(f"  the same through Django  {through_django:8.0f} requests/s     1.0 x")


def _publish() -> None:
    from leaderboard.publication.services import refresh_stale

    refresh_stale()


@contextmanager
def granian(target: str, environment: dict[str, str]) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("granian")
    command = [
        str(program),
        "--interface",
        "wsgi",
        "--workers",
        "2",
        "--blocking-threads",
        "128",
        "--no-access-log",
        "--log-level",
        "error",
    ]
    process = subprocess.Popen([*command, "--port", str(port), target], env=environment)  # noqa: S603  # our own command
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
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    sys.exit("Granian did not start")


def _etag(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310  # our own server
        return str(response.headers["ETag"])


def requests_per_second(url: str, header: str) -> float:
    command = ["wrk", "-t1", "-c16", f"-d{SECONDS}s", "-H", header, url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own command
    if "Non-2xx" in output and "If-None-Match" not in header:
        sys.exit(output)
    found = re.search(r"Requests/sec:\s+([\d.]+)", output)
    return float(found[1]) if found else 0.0


if __name__ == "__main__":
    main()
