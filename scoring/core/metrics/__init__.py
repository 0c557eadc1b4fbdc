"""The metrics themselves, a module per kind of label. Importing this package registers them."""

from scoring.core.metrics import correlation, label_subsets, one_label, ordered, spans, stance
from scoring.core.metrics.per_label import label_metrics, subset_metric

__all__ = [
    "correlation",
    "label_metrics",
    "label_subsets",
    "one_label",
    "ordered",
    "spans",
    "stance",
    "subset_metric",
]
