"""What rules of disclosure need to know of a table of ids and labels, before there is a task."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
from django.http import QueryDict

from catalogue.answers import KINDS
from catalogue.disclosure.rule import HiddenItems
from catalogue.metrics.choice import metrics_for
from catalogue.metrics.label_effect import safe_share
from catalogue.metrics.metric import AnyMetric
from submissions.intake.tables.labelled import LabelledTable

STEPS = 20
"""A share of the rarest label is rounded down to one of so many steps, so that it gives little away."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A test set as an organiser has described it so far.

    `rarest_share` is what may be stated of the rarest label, from 0 to .5, rounded down; 0 where nothing can be.
    `states_share` says whether the organiser agrees to publish it.
    """

    item_count: int
    label_count: int
    rarest_share: float
    states_share: bool
    metric: AnyMetric | None
    metrics: tuple[AnyMetric, ...]

    def hidden(self, metric: AnyMetric | None = None, *, states_share: bool | None = None) -> HiddenItems:
        """What a rule is told, with the chosen metric or another, as agreed or as it would be."""
        metric = metric or self.metric
        states = self.states_share if states_share is None else states_share
        share = self.rarest_share if states else 0.0
        effect = metric.label_effect(self.item_count, max(1, self.label_count), share) if metric else None
        return HiddenItems(self.item_count, self.label_count, effect)

    @property
    def share_would_help(self) -> bool:
        """Whether the chosen metric has a bound with the share of the rarest label, and none without."""
        without = self.hidden(states_share=False).label_effect
        return without is None and self.hidden(states_share=True).label_effect is not None


def facts_of(table: LabelledTable, answers: Mapping[str, Any]) -> TableFacts:
    """The table with what was answered of it: the values of the form by field, of a request or of a proposal."""
    kind = KINDS[str(answers["kind"])] if answers.get("kind") in KINDS else None
    named = listed(answers, "label_columns")
    names = [name for name in named if name in table.header]
    counts: dict[str, int] = {}
    if kind and kind.gold_is_one_label and len(names) == 1:
        for label in table.with_labels(names).column(names[0]):
            counts[label] = counts.get(label, 0) + 1
        more = str(answers.get("more_labels") or "").splitlines()
        counts |= {line.strip(): 0 for line in more if line.strip() and line.strip() not in counts}
    items = len(table.rows)
    drawn = np.ones(items, dtype=np.int64)
    safe = safe_share(drawn[: min(counts.values())], drawn) if len(counts) > 1 else 0.0
    metrics = tuple(metric for metric in metrics_for(kind) if metric.asks_nothing) if kind else ()
    return TableFacts(
        item_count=items,
        label_count=len(counts),
        rarest_share=floor(STEPS * safe) / STEPS,
        states_share=bool(answers.get("states_share")),
        metric=next((metric for metric in metrics if metric.name == answers.get("metric")), None),
        metrics=metrics,
    )


def listed(answers: Mapping[str, Any], name: str) -> list[str]:
    """The answers to a question that takes several."""
    if isinstance(answers, QueryDict):
        return [str(value) for value in answers.getlist(name)]
    value = answers.get(name) or []
    return [value] if isinstance(value, str) else list(value)
