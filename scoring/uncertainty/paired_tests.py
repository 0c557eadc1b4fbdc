"""Paired tests that need gold labels, made in the process that can open them and kept beside the scores."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.models import Split
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from catalogue.metrics.statistics import RIGHT_ITEMS
from scoring.core.uncertainty.paired import DRAWS, approximate_randomisation, mcnemar
from scoring.models import PairedTest, ScoringRun
from scoring.queue.runs import RunFailed, compare_again

logger = logging.getLogger(__name__)

Pair: TypeAlias = tuple[int, int]
"""Two scoring runs, the smaller id first."""

Tests: TypeAlias = Mapping[Pair, PairedTest]


def paired_tests(runs: Collection[int]) -> Tests:
    """The stored tests among these runs."""
    found = PairedTest.objects.filter(first__in=runs, second__in=runs)
    return {(one.first_id, one.second_id): one for one in found}


def make_paired_tests(pairs: Collection[Pair], *, now: dt.datetime) -> int:
    """Test pairs of runs on their task's primary metric and keep what comes out; returns how many were stored.

    Only with the private key. A pair that was tested meanwhile stays as it is; one whose gold labels cannot be opened
    by this key is left for another process. Runs of different splits or gold labels are not compared.
    """
    compared: dict[int, _Side | None] = {}
    rows = ScoringRun.objects.filter(pk__in={run for pair in pairs for run in pair}).select_related(
        "predictions__codes"
    )
    splits = Split.objects.filter(pk__in=rows.values("split")).select_related("task__benchmark")
    by_id = {split.pk: split for split in splits}
    for run in rows:
        run.split = by_id[run.split_id]
        compared[run.pk] = _side(run)
    made = [
        _tested(first, second, now)
        for pair in pairs
        if (first := compared.get(pair[0])) and (second := compared.get(pair[1])) and first.is_like(second)
    ]
    PairedTest.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


class _Side:
    """One run, read once for all its pairs."""

    def __init__(self, run: ScoringRun, comparison: Comparison) -> None:
        self.run = run
        self.comparison = comparison
        self.metric = metric_for(comparison.output, run.split.task.spec.primary_metric.name)

    def is_like(self, other: _Side) -> bool:
        are_alike = (self.run.gold_version_id, self.run.part) == (other.run.gold_version_id, other.run.part)
        return are_alike and self.run.pk < other.run.pk

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which items count as right."""
        one = self.comparison
        return np.asarray((one.y_true == one.y_pred) & ~np.isin(one.y_true, one.never_right))


def _side(run: ScoringRun) -> _Side | None:
    try:
        return _Side(run, compare_again(run).comparison)
    except RunFailed as failure:
        logger.warning("run %s could not be tested against others: %s", run.pk, failure.error)
        return None


def _tested(first: _Side, second: _Side, now: dt.datetime) -> PairedTest:
    known: Mapping[str, float | None] = {}
    try:
        known = _values(first, second)
    except Exception as error:  # noqa: BLE001  # whatever it is must not tell what it saw
        logger.error("runs %s and %s: %s", first.run.pk, second.run.pk, type(error).__name__)  # noqa: TRY400  # no traceback
    return PairedTest(
        first=first.run,
        second=second.run,
        metric=first.metric.name,
        exchange_p=known.get("exchange"),
        mcnemar_p=known.get("mcnemar"),
        draws=DRAWS,
        created_at=now,
    )


def _values(first: _Side, second: _Side) -> Mapping[str, float | None]:
    exchange = approximate_randomisation(
        first.comparison, second.comparison, first.metric.name, rng=_generator(first.run, second.run)
    )
    if first.metric.statistic is not RIGHT_ITEMS or first.comparison.y_true.dtype.names:
        return {"exchange": exchange}
    only_first = int(np.count_nonzero(first.right & ~second.right))
    only_second = int(np.count_nonzero(second.right & ~first.right))
    return {"exchange": exchange, "mcnemar": mcnemar(only_first, only_second)}


def _generator(first: ScoringRun, second: ScoringRun) -> np.random.Generator:
    """Seeded by what is compared, so that the same two runs always give the same p."""
    named = f"{first.gold_version_id} {first.predictions.sha256} {second.predictions.sha256}"
    return np.random.default_rng(int.from_bytes(sha256(named.encode()).digest()[:8]))
