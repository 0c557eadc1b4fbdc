"""Metrics of clusters: which items systems put together, held against which the gold labels do.

Gold labels and predictions are ids of clusters; out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.clusterings import of_clusters

METRICS = of_clusters.METRICS
