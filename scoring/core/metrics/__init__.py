"""The metrics themselves, a module per kind of label. Importing this package registers them."""

from scoring.core.metrics.one_label import label_metrics

__all__ = ["label_metrics"]
