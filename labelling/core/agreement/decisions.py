"""What each answer decides: one thing, or several at once that are compared one by one."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from labelling.core.aggregation.rule import item_of
from labelling.core.answers import GivenAnswer, Value, Work

WHOLE = ""
BEST, WORST = "best", "worst"


class Decision(NamedTuple):
    """What a worker decided about one part of an item.

    `part` is empty where an answer is one decision. Of several labels each option is a part, decided yes or no; of best
    and worst either is one.
    """

    item: str
    part: str
    worker: int
    value: Value


def decisions_of(work: Work) -> list[Decision]:
    """All decisions, sorted; an item of several texts is known by its unit."""
    found = [
        Decision(item_of(work, answer.unit), part, answer.worker, value)
        for answer in work.answers
        for part, value in _parts(answer, work.options)
    ]
    return sorted(found, key=lambda each: (each.item, each.part, each.worker, repr(each.value)))


def by_part(decisions: Sequence[Decision]) -> dict[str, list[Decision]]:
    """The decisions about each part, in the order in which parts come first."""
    found: defaultdict[str, list[Decision]] = defaultdict(list)
    for decision in decisions:
        found[decision.part].append(decision)
    return dict(found)


def work_about(work: Work, units: Collection[str]) -> Work:
    """Only what is about these units, such as those of one group."""
    wanted = set(units)
    return Work(
        work.options,
        {unit: items for unit, items in work.items_of.items() if unit in wanted},
        [answer for answer in work.answers if answer.unit in wanted],
    )


def _parts(answer: GivenAnswer, options: Sequence[str]) -> list[tuple[str, Value]]:
    if not isinstance(answer.value, tuple):
        return [(WHOLE, answer.value)]
    if options:
        return [(option, option in answer.value) for option in options]
    return list(zip((BEST, WORST), answer.value, strict=True))
