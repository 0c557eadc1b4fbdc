"""What an upload has to answer: every split with ids, with its task's specification."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from benchmarks.models import Benchmark, Split
from benchmarks.spec import BenchmarkSpec, BundleRule
from submissions.exceptions import PhaseNotReady, UnknownTrack
from submissions.intake import ItemIds, SplitTarget
from submissions.intake.problems import quoted


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


def known_track(spec: BenchmarkSpec, track: str) -> str:
    """The id of a track; that of the main one where none is named, and nothing where there are none.

    Raises
    ------
    UnknownTrack
    """
    known = [one.id for one in spec.tracks]
    if track and track not in known:
        there_is = f"Its tracks are {', '.join(known)}." if known else "It has no tracks; name none."
        raise UnknownTrack(f"{spec.title} has no track {quoted(track)}. {there_is}")
    return track or spec.main_track


def split_targets(benchmark: Benchmark) -> list[SplitTarget]:
    """One target per split that has ids, in the order of the definition.

    Raises
    ------
    PhaseNotReady
        If no file can be checked as a whole: a task has no ids yet and every zip must answer it, or none has any.
    """
    spec, splits = benchmark.spec, splits_by_name(benchmark)
    waiting = [task.id for task in spec.tasks if (task.id, "test") not in splits]
    if waiting and (spec.bundle is BundleRule.COMPLETE or not splits):
        raise PhaseNotReady(
            f"The organiser has not loaded the gold labels of {', '.join(waiting)} yet, "
            "so no file can be checked. Please try again later."
        )
    return [
        SplitTarget(task=spec.task(row.task.slug), split=row.slug, ids=item_ids(row.pk, row.ids_sha256))
        for row in sorted(splits.values(), key=_place)
    ]


def _place(split: Split) -> tuple[int, int]:
    """Where a split stands in the order of the definition; one that is not named there comes last."""
    named = [one.id for one in split.task.spec.splits]
    return split.task.position, named.index(split.slug) if split.slug in named else len(named)


@lru_cache(maxsize=512)
def item_ids(split_id: int, ids_sha256: str) -> ItemIds:
    """The ids of a split, indexed once per process; the digest is part of the key because ids may be replaced.

    Splits with the same ids, such as the test split and what attacks make of it, share one index.
    """
    first = Split.objects.filter(ids_sha256=ids_sha256, pk__lt=split_id).order_by("pk").first()
    if first is not None:
        return item_ids(first.pk, ids_sha256)
    return ItemIds.from_bytes(Split.objects.get(pk=split_id, ids_sha256=ids_sha256).ids_text())
