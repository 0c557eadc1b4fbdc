"""Metrics for a list of labels per item, of as many as there may be: by items, and label by label.

Gold labels and predictions are lists; out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.label_lists import by_items, by_labels, totals

METRICS = (*totals.METRICS, *by_items.METRICS, *by_labels.METRICS)
