"""The metrics that a definition may name, a module per family of formulas; `choice.metric_for` finds one.

Each says what it is called, what it reads of gold labels and predictions, its formula, range and source
(`metric.Metric`). To add one, write its function and `Metric` in the module of its family and its oracle in
`tests/catalogue/metrics/oracles.py`; `tests/contracts/test_metrics.py` holds it to the rest. Packages that are
installed beside the server may bring others (`own.packaged`).
"""

from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.own.packaged import packaged_metrics
from catalogue.registry import Registry, modules_of

_FAMILIES = modules_of(__name__, besides=["choice"])

_OWN = [metric for family in _FAMILIES for metric in getattr(family, "METRICS", ())]

METRICS = Registry[AnyMetric]("metric", *_OWN, *packaged_metrics(_OWN), first=())
