"""The plain mean of two or more metrics of one task, as `mean[f1_macro,accuracy]` (CommitmentBank)."""

from collections.abc import Sequence
from math import fsum, isfinite
from typing import Any

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics.label_effect import LabelEffect
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, Floats, OfMetrics, Statistic

_ORDER = tuple(DeterminedBy)


class CountsAlone(Comparison):
    """A comparison of which the counts of labels are known, and nothing else; they may end in further axes."""

    def __init__(self, output: AnswerKind, counts: LabelCounts) -> None:
        self.output, self.counts = output, counts


def mean_of_metrics(kind: AnswerKind, name: str, title: str, parts: Sequence[AnyMetric]) -> AnyMetric | None:
    """The mean of these metrics; None where they are fewer than two, or not all better in one direction."""
    if len(parts) < 2 or len({part.higher_is_better for part in parts}) > 1:
        return None
    is_of_counts = all(
        isinstance(part.resampled, AlongCounts)
        and part.statistic.determined_by in (DeterminedBy.TOTAL, DeterminedBy.RIGHT)
        for part in parts
    )
    facts: dict[str, Any] = {
        "name": name,
        "title": title,
        "kinds": (type(kind),),
        "reference": f"Mean of: {'; '.join(part.reference for part in parts)}",
        "version": sum(part.version - 1 for part in parts) + 1,
        "higher_is_better": parts[0].higher_is_better,
        "low": fsum(part.low for part in parts) / len(parts),
        "high": fsum(part.high for part in parts) / len(parts),
        "undefined": {code: sentence for part in parts for code, sentence in part.undefined.items()},
        "labels": tuple(dict.fromkeys(label for part in parts for label in part.labels)),
        "label_effect": _effect_of_mean(parts),
        "needs_one_gold": any(part.needs_one_gold for part in parts),
        "libraries": tuple(dict.fromkeys(name for part in parts for name in part.libraries)),
    }
    if is_of_counts:
        return Metric(
            statistic=Statistic(_counts, DeterminedBy.RIGHT),
            formula=lambda counts, output: mean_of_parts(CountsAlone(output, counts), parts),
            resampled=AlongCounts(lambda counts, output: _along(CountsAlone(output, counts), parts)),
            **facts,
        )
    latest = max(_ORDER.index(part.statistic.determined_by) for part in parts)
    is_of_labels = not any(part.statistic.is_beyond_labels for part in parts)
    least = DeterminedBy.CELLS if is_of_labels else DeterminedBy.ITEMS
    return Metric(
        statistic=Statistic(_itself, _ORDER[max(latest, _ORDER.index(least))]),
        formula=lambda comparison: mean_of_parts(comparison, parts),
        resampled=OfMetrics(tuple(part.name for part in parts)),
        **facts,
    )


def mean_of_parts(comparison: Comparison, parts: Sequence[AnyMetric]) -> float | Undefined:
    """The mean of the metrics' values for one comparison; undefined as the first of them that is.

    Parameters
    ----------
    comparison : Comparison
    parts : sequence of Metric
        At least one.

    Returns
    -------
    float or Undefined

    References
    ----------
    de Marneffe et al. (2019), CommitmentBank in SuperGLUE: the mean of macro F1 and accuracy.
    """
    values = [part.value(comparison) for part in parts]
    known = [value for value in values if not isinstance(value, Undefined)]
    lacking = next((value for value in values if isinstance(value, Undefined)), None)
    return lacking or fsum(known) / len(known)


def _along(counts: CountsAlone, parts: Sequence[AnyMetric]) -> Floats:
    each = [
        part.resampled.formula(*part.statistic.collect(counts))
        for part in parts
        if isinstance(part.resampled, AlongCounts)
    ]
    return np.asarray(sum(each) / len(each))


def _effect_of_mean(parts: Sequence[AnyMetric]) -> LabelEffect:
    """A gold label changes a mean by no more than the mean of what it changes each part by."""

    def effect(item_count: int, label_count: int, rarest_share: float) -> float | None:
        effects = [part.label_effect(item_count, label_count, rarest_share) for part in parts]
        known = [one for one in effects if one is not None and isfinite(one)]
        return fsum(known) / len(parts) if len(known) == len(parts) else None

    return effect


def _counts(comparison: Comparison) -> tuple[LabelCounts, AnswerKind]:
    return comparison.counts, comparison.output


def _itself(comparison: Comparison) -> tuple[Comparison]:
    return (comparison,)
