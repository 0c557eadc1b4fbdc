"""Stored replicates of scores: written by whoever has the key to the gold labels, read by whoever publishes.

All systems of a split are resampled with the same weights, so that replicate b of one belongs to replicate b of every
other, and of every average. They stand about the score (`scoring.core.uncertainty.intervals.calibrated`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.model import PAIR_MEASURES
from scoring.models import RunReplicates

Floats: TypeAlias = NDArray[np.float64]

SHARE = PAIR_MEASURES[-1]
"""The share of pairs that break a system."""
ACCURACIES = ("accuracy", "exact_match")
"""What tells how good a system is on development data; the first that a task measures is part of breakers' scores."""

_AT_ONCE = 500  # rows; a database takes only so many ids in one statement
_CODE = np.dtype("<u2")
_UNDEFINED = 65_535
_STEPS = _UNDEFINED - 1


def replicates_of(run_ids: Collection[int]) -> dict[int, dict[str, Floats]]:
    """The stored replicates of scoring runs: by run, then metric, arrays of shape (replicates,), NaN where undefined.

    A run from before replicates were kept is left out.
    """
    found: dict[int, dict[str, Floats]] = {}
    ids = sorted(run_ids)
    for start in range(0, len(ids), _AT_ONCE):
        for row in RunReplicates.objects.filter(run__in=ids[start : start + _AT_ONCE]):
            found[row.run_id] = dict(_unpacked(row))
    return found


def kept_metrics(benchmark: BenchmarkSpec, task: TaskSpec) -> tuple[str, ...]:
    """The metrics of a task whose replicates are kept: what its column shows, and what boards average or derive."""
    averaged = {average.id for average in benchmark.averages}
    asked = [
        group.asked(column)
        for board in benchmark.boards
        for group in board.groups
        for column in group.columns
    ]
    wanted = {metric for name, metric in asked if name in averaged}
    if task.pairs:
        wanted |= set(ACCURACIES)
    others = [use.name for use in task.metrics[1:] if use.name in wanted]
    return (task.primary_metric.name, *others, *([SHARE] if task.pairs else []))


def packed(run_id: int, replicates: Mapping[str, Floats], *, method: str, seed_id: str) -> RunReplicates:
    """The row that keeps these replicates; at least one metric, all with equally many."""
    (count,) = {len(array) for array in replicates.values()}
    return RunReplicates(
        run_id=run_id,
        metrics=list(replicates),
        packed=b"".join(_row(array) for array in replicates.values()),
        count=count,
        method=method,
        seed_id=seed_id,
    )


def _row(array: Floats) -> bytes:
    """Least value and step as 64-bit floats, then a 16-bit number of steps each: a ten thousandth of their spread."""
    defined = array[~np.isnan(array)]
    low, high = (float(defined.min()), float(defined.max())) if len(defined) else (0.0, 0.0)
    step = (high - low) / _STEPS or 1.0
    codes = np.where(np.isnan(array), _UNDEFINED, np.rint((array - low) / step))
    return np.array([low, step], dtype="<f8").tobytes() + codes.astype(_CODE).tobytes()


def _unpacked(row: RunReplicates) -> Iterator[tuple[str, Floats]]:
    length = 16 + _CODE.itemsize * row.count
    for at, metric in enumerate(row.metrics):
        part = bytes(row.packed[at * length : (at + 1) * length])
        low, step = np.frombuffer(part, dtype="<f8", count=2)
        codes = np.frombuffer(part, dtype=_CODE, offset=16)
        array = low + step * codes
        array[codes == _UNDEFINED] = np.nan
        yield metric, array
