"""Metrics of lists of labels of which some are kinds of others: each label stands for all that it is a kind of, too."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from catalogue.ancestors import all_names, with_ancestors
from catalogue.answers import AnswerKind, ManyLabels
from catalogue.answers.across_labels.many_labels import BETWEEN, labels_in
from catalogue.comparison import Comparison
from catalogue.metrics.label_lists.memberships import Members, members
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import DeterminedBy, Statistic

STEM = "hierarchical"
_KIRITCHENKO = "doi:10.1007/11766247_34, with the ancestors of each label in both lists"


def hierarchical_metric(kind: AnswerKind, name: str, metrics: Iterable[AnyMetric]) -> AnyMetric | None:
    """The metric `hierarchical[f1_micro]`: one of `metrics`, once both lists have the ancestors of their labels, too.

    None where the name is no such name, or the kind declares no parents.

    References
    ----------
    Kiritchenko et al. (2006), doi:10.1007/11766247_34: hierarchical precision, recall and F1 are those of `micro`.
    """
    stem, pieces = parts_of(name) or ("", [])
    inner = next((metric for metric in metrics if [metric.name] == pieces), None)
    if stem != STEM or inner is None or not kind.parents:
        return None
    return replace(
        inner,
        name=name,
        title=f"{inner.title}, hierarchical",
        statistic=Statistic(_members, DeterminedBy.ITEMS),
        reference=f"{_KIRITCHENKO}; {inner.reference}",
    )


def _members(comparison: Comparison) -> tuple[Members]:
    kind = _with_ancestors(comparison.output)
    gold, found = (
        kind.array(_expanded(kind, text) for text in side.tolist())
        for side in (comparison.y_true, comparison.y_pred)
    )
    return members(Comparison(kind, gold, found))


@lru_cache(maxsize=128)
def _with_ancestors(kind: AnswerKind) -> ManyLabels:
    """The kind whose labels are those that are declared and all of their ancestors."""
    return ManyLabels(all_names(kind.labels, kind.parents), parents=kind.parents)


def _expanded(kind: ManyLabels, text: str) -> str:
    held = with_ancestors(kind.parents, labels_in(text))
    return BETWEEN.join(name for name in kind.names if name in held)
