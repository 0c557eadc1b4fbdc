"""Which systems are tested against each other after a release: the first twenty of its overall board, task by task."""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from uuid import UUID

from django.db.models import OuterRef, Subquery

from benchmarks.models import Benchmark
from benchmarks.spec import TEST
from catalogue.disclosure.rule import NOISY
from leaderboard.board.model.serialization import from_dict
from leaderboard.models import Release, ReleaseCell
from scoring.gold.keys import has_private_key
from scoring.uncertainty.paired_tests import Pair, make_paired_tests, paired_tests

logger = logging.getLogger(__name__)

TESTED = 20
# Pairs of one round: about a second, so that nothing else waits for it.
AT_ONCE = 100

# Newest releases for which this process stored nothing in its last round, by id: either every test is there, or the
# rest needs another process's key. Without it each round would read their boards and try the same runs again.
finished_releases: set[int] = set()


def make_next_tests(now: dt.datetime) -> int:
    """Make some of the tests that the newest releases lack; returns how many. Only in a process with the private key.

    Pages are not rendered anew for it: the page that compares systems shows what there is.
    """
    if not has_private_key():
        return 0
    total = 0
    for key in set(_newest()) - finished_releases:
        if total >= AT_ONCE:
            break
        release = Release.objects.select_related("phase").get(pk=key)
        try:
            count = _make_tests_of(release, now, most=AT_ONCE - total)
        except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
            logger.error("the systems of %s could not be tested: %s", release, type(error).__name__)  # noqa: TRY400  # no traceback
            continue
        if count == 0:
            finished_releases.add(release.pk)
        total += count
    return total


def _newest() -> Iterable[int]:
    """The newest release of each benchmark that has any, by id."""
    releases = Release.objects.filter(benchmark=OuterRef("pk")).order_by("-number").values("pk")[:1]
    return (
        Benchmark.objects.annotate(newest=Subquery(releases))
        .exclude(newest=None)
        .values_list("newest", flat=True)
    )


def _make_tests_of(release: Release, now: dt.datetime, most: int) -> int:
    """Make at most so many of the tests that a release lacks; returns how many were stored."""
    wanted = pairs_of(release)
    stored = paired_tests({run for pair in wanted for run in pair})
    lacking = [pair for pair in wanted if pair not in stored]
    return make_paired_tests(lacking[:most], now=now)


def pairs_of(release: Release) -> list[Pair]:
    """The pairs of runs to test: of every task's test split, with one seed, on the main track."""
    board = from_dict(release.overall)
    ranked = [UUID(row.system_id) for row in board.rows if row.rank is not None and row.system_id][:TESTED]
    main = ["", release.benchmark.spec.main_track]
    cells = ReleaseCell.objects.of(release).filter(system__in=ranked, split__slug=TEST, track__in=main)
    # A test would tell more than the rule of the phase does.
    cells = cells.filter(disclosed__isnull=True).exclude(score__run__part__in=NOISY)
    runs: dict[int, dict[object, list[int]]] = defaultdict(lambda: defaultdict(list))
    for task, system, run in cells.values_list("task_id", "system_id", "score__run_id"):
        runs[task][system].append(run)
    return [
        pair
        for of_task in runs.values()
        for pair in combinations(sorted(own[0] for own in of_task.values() if len(own) == 1), 2)
    ]
