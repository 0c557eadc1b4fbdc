"""What fields of the wizard say of a table, and ids made of the titles that they hold."""

import re

from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify

from benchmarks.admin.phase_forms import explained
from benchmarks.spec.rule_fit import what_would_do
from catalogue.disclosure import RULES, proposed_rule
from leaderboard.admin.new_task.table_facts import TableFacts
from submissions.intake.tables.labelled import LabelledTable

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_SHOWN, _LONGEST_SHOWN = 3, 30


def rules_in_numbers(facts: TableFacts) -> SafeString:
    """The rule that is proposed for a test set, why not another, and every rule with its numbers for it."""
    items = facts.hidden()
    said = f"For these {items.item_count:,} items {proposed_rule(items).key} is proposed."
    why = what_would_do(items, facts.metric, facts.metrics) if facts.metric else ""
    return format_html("<p>{} {}</p>{}", said, why, explained(RULES, items))


def with_examples(name: str, table: LabelledTable) -> str:
    """A column with the first different cells that are not empty."""
    cells = list(dict.fromkeys(cell.strip() for cell in table.column(name) if cell.strip()))[:_SHOWN]
    shown = (cell if len(cell) <= _LONGEST_SHOWN else f"{cell[:_LONGEST_SHOWN]}…" for cell in cells)
    return f"{name}: {'; '.join(shown)}"


def slug(title: str) -> str:
    """An id made of a title; empty where no letter or digit of it can stand in one."""
    return slugify(title).strip("-_")[:64]


def identifier(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValidationError("Letters, digits, - and _ only; the first a letter or digit.")
    return value
