"""Metrics of labels beyond F1 and accuracy, and those that a definition writes with parameters, a module each."""

from catalogue.metrics.metric import AnyMetric
from catalogue.registry import modules_of

METRICS: tuple[AnyMetric, ...] = tuple(
    metric for family in modules_of(__name__) for metric in getattr(family, "METRICS", ())
)
