"""The groups of a column: `worst[f1_macro,language]`, `gap[f1_macro,language]`, `mean_over[f1_macro,language]`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, OfGroups, Statistic

_FEWEST = 2  # groups: one is neither the worst nor the best, and has no mean but itself
TITLES = {"worst": "Worst", "gap": "Gap of", "mean_over": "Mean of"}
"""What can be made of the groups' values, by the word before the bracket, with how a title begins."""
_NO_GROUPS, _FEW_GROUPS, _NO_VALUE = "no_groups", "fewer_than_two_groups", "undefined_in_a_group"
_UNDEFINED = {
    _NO_GROUPS: "The gold labels name no groups: they were made here, or loaded before the column was named.",
    _FEW_GROUPS: "Fewer than two groups have items.",
    _NO_VALUE: "In one of the groups the metric has no value.",
}


def group_metric(
    kind: AnswerKind, name: str, found: Callable[[AnswerKind, str], AnyMetric | None]
) -> AnyMetric | None:
    """The metric of that name, made of one that `found` finds; None if it is no such name or does not fit.

    References
    ----------
    Sagawa et al. (2020), arXiv:1911.08731, and Koh et al. (2021), arXiv:2012.07421, report the worst group.
    """
    stem, pieces = parts_of(name) or ("", [])
    inside = ",".join(pieces)
    column = next((column for column in kind.groups if inside.endswith(f",{column}")), None)
    metric = found(kind, inside.removesuffix(f",{column}")) if column else None
    if stem not in TITLES or column is None or metric is None:
        return None
    is_gap, is_higher = stem == "gap", metric.higher_is_better
    worst: Callable[[Floats], Floats] = partial(_worst, is_higher_better=is_higher)
    of_groups = OfGroups(metric.name, column, {"worst": worst, "gap": _gap, "mean_over": _mean}[stem])
    return Metric(
        name=name,
        title=f"{TITLES[stem]} {metric.title} by {column}",
        kinds=metric.kinds,
        statistic=Statistic(_itself, DeterminedBy.ITEMS),
        formula=lambda comparison: score_of_groups(comparison, metric, of_groups),
        reference=f"Each group's: {metric.reference}",
        version=metric.version,
        higher_is_better=is_higher and not is_gap,
        low=0.0 if is_gap else metric.low,
        high=metric.high - metric.low if is_gap else metric.high,
        resampled=of_groups,
        undefined=_UNDEFINED,
        labels=metric.labels,
        is_distance=metric.is_distance,
        libraries=metric.libraries,
    )


def score_of_groups(comparison: Comparison, metric: AnyMetric, of_groups: OfGroups) -> float | Undefined:
    """One score of a metric's values in the groups of a column."""
    if of_groups.column not in comparison.groups:
        return Undefined(_NO_GROUPS)
    values = [metric.value(part) for part in comparison.parts(of_groups.column)]
    known = [value for value in values if not isinstance(value, Undefined)]
    if len(values) < _FEWEST or len(known) < len(values):
        return Undefined(_FEW_GROUPS if len(values) < _FEWEST else _NO_VALUE)
    return float(of_groups.finish(np.array(known)))


def _itself(comparison: Comparison) -> tuple[Comparison]:
    return (comparison,)


def _worst(values: Floats, *, is_higher_better: bool) -> Floats:
    """The worst along the first axis; NaN where fewer than two groups have a value."""
    return _of_enough(values, (np.fmin if is_higher_better else np.fmax).reduce(values))


def _gap(values: Floats) -> Floats:
    """The largest less the smallest along the first axis; NaN where fewer than two groups have a value."""
    return _of_enough(values, np.fmax.reduce(values) - np.fmin.reduce(values))


def _mean(values: Floats) -> Floats:
    """The plain mean along the first axis, whatever the groups' sizes; NaN where fewer than two have a value."""
    count = np.count_nonzero(~np.isnan(values), axis=0)
    return _of_enough(values, np.nansum(values, axis=0) / np.maximum(count, 1))


def _of_enough(values: Floats, found: Any) -> Floats:
    return np.where(np.count_nonzero(~np.isnan(values), axis=0) < _FEWEST, np.nan, found)
