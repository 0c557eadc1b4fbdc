"""How often each worker answers as most of the others do."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from labelling.core.agreement.decisions import Decision, decisions_of
from labelling.core.answers import Value, Work
from scoring.core.measures.responses import WorkerAgreement


def agreement_with_others(work: Work, fewest_others: int = 1) -> tuple[WorkerAgreement[int], ...]:
    """Each worker compared with what more than half of the others say of the same; who answered most comes first.

    Where no answer has so many others, or fewer than `fewest_others` have answered, nothing is compared. Of several
    labels each is compared by itself, and so are best and worst.

    >>> from labelling.core.answers import GivenAnswer
    >>> given = [GivenAnswer("i", worker, label) for worker, label in enumerate("aab")]
    >>> agreement_with_others(Work(("a", "b"), {"i": ("i",)}, given))[2]
    WorkerAgreement(worker=2, responses=1, compared=1, agreed=0)
    """
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for decisions in about_the_same(decisions_of(work)):
        votes = Counter(decision.value for decision in decisions)
        for decision in decisions:
            expected = _majority_of_others(decision, decisions, votes, fewest_others)
            if expected is not None:
                counts[decision.worker][0] += 1
                counts[decision.worker][1] += decision.value == expected
    answers = Counter(answer.worker for answer in work.answers)
    ordered = sorted(answers.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(WorkerAgreement(worker, number, *counts[worker]) for worker, number in ordered)


def about_the_same(decisions: Sequence[Decision]) -> Iterator[list[Decision]]:
    """Sorted decisions, brought together by item and part."""
    for _, group in groupby(decisions, key=lambda each: (each.item, each.part)):
        yield list(group)


def _majority_of_others(
    own: Decision, decisions: Sequence[Decision], votes: Counter[Value], fewest: int
) -> Value | None:
    """What more than half of the other workers' answers say, None where there is nothing."""
    others = Counter(votes)
    others.subtract(decision.value for decision in decisions if decision.worker == own.worker)
    total = others.total()
    if total < fewest or not total:
        return None
    value, count = others.most_common(1)[0]
    return value if 2 * count > total else None
