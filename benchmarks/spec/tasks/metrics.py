"""Read what a task of a definition measures: metrics of the server, and those that it declares by a formula."""

import re
from enum import StrEnum
from math import inf, nan

from benchmarks.spec.model import MetricUse
from catalogue.answers import AnswerKind
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.metrics import METRICS
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.own.formula import FormulaError, declared_metric
from catalogue.section import Section

_OWN_NAME = re.compile("[a-z][a-z0-9_]{0,63}")


class _Better(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"


def read_metric(
    section: Section, output: AnswerKind, *, is_known: bool
) -> tuple[MetricUse, DeclaredMetric | None]:
    """A metric of a task, and what it declares where it has a formula of its own."""
    use = MetricUse(section.text("name"), section.text("title"), beside=section.flag("beside", default=False))
    declared = _declared(section, use.name) if section.has("formula") else None
    if is_known and use.name:
        try:
            if declared is None:
                metric_for(output, use.name)
            elif declared.formula:
                declared_metric(output, declared)
        except UnknownMetricError as unfit:
            section.wrong("name", str(unfit))
        except FormulaError as unfit:
            section.wrong("formula", str(unfit))
            return use, None
    return use, declared


def _declared(section: Section, name: str) -> DeclaredMetric:
    ends = section.raw("range") if section.has("range") else [0, 1]
    found = [_end(end, place) for place, end in enumerate(ends)] if isinstance(ends, list) else []
    if len(found) != 2 or not found[0] < found[1]:
        section.wrong("range", f"expected [lowest, highest], numbers or `any`; found {ends!r}")
        found = [0.0, 1.0]
    if METRICS.named(name) or not _OWN_NAME.fullmatch(name):
        section.wrong(
            "name",
            f"expected a name of small letters, digits and _ that no metric of the server has, found {name!r}",
        )
    better = section.choice("better", _Better, _Better.HIGHER)
    return DeclaredMetric(name, section.text("formula"), better is _Better.HIGHER, *found)


def _end(end: object, place: int) -> float:
    """One end of a range; an end that is `any` is open."""
    if end == "any":
        return inf if place else -inf
    if isinstance(end, int | float) and not isinstance(end, bool):
        return float(end)
    return nan
