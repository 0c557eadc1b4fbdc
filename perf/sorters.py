"""How much of the home page's pace is left while 16 readers have a large board sorted, and while each asks for another.

Run: python -m perf.sorters [systems]        (needs wrk, from Debian's package of that name)
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from perf.batch import make_release
from perf.pages import granian, requests_per_second
from perf.server import ScratchServer

SORTED = "/benchmarks/raft/?sort=-overall"
_OTHER_EACH_TIME = """
local count = 0
request = function()
  count = count + 1
  return wrk.format("GET", "/benchmarks/raft/?q=" .. count .. "-" .. math.random(1e9))
end
init = function() math.randomseed(os.time()) end
"""


def main(systems: int) -> None:
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed; it is in Debian's package of that name")
    with ScratchServer() as server:
        make_release(systems)
        environment = os.environ | {"HELDOUT_DATA": str(server.data)}
        with (
            granian("config.wsgi:application", environment) as url,
            tempfile.NamedTemporaryFile("w") as script,
        ):
            script.write(_OTHER_EACH_TIME)
            script.flush()
            alone = _home(url)
            with _readers(f"{url}{SORTED}"):
                same = _home(url)
            with _readers(url, "-s", script.name):
                other = _home(url)
    print(f"The home page, 16 connections, beside a board of {systems} systems and its baselines")
    print(f"  alone                                    {alone:8.0f} requests/s")
    print(f"  with 16 readers of one sorted board      {same:8.0f} requests/s   {same / alone:5.2f} x")
    print(f"  with 16 readers who each search anew     {other:8.0f} requests/s   {other / alone:5.2f} x")


def _home(url: str) -> float:
    return requests_per_second(f"{url}/", "Accept-Encoding: gzip")


@contextmanager
def _readers(url: str, *options: str) -> Iterator[None]:
    command = [
        "wrk",
        "-t1",
        "-c16",
        "-d600s",
        "--timeout",
        "60s",
        "-H",
        "Accept-Encoding: gzip",
        *options,
        url,
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603  # our own command
    time.sleep(2)
    try:
        yield
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
