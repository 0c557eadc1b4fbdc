"""The admin's first page for whoever runs several benchmarks or none: what waits in each, and how each phase stands."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from accounts.server.clock import database_now
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import organised
from leaderboard.admin.dashboard_tables import benchmarks_table, failures_table, phases_table, workers
from leaderboard.admin.home.page import home_address
from leaderboard.admin.home.waiting import what_waits


@dataclass(frozen=True, slots=True)
class OwnBenchmark:
    """A benchmark with the address of its home and what waits in it."""

    title: str
    url: str
    waiting: tuple[SafeString, ...]


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the template admin/index.html shows; unfold calls this with its own context."""
    slugs, now = organised(request), database_now()
    own = _own(slugs, now) if slugs else []
    return context | {
        "title": "What waits for you",
        "busy": [benchmark for benchmark in own if benchmark.waiting],
        "quiet": [benchmark for benchmark in own if not benchmark.waiting],
        "workers": workers(now),
        "tables": [phases_table(slugs, now), failures_table(slugs), benchmarks_table(slugs, now)]
        if slugs
        else [],
    }


def _own(slugs: frozenset[str], now: dt.datetime) -> list[OwnBenchmark]:
    waiting: dict[str, list[SafeString]] = {}
    for one in what_waits(slugs, now):
        waiting.setdefault(one.benchmark, []).append(one.sentence)
    rows = Benchmark.objects.filter(pk__in=slugs).order_by("position", "slug").only("slug", "title")
    return [OwnBenchmark(row.title, home_address(row.pk), tuple(waiting.get(row.pk, ()))) for row in rows]
