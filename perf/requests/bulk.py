"""How long people wait when 200 send a full RAFT file at once, through the proxy, with one and two web servers.

Run: python -m perf.requests.bulk [people]        (needs nginx)
"""

import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from perf.figures import Measurement, report
from perf.pages import granian
from perf.server import scratch_server
from perf.timing import number_asked_for
from tests.faults.proxy import Proxy, find_nginx

MOST_SECONDS = 5
BOUNDARY = "between-the-parts"

Upload = tuple[bytes, dict[str, str]]
"""Body and headers of a request."""


def main(people: int) -> None:
    nginx = find_nginx()
    if nginx is None:
        sys.exit("nginx is not installed; it is in Debian's package nginx-light")
    with scratch_server() as data, TemporaryDirectory() as folder, ExitStack() as stack:
        requests = uploads(people)
        given = os.environ | {"HELDOUT_DATA": str(data), "HELDOUT_PROXIES": "1"}
        webs = [stack.enter_context(granian("config.wsgi:application", given, workers=1)) for _ in range(2)]
        ports = [urlsplit(url).port or 0 for url in webs]
        proxy = Proxy(nginx, Path(folder, "proxy"), (ports[0], ports[1]))
        try:
            waits, refused = _sent(proxy, requests)
        finally:
            proxy.stop()
    last = quantiles(waits, n=100)[98]
    print(f"{people} full RAFT files at once through the proxy, two web servers, SQLite")
    print(
        f"  half are answered within {median(waits):.2f} s, 99 of 100 within {last:.2f} s; not accepted: {refused}"
    )
    report(
        Measurement(f"{people} uploads at once: 99 of 100 answered within", last, "s", MOST_SECONDS),
        Measurement("of these not accepted", refused, "", 0),
    )


def uploads(people: int) -> list[Upload]:
    """A full RAFT file of each of so many people."""
    from django.utils import timezone

    from accounts.models import ApiToken, User
    from accounts.services import create_team
    from accounts.sign_in.addresses import confirm_address
    from perf.batch import load_gold
    from perf.reading.intake import IntakeWorkload, zipped
    from submissions.models import System

    load_gold()
    data, now = zipped(IntakeWorkload().ordered), timezone.now()
    requests = []
    for number in range(people):
        user = User.objects.create(email=f"perf-{number}@example.org")
        confirm_address(user)
        team = create_team(name=f"Team {number}", founder=user, now=now)
        system = System.objects.create(team=team, name=f"System {number}", created_at=now)
        headers = {
            "Authorization": f"Token {ApiToken.objects.create(user)[1]}",
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        }
        requests.append((_form({"phase": "raft/main", "system": str(system.pk)}, data), headers))
    return requests


def _form(fields: dict[str, str], data: bytes) -> bytes:
    head = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    file = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="raft.zip"\r\n\r\n'
    return f"{head}{file}".encode() + data + f"\r\n--{BOUNDARY}--\r\n".encode()


def _sent(proxy: Proxy, requests: Sequence[Upload]) -> tuple[list[float], int]:
    """Seconds that each waited for an answer, and how many were not accepted; each from an address of its own."""
    waits, refused = [0.0] * len(requests), []
    together = threading.Barrier(len(requests))

    def send(at: int) -> None:
        body, headers = requests[at]
        together.wait()
        started = time.perf_counter()
        client = f"127.0.{1 + at // 200}.{1 + at % 200}"
        try:
            status, _, answer = proxy.ask("POST", "/api/v1/submissions/", body, headers, client)
        except OSError as error:
            status, answer = 0, repr(error).encode()
        waits[at] = time.perf_counter() - started
        if status not in (200, 201):
            refused.append((status, answer[:200]))

    people = [threading.Thread(target=send, args=(at,)) for at in range(len(requests))]
    for one in people:
        one.start()
    for one in people:
        one.join()
    for status, answer in refused[:3]:
        print(f"  answered {status}: {answer!r}")
    return waits, len(refused)


if __name__ == "__main__":
    main(number_asked_for(200))
