"""How often each worker answers as most of the others do."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from labelling.core.agreement.decisions import Decision, about_the_same, decisions_of
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
        for decision, expected in zip(decisions, _of_others(decisions, fewest_others), strict=True):
            if expected is not None:
                counts[decision.worker][0] += 1
                counts[decision.worker][1] += decision.value == expected
    answers = Counter(answer.worker for answer in work.answers)
    ordered = sorted(answers.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(WorkerAgreement(worker, number, *counts[worker]) for worker, number in ordered)


def _of_others(decisions: Sequence[Decision], fewest: int) -> list[Value | None]:
    """For each decision what more than half of the others' say about the same, None where there is nothing."""
    votes = Counter(decision.value for decision in decisions)
    own: defaultdict[int, Counter[Value]] = defaultdict(Counter)
    for decision in decisions:
        own[decision.worker][decision.value] += 1
    expected: dict[frozenset[tuple[Value, int]], Value | None] = {}
    for of_worker in own.values():
        if (key := frozenset(of_worker.items())) not in expected:
            expected[key] = _majority(votes - of_worker, fewest)
    return [expected[frozenset(own[decision.worker].items())] for decision in decisions]


def _majority(votes: Counter[Value], fewest: int) -> Value | None:
    total = votes.total()
    if total < max(fewest, 1):
        return None
    value, count = votes.most_common(1)[0]
    return value if 2 * count > total else None
