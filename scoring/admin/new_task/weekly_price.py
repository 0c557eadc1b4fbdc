"""What weekly scores cost a table of ids and labels: how many answers give its labels away, in words."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from accounts.formats.numbers import grouped
from catalogue.answers import KINDS
from catalogue.disclosure.coin_weighing import answers_that_tell_all
from submissions.intake.tables.labelled import LabelledTable

A_WEEK = 2
TEAMS = 10


def price_of_weekly_scores(table: LabelledTable, answers: Mapping[str, Any]) -> str:
    """What somebody reads who thinks of scoring every week: how many answers give this table's labels away."""
    advice = (
        "Once, at the close, is proposed: nobody can learn from a score for the next try. Weekly cut-offs are at 00:00 "
        "UTC, and their scores give the labels away to whoever sends answers that are made for it."
    )
    column = answers.get("label_columns")
    names = column if isinstance(column, list) else [column]
    kind = str(answers.get("kind", ""))
    is_one_label = kind in KINDS and KINDS[kind].is_one_label
    if not is_one_label or len(names) != 1 or names[0] not in table.header:
        return advice
    items, labels = len(table.rows), len(set(table.column(names[0])))
    if labels < 2:
        return advice
    needed = answers_that_tell_all(items, labels)
    return "{} {}".format(
        advice,
        f"Here {grouped(needed)} exact accuracies tell all labels of the {grouped(items)} items: at "
        f"{A_WEEK} a week one team has them in {grouped(ceil(needed / A_WEEK))} weeks, and {TEAMS} "
        f"teams together in {grouped(ceil(needed / (A_WEEK * TEAMS)))}. That is proved for "
        "accuracy; expect no more safety of other metrics.",
    )
