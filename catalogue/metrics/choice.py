"""Which metrics fit a kind of answer: the one place where definitions, forms and the scorer look."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches

from catalogue.answers import (
    AnswerKind,
    FreeText,
    ManyLabels,
    Number,
    PlaceOnEarth,
    Probabilities,
    RankedList,
    TextTuples,
    TokenEntities,
    TokenLabels,
)
from catalogue.metrics import METRICS
from catalogue.metrics.groups.all_right import STEM, all_right_metric
from catalogue.metrics.groups.over_groups import TITLES, group_metric
from catalogue.metrics.groups.weighted import STEM as WEIGHTED
from catalogue.metrics.groups.weighted import weighted_metric
from catalogue.metrics.label_lists.hierarchical import hierarchical_metric
from catalogue.metrics.labels.means import mean_of_metrics
from catalogue.metrics.labels.parameters import joined, parts_of, with_parameters
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.numbers.early_alerts import FAMILY, early_alert_metric
from catalogue.metrics.own.formula import declared_metric
from catalogue.metrics.per_label import label_metrics
from catalogue.metrics.places.of_places import within_metric
from catalogue.metrics.probabilities.calibration import binned_metric
from catalogue.metrics.probabilities.top_labels import top_metric
from catalogue.metrics.ranking import ranking_metric
from catalogue.metrics.texts import text_metric
from catalogue.metrics.tokens.of_entities import entity_metric
from catalogue.metrics.tokens.of_tokens import token_metric
from catalogue.metrics.tuples.by_items import samples_metric
from catalogue.metrics.tuples.coreference import coreference_metric
from catalogue.metrics.tuples.of_tuples import tuple_metric

_OF_LABELS = (
    "f1_<label>, f1_macro[<label>,<label>], f1_micro_excluding[<label>], each with precision or recall for f1 and "
    "macro or micro, f_beta[<beta>,<label>], "
)
_Make = Callable[[AnswerKind, str], AnyMetric | None]
_FAMILIES: tuple[tuple[_Make, type[AnswerKind], str], ...] = (
    (binned_metric, Probabilities, "ece_top_<bins>, mce_top_<bins>, ece_positive_<bins>, "),
    (top_metric, Probabilities, "top_<labels>_accuracy, "),
    (
        entity_metric,
        TokenEntities,
        "f1_<type>, each with precision or recall for f1 and perhaps _conll behind, ",
    ),
    (token_metric, TokenLabels, _OF_LABELS),
    (early_alert_metric, Number, FAMILY),
    (within_metric, PlaceOnEarth, "within_<kilometres>_km, "),
    (
        ranking_metric,
        RankedList,
        "ndcg_cut_<rank>, P_<rank>, recall_<rank> and others of trec_eval, rbp_<persistence>, ",
    ),
    (
        lambda kind, name: hierarchical_metric(kind, name, metrics_for(ManyLabels)),
        ManyLabels,
        "hierarchical[<metric>] where the definition says what labels are kinds of, ",
    ),
    (
        tuple_metric,
        TextTuples,
        "f1_micro[<part>,<part>], each with precision or recall for f1, f_beta[<beta>,<part>], ",
    ),
    (samples_metric, TextTuples, "f1_samples[<part>,<part>], each with precision or recall for f1, "),
    (coreference_metric, TextTuples, "conll_f1[<part>], muc_f1[<part>] and others of clusters of mentions, "),
    (text_metric, FreeText, "bleu_tok_<tokenizer>, rouge1_stemmed and others, "),
)
"""What makes metrics of names with a part that a definition chooses, for which kind, and such names in words."""


class UnknownMetricError(ValueError):
    """A metric that answers of a kind cannot be measured with; the message names the kind and what fits it."""

    def __init__(self, kind: AnswerKind, name: str) -> None:
        listed = sorted(found.name for found in metrics_for(type(kind)) if _has_its_labels(found, kind))
        near = get_close_matches(name, [*listed, *label_metrics(kind)])
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        families = "".join(names for _, of, names in _FAMILIES if isinstance(kind, of))
        of_groups = "".join(
            f", {stem}[<metric>,{column}]" for column in kind.groups for stem in (*TITLES, WEIGHTED)
        )
        of_groups += "".join(f", in_group[<metric>,{column},<group>]" for column in kind.groups)
        of_groups += "".join(f", {STEM}[{column}]" for column in (*kind.groups, kind.clusters) if column)
        patterns = (
            f"; and {_OF_LABELS if kind.counted_labels else ''}{families}mean[<metric>,<metric>]{of_groups}"
        )
        super().__init__(
            f"{_why_not(kind, name)}{hint} Metrics for {kind.phrase}: {', '.join(listed)}{patterns}. Or give a formula."
        )


def metric_for(kind: AnswerKind, name: str) -> AnyMetric:
    """The metric of that name for these answers.

    That is one that the definition declares, a registered one, or one that names declared labels, other metrics, a
    column of groups, a number of bins or a type of entity (`f1_<label>`, `f1_micro_excluding[<label>]`,
    `mean[<metric>,<metric>]`, `worst[<metric>,<column>]`, `ece_top_20`, `top_5_accuracy`, `f1_<type>`).
    UnknownMetricError where there is none; it lists those that fit. Definitions are held against it when they are read,
    so that what is accepted can be scored.
    """
    found = (
        _of_all(kind, name)
        or group_metric(kind, name, _of_all)
        or weighted_metric(kind, name, _of_all)
        or all_right_metric(kind, name)
    )
    if not found:
        raise UnknownMetricError(kind, name)
    return found


def metrics_for(kind: type[AnswerKind]) -> list[AnyMetric]:
    """The registered metrics for that kind of answer, by name; some need labels that a task may lack."""
    return [metric for metric in METRICS if kind in metric.kinds]


def _of_all(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric of all items together."""
    return _found(kind, name) or _mean(kind, name)


def _found(kind: AnswerKind, name: str) -> AnyMetric | None:
    for declared in kind.formulas:
        if declared.name == name:
            return declared_metric(kind, declared)
    registered = (metric for metric in METRICS.named(name) if type(kind) in metric.kinds)
    fitting = next((metric for metric in registered if _has_its_labels(metric, kind)), None)
    return (
        fitting
        or label_metrics(kind).get(name)
        or with_parameters(kind, name)
        or next((found for make in _families_of(kind) if (found := make(kind, name))), None)
    )


def _families_of(kind: AnswerKind) -> Iterator[_Make]:
    return (make for make, of, _ in _FAMILIES if isinstance(kind, of))


def _mean(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The mean of metrics between brackets, none of which is a mean itself."""
    stem, pieces = parts_of(name) or ("", [])
    if stem != "mean":
        return None
    names = joined(pieces, lambda part: _found(kind, part) is not None) or ()
    parts = [found for part in dict.fromkeys(names) if (found := _found(kind, part))]
    if len(parts) < len(names):
        return None
    return mean_of_metrics(kind, name, f"Mean of {' and '.join(part.title for part in parts)}", parts)


def _has_its_labels(metric: AnyMetric, kind: AnswerKind) -> bool:
    has_labels = set(metric.labels) <= set(kind.labels) and not metric.lacking(kind)
    return has_labels and not metric.unfit(kind) and not (metric.needs_one_gold and kind.several)


def _why_not(kind: AnswerKind, name: str) -> str:
    of_name = METRICS.named(name)
    for metric in of_name:
        if type(kind) in metric.kinds:
            if metric.needs_one_gold and kind.several:
                return f"`{name}` needs one gold label for each item; here several answers are accepted."
            lacking = metric.lacking(kind) or metric.unfit(kind) or f"the labels {', '.join(metric.labels)}"
            return f"`{name}` needs {lacking}."
    if of_name:
        others = sorted({other.phrase for metric in of_name for other in metric.kinds})
        return f"`{name}` is a metric for {', '.join(others)}, not for {kind.phrase}."
    return f"There is no metric `{name}`."
