"""Metrics for a probability per label: how far off items are, how far confidence holds, how well items are ordered.

Gold labels are codes, predictions rows of probabilities; out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.probabilities import calibration, curves, distances

METRICS = (*distances.METRICS, *calibration.METRICS, *curves.METRICS)
