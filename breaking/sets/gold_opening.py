"""Open gold labels once a benchmark's teams have nothing more to hand in.

The rule: all its phases of the kinds build, break and score are over, everything in time is scored, and every pair is
in a set that systems had the time to answer. Then the gold labels of the development data and of all breakers' sets,
withdrawn ones too, become public and stay so: no such phase opens again (`benchmarks.admin`), and no predictions are
taken (`submissions.services`).
"""

import datetime as dt
import logging

from django.db.models import Exists, Max, OuterRef, Q

from benchmarks.models import Benchmark, Phase
from benchmarks.spec.model import DEV
from breaking.models import BreakerSet, Pair, PairFile
from scoring.gold.opening import open_gold, open_newer_versions, phases_are_over
from scoring.gold.sealing import VaultError
from scoring.models import GoldVersion, OpenedGold

logger = logging.getLogger(__name__)


def open_what_is_over(now: dt.datetime) -> list[OpenedGold]:
    """Open gold labels of what is over, and newer versions of those that are open. Again, it changes nothing.

    Only with the private key. What cannot be opened is logged by its code, and the others are opened.
    """
    opened = open_newer_versions(now)
    for benchmark in Benchmark.objects.filter(phases__kind=Phase.Kind.SCORE).distinct():
        for version in _sealed(benchmark) if is_over(benchmark, now) else ():
            try:
                opened.append(open_gold(version=version, now=now))
            except VaultError as error:
                split = version.split
                logger.error("gold labels of %s could not be opened: %s", split, error.code)  # noqa: TRY400  # no traceback
    return opened


def is_over(benchmark: Benchmark, now: dt.datetime) -> bool:
    """Whether nobody of its teams has anything to hand in any more, and what they handed in in time is scored."""
    phases = benchmark.phases.filter(kind__in=[Phase.Kind.BUILD, Phase.Kind.BREAK, Phase.Kind.SCORE])
    return phases_are_over(phases, now) and not _are_sets_lacking(benchmark)


def _are_sets_lacking(benchmark: Benchmark) -> bool:
    """Whether no pairs could be answered yet, or some of those that were handed in could not.

    A set that was made too late waits for the score phase to be opened once more, or to be withdrawn.
    """
    sets = BreakerSet.objects.filter(split__task__benchmark=benchmark)
    own = sets.filter(split__task=OuterRef("task"), pair_file__team=OuterRef("team"))
    files = PairFile.objects.accepted().filter(
        ~Exists(own.filter(split__predictions__isnull=False)),  # of such a team a later file makes no set
        task__benchmark=benchmark,
        task__is_retired=False,
        breaker_set__isnull=True,
    )
    pairs = Pair.objects.filter(pair_file__in=files).exclude(decision=Pair.Decision.LEFT_OUT)
    last = benchmark.phases.filter(kind=Phase.Kind.SCORE).aggregate(Max("closes_at"))["closes_at__max"]
    return pairs.exists() or sets.standing().filter(made_at__gt=last).exists() or not sets.exists()


def _sealed(benchmark: Benchmark) -> list[GoldVersion]:
    """The current gold labels that are to be opened, and are not yet."""
    paired = [task.id for task in benchmark.spec.tasks if task.pairs]
    of_dev = Q(split__slug=DEV, split__task__slug__in=paired)
    current = GoldVersion.objects.current().filter(split__task__benchmark=benchmark, opened__isnull=True)
    wanted = current.filter(of_dev | Q(split__breaker_set__isnull=False))
    return list(wanted.select_related("split__task").order_by("split__task__position", "split__slug"))
