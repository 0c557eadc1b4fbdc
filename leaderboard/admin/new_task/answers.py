"""What the wizard answers for an organiser: proposals, and what follows from another kind, column or file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from catalogue.answers import KINDS
from catalogue.disclosure import proposed_rule
from catalogue.metrics.choice import metrics_for
from leaderboard.admin.new_task.file_form import ITEM, NAMES
from leaderboard.admin.new_task.table_facts import facts_of, listed
from submissions.intake.tables.labelled import TABLE, LabelledTable
from submissions.intake.tables.task_proposal import Proposal, bounds

LASTS_DAYS = 28
WEEKLY_LASTS_DAYS = 70
OF_THE_TABLE = (
    "kind",
    "id_column",
    "label_columns",
    "has_unscored",
    "text_columns",
    "column_names",
    "more_labels",
    "metric",
)
"""What is proposed anew where columns are others than before; what was typed beside them stays."""


def proposed(proposal: Proposal, table: LabelledTable) -> dict[str, Any]:
    """The proposal as the form's own values, with the rule that fits the table and a schedule that fits the rule."""
    values = {
        **proposed_columns(proposal, table),
        "title": proposal.title,
        "instructions": proposal.kind.instruction,
        "weekday": "",
        "lasts_days": LASTS_DAYS,
        "quota": 2,
    }
    rule = proposed_rule(facts_of(table, values).hidden())
    if rule.shows_before_end:
        values |= {"weekday": 0, "lasts_days": WEEKLY_LASTS_DAYS}
    return values | {"disclosure": rule.key}


def proposed_columns(proposal: Proposal, table: LabelledTable) -> dict[str, Any]:
    """What the columns seem to be, with a metric and a range that fit."""
    return {
        "layout": layout_of(table),
        "first_line": ITEM if table.is_headerless else NAMES,
        "read_as": read_as(table),
        "kind": proposal.kind.key,
        "id_column": proposal.id_column,
        "label_columns": list(proposal.label_columns),
        "text_columns": list(proposal.text_columns),
        "low": _number(proposal.low),
        "high": _number(proposal.high),
        "range_of": _range_key(proposal.kind.key, proposal.label_columns),
        "metric": proposal.metric,
    }


def read_as(table: LabelledTable) -> str:
    """What columns a table has, in one line: answers about others do not fit it."""
    return "\t".join((layout_of(table), ITEM if table.is_headerless else NAMES, *table.header))


def layout_of(table: LabelledTable) -> str:
    """How a file was read, as the form says it."""
    return table.layout.key if table.seen else TABLE


def fitting(kind: str) -> dict[str, str]:
    """The titles of the metrics for a kind of answer, by name, but not of those that a definition must say more for."""
    found = metrics_for(KINDS[kind]) if kind in KINDS else []
    return {metric.name: metric.title for metric in found if metric.asks_nothing}


def followed(answers: Mapping[str, Any], table: LabelledTable) -> Mapping[str, Any]:
    """The answers with a metric that fits the kind, and with the range of the column and kind that are chosen now.

    A metric of another kind gives way to what is proposed for this one, and so do metric and instructions that were
    proposed for another kind. A range that was typed stays as long as column and kind do; of another, or where an end
    was emptied, it is computed anew.
    """
    kind = str(answers.get("kind", ""))
    kind_before = str(answers.get("range_of", "")).partition(":")[0]
    changed: dict[str, Any] = {}
    known = fitting(kind)
    before = KINDS[kind_before] if kind_before in KINDS and kind_before != kind else None
    if answers.get("metric") not in known or (before and answers.get("metric") == before.metric):
        changed["metric"] = KINDS[kind].metric if known else ""
    if known and before and answers.get("instructions") == before.instruction:
        changed["instructions"] = KINDS[kind].instruction
    names = [name for name in listed(answers, "label_columns") if name in table.header]
    if known and names:
        key = _range_key(kind, names)
        is_other = answers.get("range_of") != key
        ends = dict(zip(("low", "high"), bounds(KINDS[kind], table.column(names[0])), strict=True))
        changed |= {"range_of": key}
        changed |= {
            name: _number(end)
            for name, end in ends.items()
            if is_other or not str(answers.get(name) or "").strip()
        }
    return replaced(answers, changed)


def replaced(answers: Mapping[str, Any], changed: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answers, of a request or of a proposal, with some of them changed."""
    if not isinstance(answers, QueryDict):
        return {**answers, **changed}
    copied = answers.copy()
    for name, value in changed.items():
        copied.setlist(name, value if isinstance(value, list) else [value])
    return copied


def _range_key(kind: str, names: Sequence[str]) -> str:
    return f"{kind}:{names[0] if names else ''}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.15g}"
