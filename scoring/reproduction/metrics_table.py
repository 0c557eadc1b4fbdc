"""The registry of metrics as a table for people: in a terminal, and in Markdown for `docs/metrics.md`."""

from __future__ import annotations

from math import inf

from scoring.core import Metric, all_metrics

_PER_LABEL = (
    "For tasks with labels there are also `precision_<label>`, `recall_<label>` and `f1_<label>` for every label, and "
    "`f1_macro[<label>,<label>]`, the mean F1 of the labels named."
)


def as_lines() -> list[str]:
    """One line per metric."""
    return [
        f"{metric.name:<22} {_range(metric):<8} {_direction(metric):<6} {_kinds(metric)}"
        for metric in all_metrics()
    ]


def as_markdown() -> str:
    """A section per metric: what it says, its range, for which answers it is, when it has no value, its source."""
    return "\n".join([*(_section(metric) for metric in all_metrics()), _PER_LABEL, ""])


def _section(metric: Metric) -> str:
    undefined = [f"- No value (`{code}`): {sentence}" for code, sentence in metric.undefined.items()]
    needs = (
        [f"- Needs the labels {', '.join(f'`{label}`' for label in metric.labels)}"] if metric.labels else []
    )
    return "\n".join(
        [
            f"### `{metric.name}` for {_kinds(metric)}",
            "",
            f"{metric.title}. {_summary(metric)}",
            "",
            f"- Range: {_range(metric)}; {_direction(metric)} is better; version {metric.version}",
            *needs,
            *undefined,
            f"- Source: {metric.reference}",
            "",
        ]
    )


def _kinds(metric: Metric) -> str:
    return " or ".join(sorted(kind.value for kind in metric.kinds))


def _range(metric: Metric) -> str:
    return f"{metric.low:g} to {'any' if metric.high == inf else f'{metric.high:g}'}"


def _direction(metric: Metric) -> str:
    return "higher" if metric.higher_is_better else "lower"


def _summary(metric: Metric) -> str:
    """The first sentence of the metric's own documentation."""
    return (metric.function.__doc__ or "").strip().partition("\n")[0]
