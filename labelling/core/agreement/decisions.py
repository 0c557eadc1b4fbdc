"""What each answer decides: one thing, or several at once that are compared one by one."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
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
    """All decisions, by item, then part, then worker; an item of several texts is known by its unit."""
    rows = ((item_of(work, each.unit), each.worker, repr(each.value), each) for each in work.answers)
    answers = sorted(rows, key=itemgetter(0, 1, 2))  # a worker may say the same of an item twice
    return [
        Decision(item, part, worker, value)
        for item, about in groupby(answers, key=itemgetter(0))
        for of_part in zip(*(_parts(each, work.options) for *_, each in about), strict=True)
        for part, worker, value in of_part
    ]


def about_the_same(decisions: Sequence[Decision]) -> Iterator[list[Decision]]:
    """The decisions about each part of each item, brought together."""
    for _, group in groupby(decisions, key=itemgetter(0, 1)):
        yield list(group)


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


def _parts(answer: GivenAnswer, options: Sequence[str]) -> list[tuple[str, int, Value]]:
    """Part, worker and value of each decision in an answer; the same parts for all answers to a question."""
    if not isinstance(answer.value, tuple):
        return [(WHOLE, answer.worker, answer.value)]
    if options:
        return [(option, answer.worker, option in answer.value) for option in options]
    return [(BEST, answer.worker, answer.value[0]), (WORST, answer.worker, answer.value[1])]
