"""List the metrics that a definition may name."""

from argparse import ArgumentParser
from math import isinf
from typing import Any

from django.core.management.base import BaseCommand

from catalogue.metrics import METRICS
from catalogue.metrics.metric import AnyMetric

_PER_LABEL = (
    "For tasks with labels there are also `precision_<label>`, `recall_<label>` and `f1_<label>` for every label, "
    "`f1_macro[<label>,<label>]` of the labels named, `f1_micro_excluding[<label>]` of all but them, each with "
    "precision or recall for f1 and macro or micro, and `f_beta[<beta>,<label>]`. For every task there is the mean of "
    "several of its metrics, `mean[<metric>,<metric>]`, and where the gold file names groups of items the worst "
    "group's value, the gap to the best and the mean of all groups, `worst[<metric>,<column>]`, "
    "`gap[<metric>,<column>]` and `mean_over[<metric>,<column>]`; groups without a value count 0 in "
    "`mean_over_undefined_as_0` and are left out of `mean_over_defined` where gold labels allow none."
)


class Command(BaseCommand):
    help = "List every metric with its range, the better direction and the kinds of answer it is for."
    requires_system_checks: list[str] = []  # Django's own type

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--markdown", action="store_true", help="as a page with a section for each")

    def handle(self, *args: Any, markdown: bool, **options: Any) -> None:
        lines = [
            f"{metric.name:<22} {_range(metric):<8} {_direction(metric):<6} {_kinds(metric)}"
            for metric in METRICS
        ]
        sections = [*map(_section, METRICS), _PER_LABEL, ""]
        self.stdout.write("\n".join(sections if markdown else lines))


def _section(metric: AnyMetric) -> str:
    """What the metric says, its range, for which answers it is, when it has no value, its source."""
    summary = (metric.formula.__doc__ or "").strip().partition("\n")[0]
    undefined = [f"- No value (`{code}`): {sentence}" for code, sentence in metric.undefined.items()]
    needs = (
        [f"- Needs the labels {', '.join(f'`{label}`' for label in metric.labels)}"] if metric.labels else []
    )
    return "\n".join(
        [
            f"### `{metric.name}` for {_kinds(metric)}",
            "",
            f"{metric.title}. {summary}",
            "",
            f"- Range: {_range(metric)}; {_direction(metric)} is better; version {metric.version}",
            *needs,
            *undefined,
            *([f"- Library: {', '.join(metric.libraries)}"] if metric.libraries else []),
            f"- Source: {metric.reference}",
            "",
        ]
    )


def _kinds(metric: AnyMetric) -> str:
    return " or ".join(sorted(kind.phrase for kind in metric.kinds))


def _range(metric: AnyMetric) -> str:
    low, high = ("any" if isinf(end) else f"{end:g}" for end in (metric.low, metric.high))
    return f"{low} to {high}"


def _direction(metric: AnyMetric) -> str:
    return "higher" if metric.higher_is_better else "lower"
