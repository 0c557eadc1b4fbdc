"""How sure scores are, worked out beside them in the process that has the gold labels.

The weights of a split's items follow from the salt that is sealed with its gold labels: as long as that is secret,
nobody can read replicates as equations about labels, and once gold labels are public everybody can draw the weights
again. Attacked copies of a test split share its salt and its ids, and so its weights.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import Answers, TaskSpec
from scoring.core.comparison import Comparison
from scoring.core.engine import metric_for
from scoring.core.report import ScoreReport
from scoring.core.uncertainty.intervals import METHOD, Interval, calibrated, interval
from scoring.core.uncertainty.pairs import pair_clusters, pair_replicates
from scoring.core.uncertainty.replicates import Resamples, replicate_scores
from scoring.core.uncertainty.weights import item_weights
from scoring.keys import private_key
from scoring.models import GoldVersion, RunReplicates, ScoringRun
from scoring.parts import Mask
from scoring.replicates import Floats, kept_metrics, packed
from scoring.vault import open_salt, open_sealed
from submissions.targets import item_ids

logger = logging.getLogger(__name__)

SPLITS_KEPT = 12  # those of a benchmark; some 3 MB per 1,000 items
_PAIR_RANGES = {"pairs_broken_share": (0.0, 1.0)}


@dataclass(frozen=True, slots=True)
class Compared:
    """A run's report, with the two aligned arrays that it was made of. `run.split` comes with its task.

    Where a part of the items was scored, `items` says which of the split's, shape (n_items,), and the arrays hold them.
    """

    run: ScoringRun
    report: ScoreReport
    gold: Answers
    predictions: Answers
    items: Mask | None = None


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """What is known of one run: the intervals of its scores by metric, and the replicates that are kept."""

    intervals: dict[str, Interval]
    replicates: RunReplicates | None


def uncertainties(compared: Iterable[Compared]) -> dict[int, Uncertainty]:
    """How sure the scores of runs are, by run. A fault here leaves a run without intervals and not without scores.

    Runs of one split come after each other, so that what is made of its weights is at hand for all of them.
    """
    found = {}
    for one in sorted(compared, key=lambda each: (each.run.gold_version_id, each.run.pk)):
        try:
            found[one.run.pk] = _uncertainty(one)
        except Exception as error:  # noqa: BLE001  # whatever it is must not tell what it saw
            logger.error("run %s has no intervals: %s", one.run.pk, type(error).__name__)  # noqa: TRY400  # no traceback
            found[one.run.pk] = Uncertainty({}, None)
    return found


def _uncertainty(compared: Compared) -> Uncertainty:
    run, report, gold, predictions = compared.run, compared.report, compared.gold, compared.predictions
    task = run.split.task.spec
    seed = _seed(run.gold_version_id)
    clusters = _clusters(run, task)
    if clusters is not None and compared.items is not None:
        clusters = clusters[compared.items]
    resamples = _resamples(seed, len(gold), None if clusters is None else clusters.tobytes())
    values = {one.metric: one.value for one in report.values if one.value is not None}
    replicates = _calibrated(Comparison(task.output, gold, predictions), task, values, resamples)
    ranges = {
        name: (metric_for(task.output, name).low, metric_for(task.output, name).high) for name in replicates
    }
    if clusters is not None and _has_pairs(run, task):
        of_pairs = pair_replicates(task.output, clusters, gold, predictions, resamples)
        replicates |= {name: array for name, array in of_pairs.items() if name in values}
        ranges |= {name: _PAIR_RANGES.get(name, (0.0, np.inf)) for name in of_pairs}
    intervals = {
        name: found
        for name, array in replicates.items()
        if (found := interval(values[name], array, *ranges[name])) is not None
    }
    kept = [name for name in kept_metrics(run.split.task.benchmark.spec, task) if name in replicates]
    if not kept:
        return Uncertainty(intervals, None)
    row = packed(run.pk, {name: replicates[name] for name in kept}, method=METHOD, seed_id=_public_id(seed))
    return Uncertainty(intervals, row)


def _calibrated(
    comparison: Comparison, task: TaskSpec, values: dict[str, float], resamples: Resamples
) -> dict[str, Floats]:
    names = [use.name for use in task.metrics if use.name in values]
    return {
        name: calibrated(comparison, metric_for(task.output, name), values[name], array)
        for name, array in replicate_scores(comparison, names, resamples).items()
    }


def _clusters(run: ScoringRun, task: TaskSpec) -> NDArray[np.intp] | None:
    """Which items are drawn together: the two of a minimal pair, or what the gold file says belongs together."""
    if _has_pairs(run, task):
        return pair_clusters(item_ids(run.split_id, run.split.ids_sha256).ids, task.pairs)
    return _gold_clusters(run.gold_version_id) if task.gold.cluster_column else None


def _has_pairs(run: ScoringRun, task: TaskSpec) -> bool:
    return bool(task.pairs) and not run.part and run.split.slug in task.test_splits


@lru_cache(maxsize=SPLITS_KEPT)
def _gold_clusters(gold_version_id: int) -> NDArray[np.intp] | None:
    """None of gold labels that were loaded before the definition named a column."""
    version = GoldVersion.objects.get(pk=gold_version_id)
    clusters = open_sealed(bytes(version.sealed), private_key()).clusters
    return None if clusters is None else clusters.astype(np.intp)


@lru_cache(maxsize=256)
def _seed(gold_version_id: int) -> bytes:
    version = GoldVersion.objects.get(pk=gold_version_id)
    return sha256(b"heldout bootstrap" + open_salt(bytes(version.sealed), private_key())).digest()


def _public_id(seed: bytes) -> str:
    """Tells runs that were resampled alike from others, and says nothing about the seed."""
    return sha256(b"heldout seed" + seed).hexdigest()[:16]


@lru_cache(maxsize=SPLITS_KEPT)
def _resamples(seed: bytes, item_count: int, clusters: bytes | None) -> Resamples:
    drawn_together = None if clusters is None else np.frombuffer(clusters, dtype=np.intp)
    return Resamples(item_weights(seed, item_count, clusters=drawn_together))
