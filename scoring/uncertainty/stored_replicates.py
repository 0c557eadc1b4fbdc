"""Stored replicates of scores: written by whoever has the key to the gold labels, read by whoever publishes.

All systems of a split are resampled with the same weights, so that replicate b of one belongs to replicate b of every
other, and of every average. They stand about the score (`scoring.core.uncertainty.intervals.calibrated`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.model import PAIR_MEASURES
from scoring.models import RunReplicates

Floats = NDArray[np.float64]

SHARE = PAIR_MEASURES[-1]  # the share of pairs that break a system
# What tells how good a system is on development data; the first that a task measures is part of breakers' scores.
ACCURACIES = ("accuracy", "exact_match")

_AT_ONCE = 500  # rows; a database takes only so many ids in one statement
_HEAD, _CODE = np.dtype("<f8"), np.dtype("<u2")
_UNDEFINED = 65_535
_STEPS = _UNDEFINED - 1


def replicates_of(run_ids: Collection[int]) -> dict[int, dict[str, Floats]]:
    """The stored replicates of scoring runs: by run, then metric, arrays of shape (replicates,), NaN where undefined.

    A run from before replicates were kept is left out.
    """
    by_run: dict[int, dict[str, Floats]] = {}
    ids = sorted(run_ids)
    for start in range(0, len(ids), _AT_ONCE):
        rows = RunReplicates.objects.filter(run__in=ids[start : start + _AT_ONCE])
        for run, metrics, packed, count in rows.values_list("run", "metrics", "packed", "count"):
            by_run[run] = dict(_unpacked(metrics, packed, count))
    return by_run


def kept_metrics(benchmark: BenchmarkSpec, task: TaskSpec) -> tuple[str, ...]:
    """The metrics of a task whose replicates are kept: what its column shows, and what boards average or derive."""
    averaged = {average.id for average in benchmark.averages}
    candidates = [
        group.asked(column)
        for board in benchmark.boards
        for group in board.groups
        for column in group.columns
    ]
    wanted = {metric for name, metric in candidates if name in averaged}
    parts = (part for average in benchmark.averages for part in average.each() if part.id == task.id)
    wanted |= {part.metric for part in parts}
    if task.pairs:
        wanted |= set(ACCURACIES)
    others = [use.name for use in task.metrics[1:] if use.name in wanted]
    return (task.primary_metric.name, *others, *([SHARE] if task.pairs else []))


def packed(run_id: int, rows: Mapping[str, bytes], *, method: str, seed_id: str) -> RunReplicates:
    """The row that keeps the replicates of these metrics, each as `packed_rows` gives it; at least one metric."""
    (length,) = {len(row) for row in rows.values()}
    return RunReplicates(
        run_id=run_id,
        metrics=list(rows),
        packed=b"".join(rows.values()),
        count=(length - 2 * _HEAD.itemsize) // _CODE.itemsize,
        method=method,
        seed_id=seed_id,
    )


def packed_rows(replicates: Floats) -> list[bytes]:
    """Each row of an array of shape (systems, replicates) in few bytes.

    Least value and step as 64-bit floats, then a 16-bit number of steps each: a ten thousandth of their spread.
    """
    is_undefined = np.isnan(replicates)
    low = np.where(is_undefined, np.inf, replicates).min(axis=1)
    high = np.where(is_undefined, -np.inf, replicates).max(axis=1)
    is_nothing_defined = is_undefined.all(axis=1)
    low[is_nothing_defined] = high[is_nothing_defined] = 0.0
    step = (high - low) / _STEPS
    step[step == 0] = 1.0
    codes = np.where(is_undefined, _UNDEFINED, np.rint((replicates - low[:, None]) / step[:, None]))
    heads = np.stack([low, step], axis=1).astype(_HEAD)
    return [head.tobytes() + row.tobytes() for head, row in zip(heads, codes.astype(_CODE), strict=True)]


def _unpacked(metrics: Sequence[str], packed: bytes | memoryview, count: int) -> Iterator[tuple[str, Floats]]:
    """Of a row its metrics with their replicates, as `replicates_of` gives them."""
    length = 2 * _HEAD.itemsize + _CODE.itemsize * count
    for at, metric in enumerate(metrics):
        part = bytes(packed[at * length : (at + 1) * length])
        low, step = np.frombuffer(part, dtype=_HEAD, count=2)
        codes = np.frombuffer(part, dtype=_CODE, offset=2 * _HEAD.itemsize)
        array = low + step * codes
        array[codes == _UNDEFINED] = np.nan
        yield metric, array
