"""What an organiser is told who has changed how much of a score a phase shows."""

import datetime as dt
from collections.abc import Iterable, Iterator

from django.contrib import messages

from benchmarks.admin.phase_forms import SHOWN
from benchmarks.models import Phase
from benchmarks.spec import DisclosureSpec
from scoring.models import Batch

TOGETHER = {*SHOWN, "counting"}


def saved_together(changed: Iterable[str]) -> set[str]:
    """The fields to save. Those that were held against each other go together, or two people who save at the same
    time could break what holds between them.
    """
    fields = set(changed)
    return fields | TOGETHER if fields & TOGETHER else fields


def what_is_shown(phase: Phase, now: dt.datetime) -> Iterator[tuple[str, int]]:
    """Sentences with their level, after another rule was saved."""
    rule = phase.disclosed_by
    if phase.is_over(now):
        yield "The phase is over, so its releases show exact scores whatever the rule.", messages.WARNING
    elif phase.weekday is None and not rule.is_exact:
        yield _only_once(rule), messages.WARNING
    else:
        yield "The rule holds from the next cut-off on.", messages.INFO
        if not rule.is_exact and phase.closes_at is None:
            yield (
                (
                    "Exact scores follow with the last cut-off, and the phase has no end yet. Once you know when it "
                    "ends, please set “Closes at”."
                ),
                messages.INFO,
            )
    if not rule.rule.shows_all and _was_exact(phase):
        yield (
            (
                "Exact scores of this phase have been published. They stay published, and what they have told of the "
                "labels cannot be taken back."
            ),
            messages.WARNING,
        )


def _only_once(rule: DisclosureSpec) -> str:
    sentences = [
        "The phase has one cut-off alone, which is its last, and its one release shows exact scores."
    ]
    if not rule.rule.shows_all:
        sentences.append("The rule does nothing there; for it to do something, give the phase a weekday.")
    if rule.remainder:
        sentences.append("The private remainder alone ranks there; the other items are never scored.")
    return " ".join(sentences)


def _was_exact(phase: Phase) -> bool:
    """Whether a release of the phase has shown exact scores."""
    released = Batch.objects.filter(phase=phase, status=Batch.Status.RELEASED)
    return any(batch.disclosed_by.rule.shows_all for batch in released)
