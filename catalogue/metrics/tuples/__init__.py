"""Metrics of lists of tuples: of whole tuples, or of some of their parts.

Gold labels and predictions are canonical lists; out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.tuples import by_items, of_tuples

METRICS = (*of_tuples.METRICS, *by_items.METRICS)
