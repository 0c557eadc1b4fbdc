"""Paired tests that need gold labels, made in the process that can open them and kept beside the scores."""

import datetime as dt
import hmac
import logging
from collections.abc import Collection, Mapping
from hashlib import sha256

import numpy as np

from catalogue.disclosure.keyed_draws import draw_key
from catalogue.disclosure.rule import NOISY
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import RIGHT_ITEMS
from scoring.core.uncertainty.paired import DRAWS, approximate_randomisation, mcnemar
from scoring.gold.alignment import opened_version
from scoring.models import PairedTest, ScoringRun
from scoring.run_scoring import Compared, RunFailed, score_run

logger = logging.getLogger(__name__)

Pair = tuple[int, int]  # two scoring runs, the smaller id first
Tests = Mapping[Pair, PairedTest]


def paired_tests(runs: Collection[int]) -> Tests:
    """The stored tests among these runs."""
    tests = PairedTest.objects.filter(first__in=runs, second__in=runs)
    return {(test.first_id, test.second_id): test for test in tests}


def make_paired_tests(pairs: Collection[Pair], *, now: dt.datetime) -> int:
    """Test pairs of runs on their task's primary metric and keep what comes out; returns how many were stored.

    Only with the private key. A pair that was tested meanwhile stays as it is; one whose gold labels cannot be opened
    by this key is left for another process. Runs of different splits or gold labels are not compared.
    """
    runs = ScoringRun.objects.filter(pk__in={run for pair in pairs for run in pair})
    of_runs = runs.select_related("predictions__codes", "split__task__benchmark")
    compared = {run.pk: _read(run) for run in of_runs}
    tests = [
        _tested(first, second, now)
        for pair in pairs
        if (first := compared.get(pair[0]))
        and (second := compared.get(pair[1]))
        and _are_alike(first.run, second.run)
    ]
    PairedTest.objects.bulk_create(tests, ignore_conflicts=True)
    return len(tests)


def _read(run: ScoringRun) -> Compared | None:
    try:
        return score_run(run)
    except RunFailed as failure:
        logger.warning("run %s could not be tested against others: %s", run.pk, failure.error)
        return None


def _are_alike(first: ScoringRun, second: ScoringRun) -> bool:
    same_items = (first.gold_version_id, first.part) == (second.gold_version_id, second.part)
    return same_items and first.pk < second.pk and first.part not in NOISY


def _tested(first: Compared, second: Compared, now: dt.datetime) -> PairedTest:
    metric = metric_for(first.comparison.output, first.run.split.task.spec.primary_metric.name)
    known: Mapping[str, float | None] = {}
    try:
        known = _values(first, second, metric)
    except Exception as error:  # noqa: BLE001  # whatever it is must not tell what it saw
        logger.error("runs %s and %s: %s", first.run.pk, second.run.pk, type(error).__name__)  # noqa: TRY400  # no traceback
    return PairedTest(
        first=first.run,
        second=second.run,
        metric=metric.name,
        exchange_p=known.get("exchange"),
        mcnemar_p=known.get("mcnemar"),
        draws=DRAWS,
        created_at=now,
    )


def _values(first: Compared, second: Compared, metric: AnyMetric) -> Mapping[str, float | None]:
    rng = _generator(first.run, second.run)
    exchange = approximate_randomisation(first.comparison, second.comparison, metric.name, rng=rng)
    if metric.statistic is not RIGHT_ITEMS or first.comparison.y_true.dtype.names:
        return {"exchange": exchange}
    right, other = (
        (comparison.y_true == comparison.y_pred) & ~np.isin(comparison.y_true, comparison.never_right)
        for comparison in (first.comparison, second.comparison)
    )
    only_first, only_second = int(np.count_nonzero(right & ~other)), int(np.count_nonzero(other & ~right))
    return {"exchange": exchange, "mcnemar": mcnemar(only_first, only_second)}


def _generator(first: ScoringRun, second: ScoringRun) -> np.random.Generator:
    """Seeded by what is compared and the sealed salt: the same two runs always give the same p.

    Whoever knew which items are exchanged could read off a p which of them have which label, and not only how many.
    """
    salt, _gold = opened_version(first.gold_version_id)
    named = f"{first.gold_version_id} {first.predictions.sha256} {second.predictions.sha256}"
    return np.random.default_rng(
        int.from_bytes(hmac.digest(draw_key(salt, "exchange"), named.encode(), sha256))
    )
