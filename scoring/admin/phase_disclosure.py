"""What an organiser is told who has changed how much a phase shows."""

import datetime as dt
from collections.abc import Iterable, Iterator

from django.contrib import messages

from benchmarks.models import Phase

TOGETHER = {"disclosure", "counting", "one_per_team", "weekday", "closes_at", "editions_per_year"}


def saved_together(changed: Iterable[str]) -> set[str]:
    """The fields to save. Those that were held against each other go together, or two people who save at the same
    time could break what holds between them.
    """
    fields = set(changed)
    return fields | TOGETHER if fields & TOGETHER else fields


def what_is_shown(phase: Phase, now: dt.datetime) -> Iterator[tuple[str, int]]:
    """Sentences with their level, after another rule was saved."""
    if phase.is_over(now):
        yield "The phase is over, so its releases show exact scores whatever the rule.", messages.WARNING
    else:
        yield "The rule holds from the next cut-off on.", messages.INFO
