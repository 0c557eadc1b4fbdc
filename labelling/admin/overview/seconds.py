"""How long answers took, as workers' pages say."""

from collections import defaultdict
from collections.abc import Collection
from statistics import median

from labelling.models import Answer, Campaign


def median_seconds(campaign: Campaign, workers: Collection[int] | None) -> dict[int, float]:
    """The median seconds per answer of each worker, by key; without those whose page told no time."""
    first = Answer.objects.filter(assignment__worker__campaign=campaign, version=1, milliseconds__gt=0)
    if workers is not None:
        first = first.filter(assignment__worker__in=workers)
    told: defaultdict[int, list[int]] = defaultdict(list)
    for worker, milliseconds in first.values_list("assignment__worker", "milliseconds"):
        told[worker].append(milliseconds)
    return {worker: median(times) / 1000 for worker, times in told.items()}


def in_seconds(seconds: float | None) -> str:
    return "not told" if seconds is None else f"{seconds:.1f} s"
