"""What the log is told of definitions."""

from collections.abc import Mapping
from typing import Any

from benchmarks.models import Benchmark
from transparency.core.entries import EntryKind
from transparency.models import LogEntry
from transparency.services import append


def log_definition(benchmark: Benchmark) -> None:
    """Enter the digest of a definition and the versions of its tasks, unless the log has just these."""
    facts = {
        "sha256": benchmark.definition_sha256,
        "tasks": dict(benchmark.tasks.filter(is_retired=False).values_list("slug", "version")),
    }
    entries = LogEntry.objects.filter(kind=EntryKind.DEFINITION, benchmark=benchmark.pk)
    newest = entries.order_by("-index").first()
    if newest is None or not facts.items() <= newest.facts.items():
        append_public(kind=EntryKind.DEFINITION, benchmark=benchmark.pk, facts=facts)


def append_public(
    *,
    kind: EntryKind,
    facts: Mapping[str, Any],
    benchmark: str,
    opening: Mapping[str, Any] | None = None,
) -> None:
    """Enter what happened to a benchmark in the log, unless it is hidden: everybody reads the log, and names in it."""
    if not Benchmark.objects.hidden().filter(pk=benchmark).exists():
        append(kind=kind, benchmark=benchmark, facts=facts, opening=opening)
