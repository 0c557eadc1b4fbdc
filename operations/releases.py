"""Which releases a check looks at."""

from collections.abc import Iterator

from benchmarks.models import Benchmark
from leaderboard.models import Release


def looked_at(*, thoroughly: bool) -> Iterator[Release]:
    """The newest release of each benchmark, or all of them; one at a time, because their boards are large."""
    for slug in Benchmark.objects.order_by("pk").values_list("pk", flat=True):
        keys = Release.objects.of(slug).values_list("pk", flat=True)
        for key in keys if thoroughly else keys[:1]:
            yield Release.objects.whole().select_related("benchmark", "phase", "batch").get(pk=key)
