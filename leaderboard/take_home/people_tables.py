"""Who took part, what was handed in and what is declared of it, as rows of tables."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Q

from benchmarks.models import Benchmark
from submissions.models import FactSheet, Submission, System
from submissions.quota.participant_list import participants_of

SUBMISSION_HEADS = (
    "submission",
    "system",
    "system_id",
    "team",
    "kind",
    "phase",
    "track",
    "status",
    "status_reason",
    "received_at",
    "cut_off_at",
    "ended_at",
    "held_back_at",
    "held_back_because",
    "submitted_by",
    "file_name",
    "file_size",
    "file_sha256",
    "predictions_sha256",
    "predictions",
    "file_removed_at",
    "file_removed_because",
)
PARTICIPANT_HEADS = ("team", "person", "e-mail", "registration", "submissions")
SYSTEM_HEADS = (
    "system_id",
    "system",
    "team",
    "kind",
    "description",
    "paper",
    "code",
    "tags",
    "facts",
    "created_at",
)
FACT_HEADS = ("system_id", "system", "team", "list", "option", "changed_at")


def submissions_of(benchmark: Benchmark) -> Any:
    return Submission.objects.filter(phase__benchmark=benchmark)


def submission_rows(benchmark: Benchmark) -> Iterator[tuple[Any, ...]]:
    """A line per submission as `SUBMISSION_HEADS`, as received. `predictions` is “here”, “removed” or “none”."""
    rows = submissions_of(benchmark).select_related("system__team", "phase", "submitted_by")
    rows = rows.annotate(
        split_count=Count("predictions"),
        kept_count=Count("predictions", filter=Q(predictions__codes__isnull=False)),
    )
    for row in rows.order_by("received_at", "pk").iterator(chunk_size=500):
        yield (
            str(row.pk),
            row.system.name,
            str(row.system_id),
            row.system.team.name,
            row.system.kind,
            row.phase.slug,
            row.track,
            row.status,
            row.status_reason,
            row.received_at,
            row.cut_off_at,
            row.ended_at,
            row.held_back_at,
            row.held_back_because,
            row.submitted_by.email,
            row.file_name,
            row.file_size,
            row.file_sha256,
            row.predictions_sha256,
            _predictions(row),
            row.file_removed_at,
            row.file_removed_because,
        )


def _predictions(row: Any) -> str:
    if not row.split_count:
        return "none"
    return "here" if row.kept_count == row.split_count else "removed"


def participant_rows(benchmark: Benchmark) -> Iterator[tuple[Any, ...]]:
    """A line per person of every team that registered or sent something, as `PARTICIPANT_HEADS`."""
    for one in sorted(participants_of(benchmark), key=lambda one: one.team.name):
        for person in one.people:
            yield one.team.name, person.name, person.email, one.state, one.accepted


def system_rows(benchmark: Benchmark) -> Iterator[tuple[Any, ...]]:
    """A line per system that handed something in, as `SYSTEM_HEADS`."""
    rows = System.objects.filter(submissions__phase__benchmark=benchmark).distinct()
    for row in rows.select_related("team").order_by("team__name", "name").iterator(chunk_size=500):
        yield (
            str(row.pk),
            row.name,
            row.team.name,
            row.kind,
            row.description,
            row.paper_url,
            row.code_url,
            row.tags,
            row.facts,
            row.created_at,
        )


def fact_rows(benchmark: Benchmark) -> Iterator[tuple[Any, ...]]:
    """A line per option that a system has chosen on its fact sheet, as `FACT_HEADS`."""
    sheets = FactSheet.objects.filter(benchmark=benchmark).select_related("system__team")
    for sheet in sheets.order_by("system__team__name", "system__name").iterator(chunk_size=500):
        for name, options in sheet.answers.items():
            for option in options:
                yield (
                    str(sheet.system_id),
                    sheet.system.name,
                    sheet.system.team.name,
                    name,
                    option,
                    sheet.changed_at,
                )
