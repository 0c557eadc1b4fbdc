"""Who sees a benchmark: drafts are opened, and pages that tell of it to others are gone at once."""

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from benchmarks.models import Benchmark
from leaderboard.models import Page
from leaderboard.publication.services import next_printing, print_home
from submissions.models import Submission

Visibility = Benchmark.Visibility


class CannotShow(Exception):
    """A draft that this person may not open; the message says who can. Nothing was changed."""


@transaction.atomic
def set_visibility(*, benchmark: Benchmark, visibility: Visibility, by: User) -> None:
    """Show a benchmark to others, or hide it; its pages, the list of benchmarks and those of its systems follow.

    Web servers forget what they hold of it within a quarter of a second, as with every printing. Pages of systems
    that stand in it are taken down where it is not public, and drawn anew without it by the next sweep.

    Raises
    ------
    CannotShow
        If it is a draft, and neither a superuser nor staff opens it.
    """
    next_printing()  # its lock comes first: what is drawn meanwhile must not come after this
    locked = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if locked.visibility == Visibility.DRAFT and visibility != Visibility.DRAFT and not by.is_staff:
        raise CannotShow(
            "Whoever runs the server opens drafts. Press “Ask to be opened”, and they are told that it is ready."
        )
    Benchmark.objects.filter(pk=locked.pk).mark_stale(archive=True, visibility=visibility)
    systems = set(Submission.objects.filter(phase__benchmark=locked).values_list("system", flat=True))
    beside = Submission.objects.filter(system__in=systems).values("phase__benchmark")
    Benchmark.objects.filter(pk__in=beside).mark_stale()
    if visibility != Visibility.PUBLIC:
        for system in systems:
            Page.objects.filter(Q(path__startswith=f"/systems/{system}/")).delete()
    print_home()
