"""The metrics that a definition may name, a module per family of formulas; `choice.metric_for` finds one.

Each says what it is called, what it reads of gold labels and predictions, its formula, range and source
(`metric.Metric`). To add one, write its function and `Metric` in the module of its family and its oracle in
`tests/catalogue/metrics/oracles.py`; `tests/contracts/test_metrics.py` holds it to the rest. Packages that are
installed beside the server may bring others (`own.packaged`).
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.own.packaged import packaged_metrics
from catalogue.registry import Registry, modules_of


class MetricRegistry(Registry[AnyMetric]):
    """The metrics in the order of their keys; by their names too, which kinds of answer may share."""

    def __init__(self, *metrics: AnyMetric) -> None:
        self._named: dict[str, list[AnyMetric]] = defaultdict(list)
        super().__init__("metric", *metrics, first=())

    def named(self, name: str) -> Sequence[AnyMetric]:
        """Those of that name; empty where there are none."""
        return self._named.get(name, ())

    def _add(self, member: AnyMetric) -> None:
        super()._add(member)
        insort(self._named[member.name], member, key=attrgetter("key"))

    def _remove(self, member: AnyMetric) -> None:
        super()._remove(member)
        self._named[member.name].remove(member)


_FAMILIES = modules_of(__name__, besides=["choice"])

_OWN = [metric for family in _FAMILIES for metric in getattr(family, "METRICS", ())]

METRICS = MetricRegistry(*_OWN, *packaged_metrics(_OWN))
