"""A metric in which items count more or less, by a column of the gold file: `weighted[accuracy,importance]`."""

from collections.abc import Callable, Collection, Iterable
from math import isfinite

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.answers.reading import NUMBER
from catalogue.comparison import Comparison
from catalogue.item_groups import GroupColumns, ItemGroups
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.statistics import (
    RIGHT_ITEMS,
    DeterminedBy,
    Floats,
    MeanOfItems,
    Statistic,
    SumsOfItems,
    SumsOfWeighted,
    quotient,
)

STEM = "weighted"
_NO_WEIGHTS, _NO_VALUE = "no_weights", "no_value"
_UNDEFINED = {
    _NO_WEIGHTS: "The gold labels have no weights: they were made here, or loaded before the column was named.",
    _NO_VALUE: "All items weigh nothing, or the metric has no value with these weights.",
}


def weighted_metric(
    kind: AnswerKind, name: str, found: Callable[[AnswerKind, str], AnyMetric | None]
) -> AnyMetric | None:
    """The metric of that name, made of one that `found` finds; None if it is no such name or does not fit.

    Means over items become weighted means. In a formula of the definition every sum is one of weighted numbers, that of
    `items` too. Other metrics have no weighted form.

    References
    ----------
    scikit-learn, `sample_weight` of `accuracy_score`, `mean_absolute_error` and their like.
    """
    inner, column = _parts(kind, name)
    metric = found(kind, inner) if column else None
    sums = _sums(kind, metric) if metric is not None else None
    if metric is None or sums is None:
        return None
    of_items, finish = sums.of_items, sums.finish

    def rows(comparison: Comparison) -> Floats:
        """Each number of each item, times its weight; nothing where there are no weights."""
        found_there = np.asarray(of_items(comparison), dtype=np.float64)
        if column not in comparison.groups:
            return np.zeros_like(found_there)
        return np.asarray(found_there * item_weights(comparison.groups[column]))

    resampled = SumsOfWeighted(rows, finish)

    def value(comparison: Comparison) -> float | Undefined:
        if column not in comparison.groups:
            return Undefined(_NO_WEIGHTS)
        score = resampled.of_all(comparison)
        return score if isfinite(score) else Undefined(_NO_VALUE)

    return Metric(
        name=name,
        title=f"{metric.title}, weighted by {column}",
        kinds=metric.kinds,
        statistic=Statistic(lambda comparison: (comparison,), DeterminedBy.ITEMS),
        formula=value,
        reference=f"With weights of items, as scikit-learn's sample_weight: {metric.reference}",
        version=metric.version,
        higher_is_better=metric.higher_is_better,
        low=metric.low,
        high=metric.high,
        resampled=resampled,
        undefined=_UNDEFINED,
        labels=metric.labels,
        is_distance=metric.is_distance,
        libraries=metric.libraries,
    )


def weight_columns(kind: AnswerKind, names: Iterable[str]) -> set[str]:
    """The columns by which the metrics of these names weigh items.

    >>> from catalogue.answers import Label
    >>> weight_columns(Label(("a", "b"), groups=("cost",)), ["accuracy", "weighted[accuracy,cost]"])
    {'cost'}
    """
    return {column for _, column in (_parts(kind, name) for name in names) if column}


def unusable_numbers(columns: GroupColumns, numbers: Collection[str], weights: Collection[str]) -> str:
    """Which column of numbers, or of weights among them, holds something else, in a sentence; empty if none does."""
    for column in sorted(columns.keys() & set(numbers)):
        wrong = [cell for cell in columns[column].cells() if not _is_weight(cell)]
        if wrong:
            shown = f"“{wrong[0]}”" if wrong[0] else "an empty cell"
            return (
                f"The column {column}, which a metric reads as numbers, has no number of at least 0 at "
                f"{len(wrong):,} of {len(columns[column].codes):,} items; found {shown}. Give each item a number such "
                "as 0.5, with a point."
            )
        if column in weights and not item_weights(columns[column]).any():
            return (
                f"The column {column}, by which a metric weighs items, is 0 everywhere. Let some item count."
            )
    return ""


def item_weights(groups: ItemGroups) -> Floats:
    """The weights that a column names: shape (n_items,)."""
    named = [float(name) if _is_weight(name) else 0.0 for name in groups.names]
    return np.array([*named, 0.0])[groups.codes]


def _is_weight(cell: str) -> bool:
    return bool(NUMBER.fullmatch(cell)) and isfinite(float(cell)) and float(cell) >= 0


def _parts(kind: AnswerKind, name: str) -> tuple[str, str]:
    """The metric and the column that the brackets name; empty texts where they name none."""
    stem, pieces = parts_of(name) or ("", [])
    inside = ",".join(pieces)
    column = next((column for column in kind.groups if stem == STEM and inside.endswith(f",{column}")), "")
    return (inside.removesuffix(f",{column}"), column) if column else ("", "")


def _sums(kind: AnswerKind, metric: AnyMetric) -> SumsOfItems[Comparison] | None:
    """The numbers of each item that a metric adds up, and what becomes of sums; None where it is no such metric."""
    collect = metric.statistic.collect
    if metric.name in {declared.name for declared in kind.formulas}:
        if not isinstance(metric.resampled, SumsOfItems):
            return None
        of_items, finish = metric.resampled.of_items, metric.resampled.finish
        return SumsOfItems(lambda comparison: of_items(*collect(comparison)), finish)
    if metric.statistic is RIGHT_ITEMS:
        return _mean(_right, np.asarray)
    if isinstance(mean := metric.resampled, MeanOfItems):
        return _mean(lambda comparison: mean.of_items(*collect(comparison)), mean.finish)
    return None


def _right(comparison: Comparison) -> Floats:
    return comparison.output.right(comparison.y_true, comparison.y_pred).astype(np.float64)


def _mean(
    of_items: Callable[[Comparison], Floats], finish: Callable[[Floats], Floats]
) -> SumsOfItems[Comparison]:
    def rows(comparison: Comparison) -> Floats:
        found = np.asarray(of_items(comparison), dtype=np.float64)
        return np.stack([found, np.ones(len(found))])

    def share(sums: Floats) -> Floats:
        return finish(quotient(*sums))

    return SumsOfItems(rows, share)
