"""Metrics of numbers and of ordered classes beyond mean errors and correlations, a module per family."""

from catalogue.metrics.metric import AnyMetric
from catalogue.registry import modules_of

METRICS: tuple[AnyMetric, ...] = tuple(
    metric for family in modules_of(__name__) for metric in getattr(family, "METRICS", ())
)
