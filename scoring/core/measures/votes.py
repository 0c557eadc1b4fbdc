"""From several annotators' answers for one item to its gold label, or to none."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

Answered = TypeVar("Answered", bound=Hashable)


def majority(answers: Sequence[Answered], needed: int) -> Answered | None:
    """The label that at least `needed` annotators chose; None where there is none (DynaSent: 3 of 5).

    ValueError unless `needed` is more than half of the answers, for else two labels could win.

    >>> majority(["positive", "mixed", "positive", "neutral", "positive"], needed=3)
    'positive'
    """
    if 2 * needed <= len(answers):
        raise ValueError(f"`needed` must be more than half of {len(answers)} answers; it is {needed}.")
    if not answers:
        return None
    label, count = Counter(answers).most_common(1)[0]
    return label if count >= needed else None
