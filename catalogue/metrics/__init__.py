"""The metrics that a definition may name, a module per family of formulas; `choice.metric_for` finds one.

Each says what it is called, what it reads of gold labels and predictions, its formula, range and source
(`metric.Metric`). To add one, write its function and `Metric` in the module of its family and its oracle in
`tests/catalogue/metrics/oracles.py`; `tests/contracts/test_metrics.py` holds it to the rest.
"""

from catalogue.metrics import correlation, label_subsets, one_label, ordered, per_label, spans, stance
from catalogue.metrics.metric import AnyMetric
from catalogue.registry import Registry

_BY_FAMILY: tuple[AnyMetric, ...] = (
    *one_label.METRICS,
    *per_label.METRICS,
    *stance.METRICS,
    *label_subsets.METRICS,
    *ordered.METRICS,
    *correlation.METRICS,
    *spans.METRICS,
)
METRICS: Registry[AnyMetric] = Registry("metric", *sorted(_BY_FAMILY, key=lambda metric: metric.key))
