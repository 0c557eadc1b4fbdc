"""What a full RAFT upload over HTTP costs: processor time and queries, apart from reading the file.

Requests pass all middleware, on SQLite (WAL, synchronous=FULL), in one process. Beside them stand an upload of nothing,
which is refused before anything is read, and the intake alone. A first upload makes a team part of the phase; a
further one is what most are; a repeat sends the same file again.

Run: python -m perf.requests.uploads [teams]
"""

import os
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from statistics import median

from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import cpu_seconds, number_asked_for

MOST_MILLISECONDS = 40


def main(teams: int) -> None:
    os.sched_setaffinity(0, {0})  # before numpy is imported, which makes as many threads as there are cores
    with scratch_server():
        from perf.batch import load_gold

        load_gold()
        _measure(teams)


def _measure(teams: int) -> None:
    from perf.reading.intake import IntakeWorkload, intake, zipped

    work = IntakeWorkload()
    task = work.spec.tasks[0]
    first, further = (zipped(work.ordered | more) for more in ({}, {task.file.path: work.gold_csv[task.id]}))
    spent, queries = defaultdict[str, list[float]](list), dict[str, int]()
    for number in range(teams + 1):
        send = _sender(number)
        send(None)  # at its first request a client of tests makes all middleware
        ways = {"nothing": None, "first": first, "further": further, "repeat": first}
        for way, data in ways.items():
            if number:
                spent[way].append(cpu_seconds(partial(send, data)))
            else:  # the first team warms up
                queries[way] = _queries(partial(send, data))
        if number:
            spent["reading"].append(cpu_seconds(partial(intake, work, further)))
    _print({way: 1000 * median(seconds) for way, seconds in spent.items()}, queries)


def _sender(number: int) -> Callable[[bytes | None], None]:
    """What sends a file as a new person of a new team, or a form without one."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.utils import timezone
    from rest_framework.test import APIClient

    from accounts.models import ApiToken, User
    from accounts.services import create_team
    from accounts.sign_in.addresses import confirm_address
    from submissions.models import System

    now = timezone.now()
    user = User.objects.create(email=f"perf-{number}@example.org")
    confirm_address(user)
    team = create_team(name=f"Team {number}", founder=user, now=now)
    system = System.objects.create(team=team, name=f"System {number}", created_at=now)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.objects.create(user)[1]}")

    def send(data: bytes | None) -> None:
        form: dict[str, object] = {"phase": "raft/main", "system": str(system.pk)}
        if data is not None:
            form["file"] = SimpleUploadedFile("predictions.zip", data)
        answer = client.post("/api/v1/submissions/", form)
        if (answer.status_code < 300) is not (data is not None):
            raise SystemExit(f"answered {answer.status_code}: {answer.content[:500]!r}")

    return send


def _queries(work: Callable[[], None]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        work()
    return len(asked)


def _print(milliseconds: dict[str, float], queries: dict[str, int]) -> None:
    print("a full RAFT upload over HTTP, median of the processor's time")
    for way, own in milliseconds.items():
        ratio = f"{own / milliseconds['nothing']:6.1f} x an upload of nothing"
        print(f"  {way:<8} {own:8.1f} ms {ratio} {queries.get(way, 0):4} queries")
    apart = milliseconds["further"] - milliseconds["reading"]
    report(
        Measurement("an upload apart from reading its file", apart, "ms", MOST_MILLISECONDS),
        Measurement(
            "an upload, of one of nothing", milliseconds["further"] / milliseconds["nothing"], "times"
        ),
        Measurement("its queries", queries["further"], "queries"),
    )
    print(
        f"a further one apart from reading {apart:.1f} ms, {apart / MOST_MILLISECONDS:.2f} of what is allowed"
    )


if __name__ == "__main__":
    main(number_asked_for(10))
