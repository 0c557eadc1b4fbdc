"""What becomes of the columns of a bundle's boards."""

from collections.abc import Mapping, Sequence
from typing import Any

from submissions.intake.bundles.metric_clues import is_time, meanings
from submissions.intake.bundles.proposal.drafting import Drafting
from submissions.intake.bundles.report import Fate


def tell_of_columns(drafting: Drafting, tasks: Sequence[Mapping[str, Any]]) -> None:
    """Report the columns that no metric of the tasks fills."""
    used = {metric["name"] for task in tasks for metric in task["metrics"]}
    for column in drafting.competition.columns:
        told = column.title or column.key
        found = {name for words in (column.key, column.title) for names in meanings(words) for name in names}
        if is_time(column):
            why, do = f"{told} is about what a program took, and none is run here", ""
        elif column.hidden:
            why, do = f"{told} is hidden there", ""
        elif column.computed and column.computed.lower() not in ("avg", "average", "mean"):
            why, do = f"{told} is computed ({column.computed}); averages alone are made here", ""
        elif column.computed or found & used:
            continue
        else:
            why, do = (
                f"{told} is what the program writes under {column.key}; no metric is known by that name",
                "Choose a metric for it, or leave it.",
            )
        drafting.note(column.place, Fate.LEFT_OUT, why, do, line=column.line)


def average(drafting: Drafting, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The mean over tasks, where a column is one and all tasks have the same metric first."""
    column = next(
        (one for one in drafting.competition.columns if one.computed.lower() in ("avg", "average", "mean")),
        None,
    )
    if column is None:
        return None
    if len(tasks) < 2 or len({task["metrics"][0]["name"] for task in tasks}) > 1:
        drafting.note(
            column.place,
            Fate.LEFT_OUT,
            f"{column.title} is an average; one is made of several tasks with the same first metric",
            line=column.line,
        )
        return None
    drafting.note(
        column.place,
        Fate.OTHERWISE,
        f"{column.title} is the mean of all tasks with equal weights",
        "CodaLab averaged ranks; look at what it is to be.",
        line=column.line,
    )
    return {
        "id": "mean",
        "title": column.title,
        "of": [task["id"] for task in tasks],
        "missing": "unranked",
    }
