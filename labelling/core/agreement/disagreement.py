"""The items that workers do not agree about: shown, not hidden."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import fsum, log2
from statistics import fmean, pstdev

from labelling.core.agreement.decisions import about_the_same, decisions_of
from labelling.core.answers import Work


@dataclass(frozen=True, slots=True)
class ItemDisagreement:
    """How far the answers about an item lie apart; means over the parts where an answer decides several things.

    answers : how many there are
    minority : share of answers that are not the one given most often, 0 to 1
    entropy : of the answers, in bits; 0 where all agree
    deviation : standard deviation of the answers where they are numbers, None elsewhere
    """

    item: str
    answers: int
    minority: float
    entropy: float
    deviation: float | None = None


def disagreement_by_item(work: Work) -> tuple[ItemDisagreement, ...]:
    """Every item that has an answer, those that workers agree about least first.

    >>> from labelling.core.answers import GivenAnswer
    >>> given = [GivenAnswer("i", worker, label) for worker, label in enumerate("aabb")]
    >>> disagreement_by_item(Work(("a", "b"), {"i": ("i",)}, given))
    (ItemDisagreement(item='i', answers=4, minority=0.5, entropy=1.0, deviation=None),)
    """
    parts: defaultdict[str, list[tuple[int, float, float, float | None]]] = defaultdict(list)
    for decisions in about_the_same(decisions_of(work)):
        values = [decision.value for decision in decisions]
        counts, total = Counter(values), len(values)
        numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        parts[decisions[0].item].append(
            (
                total,
                1 - max(counts.values()) / total,
                fsum(count / total * log2(total / count) for count in counts.values()),
                pstdev(numbers) if numbers else None,
            )
        )
    found = [
        ItemDisagreement(
            item,
            of_item[0][0],
            fmean(minority for _, minority, _, _ in of_item),
            fmean(entropy for _, _, entropy, _ in of_item),
            of_item[0][3],
        )
        for item, of_item in parts.items()
    ]
    return tuple(
        sorted(found, key=lambda each: (-(each.deviation or 0.0), -each.minority, -each.entropy, each.item))
    )
