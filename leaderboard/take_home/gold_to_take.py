"""The gold labels that an organiser may take home now."""

import datetime as dt
from collections.abc import Iterator

from benchmarks.models import Benchmark, Task
from leaderboard.take_home.aligned_answers import GoldOf
from scoring.gold.box_opening import open_version
from scoring.gold.keys import has_private_key
from scoring.gold.opening import labels_in, labels_of, phases_are_over
from scoring.models import GoldVersion
from submissions.intake.sealing import VaultError, canonical_csv


def gold_may_leave(benchmark: Benchmark, now: dt.datetime) -> bool:
    """Whether sealed labels may be taken along: no phase is open, and all that came in time is scored."""
    return phases_are_over(benchmark.phases.all(), now)


def gold_of(task: Task, *, sealed_too: bool) -> GoldOf:
    """The labels of every version of a task's gold that is public; with `sealed_too` also of those that are not.

    Sealed ones are left out where this process holds no key that opens them.
    """
    return dict(_labels(task, sealed_too=sealed_too and has_private_key()))


def _labels(task: Task, *, sealed_too: bool) -> Iterator[tuple[tuple[int, int], dict[str, str]]]:
    versions = GoldVersion.objects.filter(split__task=task).select_related("sealed", "opened")
    for version in versions.order_by("split", "number"):
        key = version.split_id, version.number
        if hasattr(version, "opened"):
            yield key, labels_of(version.opened)
        elif sealed_too:
            try:
                _salt, gold = open_version(version)
            except VaultError:
                continue
            yield key, labels_in(canonical_csv(gold))
