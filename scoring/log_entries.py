"""What the log is told of gold labels, renewed items and batches."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import prefetch_related_objects

from benchmarks.log_entries import append_public
from benchmarks.models import ItemRenewal, Task
from scoring.models import Batch, GoldVersion, OpenedGold
from submissions.models import Submission
from submissions.uploads.signed_receipts import receipt_of
from transparency.core.entries import EntryKind
from transparency.instants import instant_text
from transparency.models import LogEntry


def log_gold(task: Task, clusters: Mapping[str, str] | None = None) -> None:
    """Enter the commitment of each gold version of a task that the log does not have yet.

    `clusters` are the salted digests of the clusters of items that are not in the log yet, by commitment.
    """
    entries = LogEntry.objects.filter(kind=EntryKind.GOLD, benchmark=task.benchmark_id)
    logged = [facts for entry in entries if (facts := entry.facts)["task"] == task.slug]
    known = {(facts["split"], facts["version"]) for facts in logged}
    of_commitment = {facts["commitment"]: facts["clusters"] for facts in logged} | dict(clusters or {})
    versions = GoldVersion.objects.filter(split__task=task).select_related("split").order_by("pk")
    for version in versions:
        if (version.split.slug, version.number) not in known:
            facts = gold_facts(version) | {"clusters": of_commitment.get(version.commitment, "")}
            append_public(kind=EntryKind.GOLD, benchmark=task.benchmark_id, facts=facts)


def gold_facts(version: GoldVersion) -> dict[str, Any]:
    """What the log says of a gold version, but for its clusters: their digest is made when it is sealed."""
    return {
        "task": version.split.task.slug,
        "task_version": version.task_version,
        "split": version.split.slug,
        "version": version.number,
        "commitment": version.commitment,
        "remainder_by": version.remainder_by or version.commitment,
        "items": version.item_count,
        "ids": version.split.ids_sha256,
    }


def log_renewal(renewal: ItemRenewal) -> None:
    """Enter that a split has other items from a version of its gold labels on; the split is as it is now."""
    split = renewal.split
    facts = {
        "task": split.task.slug,
        "split": split.slug,
        "version": renewal.gold_number,
        "former": renewal.former_sha256,
        "ids": split.ids_sha256,
        "retired": renewal.retired_count,
        "anchors": renewal.anchor_count,
        "new": renewal.new_count,
    }
    append_public(kind=EntryKind.RENEWAL, benchmark=split.task.benchmark_id, facts=facts)


def log_opening(
    opened: OpenedGold, clusters: Sequence[int] | None, groups: Mapping[str, Sequence[str]] | None
) -> None:
    """Enter the salt of a commitment whose gold labels are public now, and each item's cluster and groups."""
    version = opened.gold_version
    facts = {
        "task": version.split.task.slug,
        "split": version.split.slug,
        "version": version.number,
        "commitment": version.commitment,
        "salt": opened.salt,
        "clusters": clusters,
    } | ({"groups": groups} if groups else {})
    append_public(kind=EntryKind.OPENING, benchmark=version.split.task.benchmark_id, facts=facts)


def log_closing(batch: Batch, taken_in: Iterable[Submission]) -> None:
    """Enter that a batch was closed, with the digests of the receipts of what it takes in."""
    submissions = list(taken_in)
    prefetch_related_objects(submissions, "phase")  # of a thousand, one query
    facts = {
        "phase": batch.phase.slug,
        "cut_off_at": instant_text(batch.cut_off_at),
        "receipts": sorted(receipt_of(submission).digest for submission in submissions),
    }
    append_public(kind=EntryKind.BATCH, benchmark=batch.phase.benchmark_id, facts=facts)
