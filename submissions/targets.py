"""What an upload has to answer: every split with ids, with its task's specification."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from benchmarks.models import Benchmark, Split
from submissions.exceptions import PhaseNotReady
from submissions.intake import ItemIds, SplitTarget


def splits_by_name(benchmark: Benchmark) -> dict[tuple[str, str], Split]:
    """The splits of a benchmark's tasks by (task, split)."""
    splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False).select_related("task")
    rows = {(split.task.slug, split.slug): split for split in splits.defer("ids_packed")}
    for row in rows.values():
        row.task.benchmark = benchmark  # the caller's row, so that nobody fetches it again per split
    return rows


def alignment_sha256(split: Split) -> str:
    """Digest of what canonical predictions mean: the kind of answer with its labels, and the split's ids."""
    return sha256(f"{split.task.spec.output!r}\n{split.ids_sha256}".encode()).hexdigest()


def split_targets(benchmark: Benchmark) -> list[SplitTarget]:
    """One target per split, in the order of the definition.

    Raises
    ------
    PhaseNotReady
        If a task has no ids yet.
    """
    splits = splits_by_name(benchmark)
    waiting = [task.id for task in benchmark.spec.tasks if (task.id, "test") not in splits]
    if waiting:
        raise PhaseNotReady(
            f"The organiser has not loaded the gold labels of {', '.join(waiting)} yet, "
            "so no file can be checked. Please try again later."
        )
    return [
        SplitTarget(task=benchmark.spec.task(task), split=split, ids=item_ids(row.pk, row.ids_sha256))
        for (task, split), row in splits.items()
    ]


@lru_cache(maxsize=128)
def item_ids(split_id: int, ids_sha256: str) -> ItemIds:
    """The ids of a split, indexed once per process; the digest is part of the key because ids may be replaced."""
    return ItemIds.from_bytes(Split.objects.get(pk=split_id, ids_sha256=ids_sha256).ids_text())
