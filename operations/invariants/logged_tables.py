"""I8: gold labels, batches and releases are what entered the log."""

import datetime as dt
from collections.abc import Iterator

from benchmarks.models import Benchmark
from leaderboard.publication.log_comparison import LogComparison
from operations.releases import looked_at
from operations.violation import Invariant, Violation

DO = "Restore what is missing or changed from a backup; `manage.py reproduce` says more of a release."


class LoggedTables(Invariant):
    """Whether tables say what the log says. Pages are held against it by `manage.py reproduce`."""

    key = "I8"
    title = "gold labels, batches and releases are what entered the log"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        log = LogComparison()
        for benchmark in Benchmark.objects.order_by("pk"):
            for difference in log.of_benchmark(benchmark):
                yield Violation(str(benchmark), difference, DO)
        for release in looked_at(thoroughly=thoroughly):
            for difference in log.of_frozen(release):
                yield Violation(str(release), difference, DO)
