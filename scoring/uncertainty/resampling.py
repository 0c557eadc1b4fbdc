"""How sure scores are, worked out beside them in the process that has the gold labels.

The weights of a split's items follow from the salt that is sealed with its gold labels: as long as that is secret,
nobody can read replicates as equations about labels, and once gold labels are public everybody can draw the weights
again, but for items that belong together: which do stays sealed. Attacked copies of a test split share its salt, its
ids and its clusters, and so its weights.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import TaskSpec
from catalogue.answers.arrays import array_to_bytes
from catalogue.disclosure.rule import NOISY
from catalogue.metrics.choice import metric_for
from scoring.core.uncertainty.derived import pair_clusters, pair_replicates
from scoring.core.uncertainty.intervals import METHOD, SHOWN_DECIMALS, Interval, intervals, share_interval
from scoring.core.uncertainty.replicates import Resamples, replicate_scores_together
from scoring.core.uncertainty.smoothing import FURTHER_ITEM, calibrated_together, is_share
from scoring.core.uncertainty.weights import item_weights
from scoring.gold.alignment import opened_version
from scoring.models import RunReplicates, ScoringRun
from scoring.run_scoring import Compared
from scoring.uncertainty.stored_replicates import SHARE, Floats, kept_metrics, packed, packed_rows

logger = logging.getLogger(__name__)

SPLITS_KEPT = 12  # those of a benchmark; some 3 MB per 1,000 items


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """What is known of one run: the intervals of its scores by metric, and the replicates that are kept."""

    intervals: dict[str, Interval]
    replicates: RunReplicates | None


# A metric, the runs that have a score by it, the intervals of these, and their replicates in rows if any were drawn.
_Drawn = tuple[str, list[int], Sequence[Interval | None], Floats | None]


def uncertainties(compared: Iterable[Compared]) -> dict[int, Uncertainty]:
    """How sure the scores of runs are, by run. A fault here leaves a run without intervals and not without scores.

    Runs of the same items are resampled together; where that fails, each by itself, so that the others have theirs.
    Of a score with noise nothing is told or kept: resamples would be those of the exact one.
    """
    alike: dict[tuple[object, ...], list[Compared]] = defaultdict(list)
    by_run: dict[int, Uncertainty] = {}
    for compared_run in compared:
        if compared_run.run.part in NOISY:
            by_run[compared_run.run.pk] = Uncertainty({}, None)
            continue
        alike[
            compared_run.run.gold_version_id,
            compared_run.run.split_id,
            compared_run.run.part,
            array_to_bytes(compared_run.comparison.y_true),
        ].append(compared_run)
    for some in alike.values():
        try:
            by_run |= _uncertainties(some)
        except Exception:  # noqa: BLE001  # told below, of the run that meets it by itself
            by_run |= {compared_run.run.pk: _uncertainty(compared_run) for compared_run in some}
    return by_run


def _uncertainty(compared: Compared) -> Uncertainty:
    try:
        return _uncertainties([compared])[compared.run.pk]
    except Exception as error:  # noqa: BLE001  # whatever it is must not tell what it saw
        logger.error("run %s has no intervals: %s", compared.run.pk, type(error).__name__)  # noqa: TRY400  # no traceback
        return Uncertainty({}, None)


def _uncertainties(compared: Sequence[Compared]) -> dict[int, Uncertainty]:
    """Of runs that were held against the same gold labels."""
    run, gold, items = compared[0].run, compared[0].comparison.y_true, compared[0].items
    task = run.split.task.spec
    seed = _seed(run.gold_version_id)
    clusters = _clusters(run, task)
    if clusters is not None and items is not None:
        clusters = clusters[items]
    resamples = _resamples(seed, len(gold), None if clusters is None else clusters.tobytes())
    kept = kept_metrics(run.split.task.benchmark.spec, task)
    ends: dict[int, dict[str, Interval]] = {compared_run.run.pk: {} for compared_run in compared}
    rows: dict[int, dict[str, bytes]] = {compared_run.run.pk: {} for compared_run in compared}
    drawn = _drawn(compared, task, kept, resamples, None if clusters is None else len(np.unique(clusters)))
    if clusters is not None and _has_pairs(run, task):
        drawn = chain(drawn, _drawn_of_pairs(compared, task, clusters, resamples))
    for metric, runs, own_intervals, replicates in drawn:
        for pk, interval in zip(runs, own_intervals, strict=True):
            if interval is not None:
                ends[pk][metric] = interval
        if metric in kept and replicates is not None:
            for pk, row in zip(runs, packed_rows(replicates), strict=True):
                rows[pk][metric] = row
    # The id tells runs that were resampled alike from others, and says nothing about the seed.
    named = {"method": METHOD, "seed_id": sha256(b"heldout seed" + seed).hexdigest()[:16]}
    in_order = {pk: {metric: own[metric] for metric in kept if metric in own} for pk, own in rows.items()}
    return {
        pk: Uncertainty(ends[pk], packed(pk, own, **named) if own else None) for pk, own in in_order.items()
    }


def _drawn(
    compared: Sequence[Compared],
    task: TaskSpec,
    kept: Collection[str],
    resamples: Resamples,
    cluster_count: int | None,
) -> Iterator[_Drawn]:
    """Of a share of right items whose replicates nobody keeps none are drawn: its interval follows from a count."""
    item_count = len(compared[0].comparison.y_true)
    values = [compared_run.values for compared_run in compared]
    names = [use.name for use in task.metrics if any(use.name in of_run for of_run in values)]
    metrics = {name: metric_for(task.output, name) for name in names}
    label_count = len(task.output.labels)
    shares = {name for name in names if cluster_count is None and is_share(metrics[name], label_count)}
    comparisons = [compared_run.comparison for compared_run in compared]
    drawn = [name for name in names if name in kept or name not in shares]
    replicates = replicate_scores_together(comparisons, drawn, resamples)
    for name, metric in metrics.items():
        at = [place for place, of_run in enumerate(values) if name in of_run]
        own = [values[place][name] for place in at]
        about = None
        if name in replicates:
            some, rows = [comparisons[place] for place in at], replicates[name][at]
            about = calibrated_together(some, metric, own, rows, resamples.further, cluster_count)
        ends: Sequence[Interval | None]
        if name in shares or about is None:
            ends = [share_interval(round(value * item_count), item_count) for value in own]
        else:
            ends = intervals(own, about, metric.low, metric.high)
        yield name, [compared[place].run.pk for place in at], ends, about


def _drawn_of_pairs(
    compared: Sequence[Compared], task: TaskSpec, clusters: NDArray[np.intp], resamples: Resamples
) -> Iterator[_Drawn]:
    """Of counts of pairs and of the share of broken ones: pairs are drawn one by one, so that each is a share."""
    pair_count = len(clusters) // 2
    for compared_run in compared:
        gold, predictions = compared_run.comparison.y_true, compared_run.comparison.y_pred
        measured = pair_replicates(task.output, clusters, gold, predictions, resamples)
        for name, array in measured.items():
            if name in compared_run.values:
                value = compared_run.values[name]
                scale = 1 if name == SHARE else pair_count
                share = value / scale
                ends = share_interval(round(share * pair_count), pair_count)
                moved = np.array([1 - share, -share]) @ resamples.further
                about = array + scale * FURTHER_ITEM / pair_count * moved
                yield (
                    name,
                    [compared_run.run.pk],
                    [
                        Interval(
                            min(value, round(scale * ends.low, SHOWN_DECIMALS)),
                            max(value, round(scale * ends.high, SHOWN_DECIMALS)),
                        )
                    ],
                    about[None],
                )


def _clusters(run: ScoringRun, task: TaskSpec) -> NDArray[np.intp] | None:
    """Which items are drawn together: the two of a minimal pair, or what the gold file says belongs together."""
    _salt, gold = opened_version(run.gold_version_id)
    if _has_pairs(run, task):
        return pair_clusters(gold.ids, task.pairs)
    # None of gold labels that were loaded before the definition named a column.
    named = gold.clusters if task.gold.cluster_column else None
    return None if named is None else named.astype(np.intp)


def _has_pairs(run: ScoringRun, task: TaskSpec) -> bool:
    return bool(task.pairs) and not run.part and run.split.slug in task.test_splits


def _seed(gold_version_id: int) -> bytes:
    return sha256(b"heldout bootstrap" + opened_version(gold_version_id)[0]).digest()


@lru_cache(maxsize=SPLITS_KEPT)
def _resamples(seed: bytes, item_count: int, clusters: bytes | None) -> Resamples:
    drawn_together = None if clusters is None else np.frombuffer(clusters, dtype=np.intp)
    return Resamples(item_weights(seed, item_count, clusters=drawn_together))
