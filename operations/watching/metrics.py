"""Figures as Prometheus reads them."""

import platform
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from operations.rounds import BACKUP, DRILL
from operations.watching.figures import Figures
from operations.watching.request_counts import BOUNDS
from scoring.code_version import code_commit

CONTENT_TYPE = CONTENT_TYPE_LATEST


def exposition(figures: Figures) -> bytes:
    """The text of /metrics."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(figures))
    return generate_latest(registry)


class _Families(Collector):
    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        now = self._figures
        yield _by("sweep_age_seconds", "Since a round was last done to its end.", "sweep", now.sweep_ages)
        yield _by("sweep_duration_seconds", "How long the last one took.", "sweep", now.sweep_seconds)
        yield _by("runs", "Scoring runs by state.", "state", now.runs)
        yield from _one("oldest_due_seconds", "How long the longest has been due.", now.oldest_due or 0)
        yield from _one(
            "batch_open_seconds", "Since the oldest batch in scoring was closed.", now.open_batch or 0
        )
        yield from _one("batches_set_aside", "Batches that could not be published.", now.set_aside)
        yield from _one("quarantined", "Submissions that no batch takes in any more.", now.quarantined)
        yield from _one("mail_waiting", "Mails that wait to be sent.", now.mail_waiting)
        yield from _one("mail_given_up", "Mails that could not be sent.", now.mail_given_up)
        yield from _one("stale_pages", "Benchmarks whose pages wait to be drawn.", now.stale)
        yield _by("invariant_violations", "Found at the last check.", "id", now.violations)
        yield from _one("backup_age_seconds", "Since the last backup was whole.", now.sweep_ages.get(BACKUP))
        yield from _one(
            "drill_age_seconds", "Since a backup was last restored to try it.", now.sweep_ages.get(DRILL)
        )
        yield from _one("unsigned_age_seconds", "Of the oldest entry without checkpoint.", now.unsigned or 0)
        free = {volume: free for volume, (free, _) in now.disks.items()}
        yield _by("disk_free_bytes", "Free where it is kept.", "volume", free)
        yield _by(
            "disk_size_bytes",
            "Whole size of it.",
            "volume",
            {name: size for name, (_, size) in now.disks.items()},
        )
        read = now.readings
        yield _by("queue_messages", "That wait in the broker, as last read.", "queue", read.queues)
        yield from _one("certificate_ends_timestamp_seconds", "When it holds no more.", read.certificate)
        yield from _of_requests(now.requests)
        build = GaugeMetricFamily("heldout_build_info", "What runs.", labels=["version", "commit", "python"])
        build.add_metric([settings.VERSION, code_commit(), platform.python_version()], 1)
        yield build


def _of_requests(counted: Sequence[tuple[str, str, int, int, float]]) -> Iterator[Metric]:
    """Requests by route and class of status, and by route how long they took."""
    totals = CounterMetricFamily("heldout_http_requests", "Answered requests.", labels=["route", "code"])
    took = HistogramMetricFamily(
        "heldout_http_request_duration_seconds", "Until the answer was sent.", labels=["route"]
    )
    by_code: Counter[tuple[str, str]] = Counter()
    by_place: dict[str, list[int]] = {}
    seconds: defaultdict[str, float] = defaultdict(float)
    for route, code, within, count, together in counted:
        by_code[route, code] += count
        by_place.setdefault(route, [0] * (len(BOUNDS) + 1))[within] += count
        seconds[route] += together
    for labels, count in by_code.items():
        totals.add_metric(labels, count)
    for route, counts in by_place.items():
        bounds = [*map(str, BOUNDS), "+Inf"]
        took.add_metric([route], list(zip(bounds, accumulate(counts), strict=True)), seconds[route])
    yield totals
    yield took


def _one(name: str, says: str, value: float | None) -> Iterator[GaugeMetricFamily]:
    """Nothing where there is no value: what never was has no age."""
    if value is not None:
        yield GaugeMetricFamily(f"heldout_{name}", says, value=value)


def _by(name: str, says: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"heldout_{name}", says, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
