"""The metrics that a definition may name, each with what a reader of a leaderboard must know about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeAlias

from scoring.core.comparison import Comparison
from scoring.core.kinds import LabelKind
from scoring.core.report import Undefined

MetricFunction: TypeAlias = Callable[..., float | Undefined]
Reader: TypeAlias = Callable[[Comparison], tuple[object, ...]]
"""What a metric's function is given of a comparison: counts, a confusion matrix, or the arrays themselves."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A function with its direction and range. `version` rises when the same input gives another number.

    `undefined` maps each code that the function may answer with to a sentence for readers.
    `reference` is a DOI or the official scorer whose numbers the function reproduces. `labels` must all be
    declared by an output for the metric to apply to it.
    """

    name: str
    title: str
    version: int
    higher_is_better: bool
    low: float
    high: float
    kinds: frozenset[LabelKind]
    reference: str
    function: MetricFunction
    reads: Reader
    undefined: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()

    def value(self, comparison: Comparison) -> float | Undefined:
        """The metric's number for this comparison, or why it has none."""
        return self.function(*self.reads(comparison))


class UnknownMetricError(ValueError):
    """A metric that answers of a kind cannot be measured with; the message names the kind and what fits it."""

    def __init__(self, name: str, kind: LabelKind, fitting: Sequence[str], *, patterns: str = "") -> None:
        others = sorted({str(each) for each, known in _METRICS if known == name and each is not kind})
        lacking = find(name, kind)
        near = get_close_matches(name, fitting)
        if lacking:
            found = f"`{name}` needs the labels {', '.join(lacking.labels)}."
        elif others:
            found = f"`{name}` is a metric for {' and for '.join(others)}, not for {kind}."
        else:
            found = f"There is no metric `{name}`."
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        listed = ", ".join([name for name in fitting if name in names_for(kind)])
        super().__init__(f"{found}{hint} Metrics for {kind}: {listed}{patterns}.")


_METRICS: dict[tuple[LabelKind, str], Metric] = {}


def register(metric: Metric) -> Metric:
    """Add a metric and return it. ValueError if its name is taken for one of its kinds of label."""
    for kind in metric.kinds:
        if (kind, metric.name) in _METRICS:
            raise ValueError(
                f"A metric `{metric.name}` is registered already for {kind}; give the new one another name."
            )
    _METRICS.update({(kind, metric.name): metric for kind in metric.kinds})
    return metric


def metric(name: str, kind: LabelKind = LabelKind.ONE_OF_SET) -> Metric:
    """The metric registered under that name for that kind of label; UnknownMetricError if there is none."""
    found = find(name, kind)
    if found is None:
        raise UnknownMetricError(name, kind, names_for(kind))
    return found


def find(name: str, kind: LabelKind) -> Metric | None:
    """The metric registered under that name for that kind of label, if there is one."""
    return _METRICS.get((kind, name))


def names_for(kind: LabelKind) -> list[str]:
    """The names registered for that kind of label, in order."""
    return sorted(name for each, name in _METRICS if each == kind)


def all_metrics() -> tuple[Metric, ...]:
    """Every registered metric, by name; a name stands twice where two kinds of label need two functions.

    Those of a single label are made per output: `label_metrics`.
    """
    different = {id(metric): metric for metric in _METRICS.values()}
    return tuple(sorted(different.values(), key=lambda metric: (metric.name, sorted(metric.kinds))))
