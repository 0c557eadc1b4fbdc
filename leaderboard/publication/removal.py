"""Deleting a benchmark or a phase that nobody has submitted to, with all that its organisers have made of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, ProgrammingError, connection, models, transaction

from accounts.server.append_only_triggers import create_statements, drop_statements
from benchmarks.models import Benchmark, Phase
from benchmarks.notices.models import Acceptance
from breaking.models import PairFile
from labelling.models import Campaign
from leaderboard.models import Release
from leaderboard.publication.log_entries import log_removal
from leaderboard.publication.services import print_front
from submissions.models import Submission

# Append-only tables whose rows go with a benchmark that nothing has been scored for.
KEPT_OTHERWISE = (
    "scoring_sealedlabels",
    "scoring_goldversion",
    "benchmarks_terms",
    "benchmarks_itemrenewal",
    "benchmarks_writtenversion",
)

_FORBIDDEN = "42501"  # what PostgreSQL answers where a role lacks a right


class CannotRemove(Exception):
    """Others have left something in the benchmark; the message says what."""


def refuse_to_remove(benchmark: Benchmark) -> None:
    """CannotRemove where there is a submission, a release, a breaker's file, accepted terms or a campaign."""
    left = {
        "submissions: %(count)s": Submission.objects.filter(phase__benchmark=benchmark).count(),
        "releases: %(count)s": Release.objects.filter(benchmark=benchmark).count(),
        "breakers' files of pairs: %(count)s": PairFile.objects.filter(phase__benchmark=benchmark).count(),
        "people who accepted its terms: %(count)s": Acceptance.objects.filter(
            terms__benchmark=benchmark
        ).count(),
        "labelling campaigns that were opened: %(count)s": Campaign.objects.filter(benchmark=benchmark)
        .exclude(status=Campaign.Status.DRAFT)
        .count(),
    }
    leftovers = [words % {"count": count} for words, count in left.items() if count]
    if leftovers:
        raise CannotRemove(
            f"{benchmark} cannot be deleted, because others have left something in it "
            f"({'; '.join(leftovers)}). It stays."
        )


def remove_benchmark(benchmark: Benchmark) -> None:
    """Delete a benchmark with its tasks, splits, phases, gold labels and pages. The audit log keeps what it has.

    Raises
    ------
    CannotRemove
        If others have left something in it; nothing was changed.
    """
    try:
        with transaction.atomic():
            locked = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
            refuse_to_remove(locked)
            pages = list(locked.pages.values_list("pk", flat=True))
            with _unguarded():
                _remove(Benchmark, [locked.pk])
            print_front()
            log_removal(locked, pages)
    except IntegrityError:
        raise CannotRemove(f"Somebody has submitted to {benchmark} at this moment. It stays.") from None
    except ProgrammingError as error:
        if getattr(error.__cause__, "sqlstate", "") != _FORBIDDEN:
            raise
        raise CannotRemove(
            f"Only whoever runs the server can delete {benchmark}, because gold labels and terms are history that the "
            f"database keeps: manage.py remove_benchmark {benchmark.pk}, with the role that owns the tables. It stays."
        ) from None


def refuse_to_remove_phase(phase: Phase) -> None:
    """CannotRemove where somebody has sent something to the phase, or a release is of it."""
    sent = Submission.objects.filter(phase=phase).count() + PairFile.objects.filter(phase=phase).count()
    if sent or Release.objects.filter(phase=phase).exists():
        raise CannotRemove(f"{phase.title} cannot be deleted: files sent to it: {sent}. It stays.")


def remove_phase(phase: Phase) -> None:
    """Delete a phase that nothing was sent to, with its empty batches and what was refused in it.

    Raises
    ------
    CannotRemove
        If somebody has sent something; nothing was changed.
    """
    try:
        with transaction.atomic():
            locked = Phase.objects.select_for_update().get(pk=phase.pk)
            refuse_to_remove_phase(locked)
            _remove(Phase, [locked.pk])
            Benchmark.objects.filter(pk=locked.benchmark_id).mark_stale(archive=True)
    except IntegrityError:
        raise CannotRemove(f"Somebody has submitted to {phase.title} at this moment. It stays.") from None


@contextmanager
def _unguarded() -> Iterator[None]:
    """Within the transaction, and for nobody else, rows of these tables may be deleted."""
    with connection.cursor() as cursor:
        connection.check_constraints()  # PostgreSQL changes no trigger of a table while rows of it are to be checked
        for table in KEPT_OTHERWISE:
            for statement in drop_statements(connection.vendor, table):
                cursor.execute(statement)
        yield
        connection.check_constraints()
        for table in KEPT_OTHERWISE:
            for statement in create_statements(connection.vendor, table):
                cursor.execute(statement)


def _remove(model: type[models.Model], keys: list[Any]) -> None:
    if not keys:
        return
    fields = model._meta.get_fields(include_hidden=True)  # noqa: SLF001  # documented by Django under this name
    for field in fields:
        if isinstance(field, models.ForeignObjectRel) and not field.many_to_many:
            pointing = field.related_model._base_manager.filter(**{f"{field.field.name}__in": keys})  # noqa: SLF001  # as above
            _remove(field.related_model, list(pointing.values_list("pk", flat=True)))
    model._base_manager.filter(pk__in=keys).delete()  # noqa: SLF001  # as above
