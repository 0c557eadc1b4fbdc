"""Hide the names of a benchmark's systems, and lift that."""

from __future__ import annotations

from django.db import transaction

from benchmarks.models import Benchmark
from leaderboard.models import Release
from submissions.models import Pseudonym


class CannotHide(Exception):
    """Names have been public, so hiding them now would hide nothing."""


def may_hide_names(benchmark: Benchmark) -> bool:
    """Whether no page has named a system of the benchmark yet, nor one that was anonymous and is no longer."""
    was_anonymous = Pseudonym.objects.filter(benchmark=benchmark).exists()
    return not (benchmark.is_anonymous or was_anonymous or Release.objects.of(benchmark.pk).exists())


@transaction.atomic
def hide_names(benchmark: Benchmark) -> None:
    """Have systems bear numbers from the first release on.

    Raises
    ------
    CannotHide
        If a release is out, or anonymity was lifted before.
    """
    # A release that is published at this moment waits for the row, or is seen here; see `services.publish`.
    locked = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if not may_hide_names(locked):
        raise CannotHide(
            "Names can be hidden before the first release only: afterwards they have been public."
        )
    Benchmark.objects.filter(pk=benchmark.pk).update(is_anonymous=True, pages_stale=True)


def lift_anonymity(benchmark: Benchmark) -> bool:
    """Have every page name systems and teams, also those of earlier releases; whether they were hidden until now.

    The next sweep renders the pages. It cannot be undone.
    """
    rows = Benchmark.objects.filter(pk=benchmark.pk, is_anonymous=True)
    return bool(rows.update(is_anonymous=False, pages_stale=True, archive_stale=True))
