"""What others see of a benchmark: itself, and the names of its systems. What is hidden is gone from pages at once."""

from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from leaderboard.models import Release
from leaderboard.publication.log_entries import log_names
from leaderboard.publication.services import next_printing, print_front, take_press
from scoring.models import Batch
from submissions.models import Pseudonym

Visibility = Benchmark.Visibility


class CannotShow(Exception):
    """A draft that this person may not open; the message says who can. Nothing was changed."""


@transaction.atomic
def set_visibility(*, benchmark: Benchmark, visibility: Visibility, by: User) -> None:
    """Show a benchmark to others, or hide it; its pages, the list of benchmarks and those of its systems follow.

    Web servers forget what they hold of it, and of its systems, within a quarter of a second, as with every printing.

    Raises
    ------
    CannotShow
        If it is a draft, and neither a superuser nor staff opens it.
    """
    take_press(benchmark.pk)
    next_printing()  # before rows of benchmarks, as publications take them
    locked = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if locked.visibility == Visibility.DRAFT and visibility != Visibility.DRAFT and not by.is_staff:
        raise CannotShow(
            "Whoever runs the server opens drafts. Press “Ask to be opened”, and they are told that it is ready."
        )
    Benchmark.objects.filter(pk=locked.pk).mark_stale(archive=True, visibility=visibility)
    print_front()


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
    if locked.is_anonymous:
        raise CannotHide(f"The names of the systems of {locked} are hidden already.")
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
