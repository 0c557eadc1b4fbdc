"""The groups of a column: `worst[f1_macro,language]`, `gap[…]`, `mean_over[…]`, `mean_over_defined[…]`,
`mean_over_undefined_as_0[…]`, `in_group[f1_macro,language,fr]`."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison
from catalogue.item_groups import OF_ONE
from catalogue.metrics.label_effect import unbounded
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, OfGroups, Statistic, as_found

_FEWEST = 2  # groups: one is neither the worst nor the best, and has no mean but itself
_OF_DEFINED, _AS_0 = "mean_over_defined", "mean_over_undefined_as_0"
TITLES = {"worst": "Worst", "gap": "Gap of", "mean_over": "Mean of", _OF_DEFINED: "Mean of", _AS_0: "Mean of"}
"""What can be made of the groups' values, by the word before the bracket, with how a title begins."""
_ONE_GROUP = "in_group"
_NO_GROUPS, _FEW_GROUPS, _NO_VALUE = "no_groups", "fewer_than_two_groups", "undefined_in_a_group"
_EMPTY_GROUP = "no_item_in_group"
_UNDEFINED = {
    _NO_GROUPS: "The gold labels name no groups: they were made here, or loaded before the column was named.",
    _EMPTY_GROUP: "No item is in this group.",
    _FEW_GROUPS: "Fewer than two groups have items, or labels for which the metric can have a value.",
    _NO_VALUE: "In one of the groups the metric has no value.",
}


def group_metric(
    kind: AnswerKind, name: str, found: Callable[[AnswerKind, str], AnyMetric | None]
) -> AnyMetric | None:
    """The metric of that name, made of one that `found` finds; None if it is no such name or does not fit.

    A group in which the metric has no value leaves `worst`, `gap` and `mean_over` without one. In
    `mean_over_undefined_as_0` it counts 0. `mean_over_defined` is over the groups whose gold labels allow a value, such
    as those that differ, for correlations: a group counts 0 there if only the answers leave it without one, so that no
    system chooses the groups that it is judged by. 0 must be no good score, so that neither takes an error.

    References
    ----------
    Sagawa et al. (2020), arXiv:1911.08731, and Koh et al. (2021), arXiv:2012.07421, report the worst group.
    mt-metrics-eval averages correlations over segments both ways, by its option `replace_nans_with_zeros`.
    """
    stem, pieces = parts_of(name) or ("", [])
    inside = ",".join(pieces)
    if stem == _ONE_GROUP:
        return _of_one_group(kind, name, inside, found)
    column = next((column for column in kind.groups if inside.endswith(f",{column}")), None)
    metric = found(kind, inside.removesuffix(f",{column}")) if column else None
    if stem not in TITLES or column is None or metric is None:
        return None
    is_gap, is_higher = stem == "gap", metric.higher_is_better
    if stem in (_OF_DEFINED, _AS_0) and not is_higher:
        return None
    worst: Callable[[Floats], Floats] = partial(_worst, is_higher_better=is_higher)
    finish = {"worst": worst, "gap": _gap}.get(stem, _mean)
    settled: dict[str, Callable[[Comparison, Floats], Floats]] = {
        _OF_DEFINED: partial(_of_defined, metric),
        _AS_0: _as_0,
    }
    of_groups = OfGroups(metric.name, column, finish, settled.get(stem, as_found))
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


def group_asked(kind: AnswerKind, name: str) -> tuple[str, str]:
    """The column and the group of which a metric of one group alone is; both empty for any other.

    >>> from catalogue.answers import Label
    >>> group_asked(Label(("a", "b"), groups=("language",)), "in_group[f1_macro,language,fr]")
    ('language', 'fr')
    """
    stem, pieces = parts_of(name) or ("", [])
    _, column, group = _parts_of_one(kind, ",".join(pieces)) if stem == _ONE_GROUP else ("", "", "")
    return column, group


def _parts_of_one(kind: AnswerKind, inside: str) -> tuple[str, str, str]:
    """The metric, column and group that the brackets name; empty texts where they name none."""
    for column in kind.groups:
        metric, _, group = inside.partition(f",{column},")
        if group:
            return metric, column, group
    return "", "", ""


def _of_one_group(
    kind: AnswerKind, name: str, inside: str, found: Callable[[AnswerKind, str], AnyMetric | None]
) -> AnyMetric | None:
    """The metric of the items of one group, given what stands in the brackets: `f1_macro,language,fr`."""
    inner, column, group = _parts_of_one(kind, inside)
    metric = found(kind, inner) if group else None
    if metric is None:
        return None
    of_group = OfGroups(metric.name, f"{column}{OF_ONE}{group}", _only)

    def score(comparison: Comparison) -> float | Undefined:
        return _score_of_group(comparison, metric, of_group)

    return replace(
        metric,
        name=name,
        title=f"{metric.title}, {column} {group}",
        statistic=Statistic(_itself, DeterminedBy.ITEMS),
        formula=score,
        reference=f"Of the items of this group: {metric.reference}",
        resampled=of_group,
        undefined={**metric.undefined, **{code: _UNDEFINED[code] for code in (_NO_GROUPS, _EMPTY_GROUP)}},
        label_effect=unbounded,
        rests_on=None,
    )


def _score_of_group(comparison: Comparison, metric: AnyMetric, of_group: OfGroups) -> float | Undefined:
    if of_group.column.partition(OF_ONE)[0] not in comparison.groups:
        return Undefined(_NO_GROUPS)
    parts = comparison.parts(of_group.column)
    return metric.value(parts[0]) if parts else Undefined(_EMPTY_GROUP)


def score_of_groups(comparison: Comparison, metric: AnyMetric, of_groups: OfGroups) -> float | Undefined:
    """One score of a metric's values in the groups of a column."""
    if of_groups.column not in comparison.groups:
        return Undefined(_NO_GROUPS)
    values: list[Floats] = []
    for part in comparison.parts(of_groups.column):
        found = metric.value(part)
        values.append(of_groups.settled(part, np.array(np.nan if isinstance(found, Undefined) else found)))
    count = np.count_nonzero(~np.isnan(values))
    if of_groups.settled is as_found and _FEWEST <= len(values) != count:
        return Undefined(_NO_VALUE)
    return float(of_groups.finish(np.array(values))) if count >= _FEWEST else Undefined(_FEW_GROUPS)


def _as_0(_: Comparison, found: Floats) -> Floats:
    return np.nan_to_num(found, nan=0.0)


def _of_defined(metric: AnyMetric, part: Comparison, found: Floats) -> Floats:
    """Nothing where gold labels allow no value; 0 where only the answers do; else what was found."""
    is_defined = not isinstance(metric.value(part), Undefined)
    gold = Comparison(part.output, part.y_true, part.y_true) if part.output.gold == part.output else part
    if isinstance(metric.value(gold), Undefined):
        return np.full_like(found, np.nan)
    return found if is_defined else np.zeros_like(found)


def _itself(comparison: Comparison) -> tuple[Comparison]:
    return (comparison,)


def _only(values: Floats) -> Floats:
    return np.asarray(values[0])


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
