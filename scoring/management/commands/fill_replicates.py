"""Draw the resamples of scores that have none, so that boards show their intervals."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmarks.models import Benchmark
from scoring.gold.keys import has_private_key
from scoring.models import RunReplicates, ScoringRun
from scoring.queue.wanted_runs import current_runs
from scoring.run_scoring import Compared, RunFailed, score_run
from scoring.uncertainty.resampling import uncertainties

_AT_ONCE = 100


class Command(BaseCommand):
    help = "Draw the resamples of scores that were made before there were any. It may be run at any time, also twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark", nargs="?", default="", help="its id; all benchmarks without one")

    def handle(self, *args: Any, benchmark: str, **options: Any) -> None:
        if benchmark and not Benchmark.objects.filter(pk=benchmark).exists():
            raise CommandError(f"There is no benchmark {benchmark}.")
        if not has_private_key():
            raise CommandError("Only a process with the key to the gold labels can draw resamples.")
        drawn, left = _fill_in(benchmark)
        self.stdout.write(f"{drawn} scored splits have resamples now; {left} still have none.")


def _fill_in(benchmark: str) -> tuple[int, int]:
    """Draw what is lacking for scores that may still stand on a board; empty for every benchmark.

    Again, it does nothing. Scores and releases stay as they are; boards show the intervals from the next release on.

    Returns
    -------
    tuple of int
        How many runs have replicates now that had none, and how many still have none.
    """
    lacking = current_runs().filter(status=ScoringRun.Status.DONE, replicates=None)
    if benchmark:
        lacking = lacking.filter(split__task__benchmark=benchmark)
    ids = list(lacking.order_by("split", "pk").values_list("pk", flat=True))
    for start in range(0, len(ids), _AT_ONCE):
        by_run = uncertainties(_compared(ids[start : start + _AT_ONCE]))
        rows = [row for uncertainty in by_run.values() if (row := uncertainty.replicates)]
        RunReplicates.objects.bulk_create(rows, ignore_conflicts=True)
    left = ScoringRun.objects.filter(pk__in=ids, replicates=None).count()
    return len(ids) - left, left


def _compared(ids: list[int]) -> Iterator[Compared]:
    runs = ScoringRun.objects.select_related("predictions__codes", "split__task__benchmark")
    for run in runs.filter(pk__in=ids):
        try:
            yield score_run(run)
        except RunFailed:
            continue  # its scores stay, and it is counted among those without
