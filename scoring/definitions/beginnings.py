"""A benchmark's first row: who may begin one, how many drafts, and who sees it."""

from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User
from benchmarks.models import Benchmark, DefinitionDocument
from benchmarks.people.models import Role
from benchmarks.people.services import give_role
from benchmarks.spec import BenchmarkSpec

Visibility = Benchmark.Visibility


class CannotBegin(Exception):
    """A benchmark that this person may not begin; the message says why. Nothing was changed."""


@transaction.atomic
def begin_row(
    spec: BenchmarkSpec, document: dict[str, Any], user: User | None, *, is_draft: bool = False
) -> Benchmark:
    """The row that a definition is then synced to; it belongs to whoever begins it, None for the server itself.

    What staff and the server begin is public, unless it is to be a draft. What others begin is a draft until an
    operator opens it, and they have so many at most.

    Raises
    ------
    CannotBegin
        If the id is taken, or the person has as many drafts as a person may.
    """
    is_trusted = user is None or user.is_staff
    visibility = Visibility.PUBLIC if is_trusted and not is_draft else Visibility.DRAFT
    if user is not None and not is_trusted:
        User.objects.held(user)  # of many at once no more get through
        drafts = Benchmark.objects.filter(visibility=visibility, roles__user=user, roles__role=Role.OWNER)
        if drafts.count() >= settings.MOST_DRAFTS:
            raise CannotBegin(
                f"You have as many drafts as a person may ({settings.MOST_DRAFTS}). Delete one, or have one opened "
                "first."
            )
    try:
        with transaction.atomic():
            benchmark = Benchmark.objects.create(
                slug=spec.id, title=spec.title, position=Benchmark.objects.count(), visibility=visibility
            )
            DefinitionDocument.objects.create(benchmark=benchmark, document=document)
    except IntegrityError:
        raise CannotBegin(f"A benchmark has the id {spec.id} already. Please choose another.") from None
    if user is not None:
        give_role(benchmark=benchmark, user=user, role=Role.OWNER)
    return benchmark
