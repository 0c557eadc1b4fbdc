"""Which metrics fit a kind of answer: the one place where definitions, forms and the scorer look."""

from difflib import get_close_matches

from catalogue.answers import AnswerKind
from catalogue.metrics import METRICS
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.own.formula import declared_metric
from catalogue.metrics.per_label import label_metrics, subset_metric

_PATTERNS = "; and f1_<label>, precision_<label>, recall_<label>, f1_macro[<label>,<label>]"


class UnknownMetricError(ValueError):
    """A metric that answers of a kind cannot be measured with; the message names the kind and what fits it."""

    def __init__(self, kind: AnswerKind, name: str) -> None:
        listed = sorted(found.name for found in metrics_for(type(kind)) if _has_its_labels(found, kind))
        near = get_close_matches(name, [*listed, *label_metrics(kind)])
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        patterns = _PATTERNS if kind.labels else ""
        super().__init__(
            f"{_why_not(kind, name)}{hint} Metrics for {kind.phrase}: {', '.join(listed)}{patterns}."
        )


def metric_for(kind: AnswerKind, name: str) -> AnyMetric:
    """The metric of that name for these answers.

    That is one that the definition declares, a registered one, or one that names declared labels: `f1_<label>`,
    `precision_<label>`, `recall_<label>`, `f1_macro[<label>,<label>]`. UnknownMetricError where there is none; it lists
    those that fit.
    Definitions are held against it when they are read, so that what is accepted can be scored.
    """
    for declared in kind.formulas:
        if declared.name == name:
            return declared_metric(kind, declared)
    for found in metrics_for(type(kind)):
        if found.name == name and _has_its_labels(found, kind):
            return found
    named = label_metrics(kind).get(name) or subset_metric(kind, name)
    if not named:
        raise UnknownMetricError(kind, name)
    return named


def metrics_for(kind: type[AnswerKind]) -> list[AnyMetric]:
    """The registered metrics for that kind of answer, by name; some need labels that a task may lack."""
    return [metric for metric in METRICS if kind in metric.kinds]


def _has_its_labels(metric: AnyMetric, kind: AnswerKind) -> bool:
    return set(metric.labels) <= set(kind.labels)


def _why_not(kind: AnswerKind, name: str) -> str:
    of_name = [metric for metric in METRICS if metric.name == name]
    for metric in of_name:
        if type(kind) in metric.kinds:
            return f"`{name}` needs the labels {', '.join(metric.labels)}."
    if of_name:
        others = sorted({other.phrase for metric in of_name for other in metric.kinds})
        return f"`{name}` is a metric for {', '.join(others)}, not for {kind.phrase}."
    return f"There is no metric `{name}`."
