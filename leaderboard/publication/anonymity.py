"""Hide the names of a benchmark's systems, and lift that."""

from django.db import transaction

from benchmarks.models import Benchmark, Phase
from leaderboard.models import Release
from leaderboard.publication.log_entries import log_names
from scoring.models import Batch
from submissions.models import Pseudonym


class CannotHide(Exception):
    """Names have been public, so hiding them now would hide nothing."""


def may_hide_names(benchmark: Benchmark) -> bool:
    """Whether nobody has read yet what the systems of the benchmark are called."""
    was_anonymous = Pseudonym.objects.filter(benchmark=benchmark).exists()
    # Once systems are built, breakers download predictions in columns that bear their names.
    is_built = Batch.objects.filter(phase__benchmark=benchmark, phase__kind=Phase.Kind.BUILD).exists()
    is_published = Release.objects.of(benchmark.pk).exists()
    return not (benchmark.is_anonymous or was_anonymous or is_built or is_published)


@transaction.atomic
def hide_names(benchmark: Benchmark) -> None:
    """Have systems bear numbers from the first release on.

    Raises
    ------
    CannotHide
        If a release is out, a build phase is over, or anonymity was lifted before.
    """
    # A release that is published at this moment waits for the row, or is seen here; see `services.publish`.
    locked = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if not may_hide_names(locked):
        raise CannotHide(
            "Names can be hidden before the first release only, and before the end of a phase in which systems are "
            "built: afterwards they have been read."
        )
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(is_anonymous=True)
    log_names(benchmark, are_shown=False)


@transaction.atomic
def lift_anonymity(benchmark: Benchmark) -> bool:
    """Have every page name systems and teams, also those of earlier releases; whether they were hidden until now.

    The next sweep renders the pages. It cannot be undone.
    """
    rows = Benchmark.objects.filter(pk=benchmark.pk, is_anonymous=True)
    lifted = bool(rows.mark_stale(is_anonymous=False, archive=True))
    if lifted:
        log_names(benchmark, are_shown=True)
    return lifted
