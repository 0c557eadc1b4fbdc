"""The metrics that a definition may name, each with what a reader of a leaderboard must know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeAlias

from scoring.core.confusion import ConfusionMatrix
from scoring.core.report import Undefined

MetricFunction: TypeAlias = Callable[[ConfusionMatrix], float | Undefined]


class LabelKind(StrEnum):
    """What a prediction for one item is; it decides which metrics apply and what they are given."""

    ONE_OF_SET = "one_of_set"


@dataclass(frozen=True, slots=True)
class Metric:
    """A function with its direction and range. `version` rises when the same input gives another number.

    `undefined` maps each code that the function may answer with to a sentence for readers.
    `reference` is a DOI or the official scorer whose numbers the function reproduces.
    """

    name: str
    title: str
    version: int
    higher_is_better: bool
    low: float
    high: float
    kinds: frozenset[LabelKind]
    undefined: Mapping[str, str]
    reference: str
    function: MetricFunction


class UnknownMetricError(ValueError):
    """A metric's name that the registry does not know; the message lists the nearest ones."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = get_close_matches(name, known)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"Known metrics: {', '.join(known)}."
        super().__init__(f"There is no metric `{name}`. {hint}")


_METRICS: dict[str, Metric] = {}


def register(metric: Metric) -> Metric:
    """Add a metric and return it. ValueError if its name is taken."""
    if metric.name in _METRICS:
        raise ValueError(f"A metric `{metric.name}` is registered already; give the new one another name.")
    _METRICS[metric.name] = metric
    return metric


def metric(name: str) -> Metric:
    """The registered metric of that name; UnknownMetricError where there is none."""
    if name not in _METRICS:
        raise UnknownMetricError(name, _METRICS)
    return _METRICS[name]


def all_metrics() -> tuple[Metric, ...]:
    """Every registered metric, by name. Those of a single label are made per label set: `label_metrics`."""
    return tuple(_METRICS[name] for name in sorted(_METRICS))
