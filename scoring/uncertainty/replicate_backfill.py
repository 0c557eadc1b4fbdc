"""Replicates of runs from before they were kept, or that met a fault when they were drawn."""

from collections.abc import Iterator

from scoring.models import RunReplicates, ScoringRun
from scoring.queue.runs import RunFailed, compare_again, current_runs
from scoring.uncertainty.resampling import Compared, uncertainties

_AT_ONCE = 100


def fill_in_replicates(benchmark: str = "") -> tuple[int, int]:
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
        found = uncertainties(_compared(ids[start : start + _AT_ONCE]))
        rows = [row for one in found.values() if (row := one.replicates)]
        RunReplicates.objects.bulk_create(rows, ignore_conflicts=True)
    left = ScoringRun.objects.filter(pk__in=ids, replicates=None).count()
    return len(ids) - left, left


def _compared(ids: list[int]) -> Iterator[Compared]:
    runs = ScoringRun.objects.filter(pk__in=ids).select_related(
        "predictions__codes", "split__task__benchmark"
    )
    for run in runs:
        try:
            yield compare_again(run)
        except RunFailed:
            continue  # its scores stay, and it is counted among those without
