"""What releases cost after the first: processor time and bytes of one in which few systems changed, and of many alike.

Run: python -m perf.boards.releases [systems] [releases]
"""

import datetime as dt
import os
import sys
from typing import NamedTuple

from perf.batch import load_gold, submit
from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import cpu_seconds, number_asked_for

CHANGED, FULL = 10, 1000
MOST_OF_FIRST, MOST_MEGABYTES = 20, 10  # per cent; of a release of a thousand systems
WEEK = dt.timedelta(days=7)


class Spent(NamedTuple):
    """What one release took: seconds of the processor from its cut-off on and of the ledger after it, and bytes."""

    seconds: float
    ledger_seconds: float
    page_bytes: int
    database_bytes: int

    @property
    def line(self) -> str:
        pages, database = self.page_bytes / 1e6, self.database_bytes / 1e6
        seconds = f"{self.seconds:.2f} s, ledger {self.ledger_seconds:.2f} s"
        return f"{seconds}, pages {pages:.2f} MB, database {database:.2f} MB"


def main(systems: int, releases: int) -> None:
    """Print the first release of so many systems, then each in which ten have a new submission."""
    os.sched_setaffinity(0, {0})
    with scratch_server():
        load_gold()
        submit(systems)
        first = release()
        print(f"{systems} systems x 11 tasks: {first.line}")
        report(
            Measurement(
                f"bytes of a release of {systems}",
                first.database_bytes / 1e6,
                "MB",
                MOST_MEGABYTES if systems == FULL else None,
            )
        )
        later = first
        for number in range(1, releases):
            submit(CHANGED, first=systems + number * CHANGED)
            later = release()
            print(
                f"  {CHANGED} more: {later.line}; {later.seconds / first.seconds:.0%} of the time, "
                f"{later.page_bytes / first.page_bytes:.0%} of the bytes of pages"
            )
        share = 100 * later.seconds / first.seconds
        report(
            Measurement(
                f"a release with {CHANGED} more, of the first's time",
                share,
                "%",
                MOST_OF_FIRST if systems == FULL else None,
            ),
            Measurement("its bytes", later.database_bytes / 1e6, "MB"),
        )


def release() -> Spent:
    """Score what is there ahead of the cut-off, which costs nothing after it; then close, finish and publish."""
    from django.utils import timezone

    from benchmarks.models import Phase
    from leaderboard.ledger.accounts import keep_ledger
    from leaderboard.publication.services import publish_ready
    from leaderboard.rendering.earlier_pages import pack_earlier_pages
    from leaderboard.rendering.page_bodies import drop_unused_bodies
    from scoring.queue.ahead import score_ahead
    from scoring.queue.batches import close_now, finish_batches
    from scoring.queue.runs import score_all_due

    while score_ahead(timezone.now()):
        score_all_due(timezone.now())
    pages, database = _bytes()

    def _publish() -> None:
        close_now(phase=Phase.objects.named("raft/main"), now=timezone.now())
        score_all_due(timezone.now())
        finish_batches(timezone.now())
        publish_ready(timezone.now())

    seconds, ledger_seconds = cpu_seconds(_publish), cpu_seconds(keep_ledger)
    drop_unused_bodies()
    pack_earlier_pages()
    pages_after, database_after = _bytes()
    return Spent(seconds, ledger_seconds, pages_after - pages, database_after - database)


def _bytes() -> tuple[int, int]:
    """Of the bodies of all pages, and of the database without what is free in it."""
    from django.db import connection
    from django.db.models import Sum
    from django.db.models.functions import Length

    from leaderboard.models import PageBody

    stored = PageBody.objects.aggregate(total=Sum(Length("packed")))["total"] or 0
    with connection.cursor() as cursor:
        sizes = {}
        for name in ("page_count", "freelist_count", "page_size"):
            cursor.execute(f"PRAGMA {name}")
            sizes[name] = cursor.fetchone()[0]
    return stored, (sizes["page_count"] - sizes["freelist_count"]) * sizes["page_size"]


if __name__ == "__main__":
    main(number_asked_for(FULL), int(sys.argv[2]) if len(sys.argv) > 2 else 4)
