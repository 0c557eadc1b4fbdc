"""Read what a task of a definition measures: metrics of the server, and those that it declares by a formula."""

import re
from dataclasses import replace
from enum import StrEnum
from math import inf, nan

from benchmarks.spec.document import read_each
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


def read_metrics(
    task: Section, output: AnswerKind, *, is_known: bool
) -> tuple[tuple[MetricUse, ...], AnswerKind]:
    """The metrics of a task, and its answers with the formulas that these declare.

    Formulas are read first, wherever they stand: other metrics may be made of them, as `weighted[cost_of_error,cost]`.
    What is wrong with a formula is told once, and not of the metrics that are made of it.
    """
    sections = list(task.sections("metrics"))
    measured = read_each(sections, lambda section: _metric(section, output, is_known=is_known))
    output = replace(output, formulas=tuple(declared for _, declared in measured if declared))
    wrong = [
        use.name
        for section, (use, declared) in zip(sections, measured, strict=True)
        if section.has("formula") and not declared
    ]
    for section, (use, _) in zip(sections, measured, strict=True):
        is_of_wrong = any(f"[{name}," in use.name or f",{name}" in use.name for name in wrong)
        if is_known and use.name and not section.has("formula") and not is_of_wrong:
            try:
                metric_for(output, use.name)
            except UnknownMetricError as unfit:
                section.wrong("name", str(unfit))
    return tuple(use for use, _ in measured), output


def _metric(
    section: Section, output: AnswerKind, *, is_known: bool
) -> tuple[MetricUse, DeclaredMetric | None]:
    """A metric of a task, and what it declares where it has a formula of its own."""
    use = MetricUse(section.text("name"), section.text("title"), beside=section.flag("beside", default=False))
    declared = _declared(section, use.name) if section.has("formula") else None
    if is_known and declared and declared.formula:
        try:
            declared_metric(output, declared)
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
