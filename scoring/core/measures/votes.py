"""From several annotators' answers for one item to its gold label, or to none."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random


def majority(answers: Sequence[str], needed: int) -> str | None:
    """The label that at least `needed` annotators chose; None where there is none (DynaSent: 3 of 5).

    ValueError unless `needed` is more than half of the answers, for else two labels could win.

    >>> majority(["positive", "mixed", "positive", "neutral", "positive"], needed=3)
    'positive'
    """
    if 2 * needed <= len(answers):
        raise ValueError(f"`needed` must be more than half of {len(answers)} answers; it is {needed}.")
    label, count = Counter(answers).most_common(1)[0] if answers else ("", 0)
    return label if count >= needed else None


def plurality(answers: Sequence[str], rng: Random) -> str:
    """The label chosen most often; of several, one is drawn (RAFT's human baseline).

    The answers' order does not matter: the same answers and the same state of `rng` give the same label.

    >>> plurality(["yes", "no", "yes"], Random(1))
    'yes'
    """
    if not answers:
        raise ValueError("`answers` must hold at least one answer; it is empty.")
    counts = Counter(answers)
    most = max(counts.values())
    return rng.choice(sorted(label for label, count in counts.items() if count == most))


def labels_by_ag2(votes: Mapping[str, int], neutral_votes: int, annotators: int) -> frozenset[str] | None:
    """The labels of an item of which annotators could choose several (Affect in Tweets, E-c, rule Ag2).

    A label holds if more than 25 % of the annotators chose it. The item is neutral, and has no label, if no label
    was chosen by at least 40 % and more than 50 % said neutral. None where neither gives an answer: the item is
    set aside.

    Parameters
    ----------
    votes : mapping of label to int
        How many annotators chose the label.
    neutral_votes : int
        How many said that the item is neutral.
    annotators : int
        How many answered, at least 1 and at least as many as any count.

    References
    ----------
    Mohammad et al. (2018), doi:10.18653/v1/S18-1001, section 3.4.1.

    Examples
    --------
    >>> sorted(labels_by_ag2({"joy": 4, "love": 2, "fear": 1}, neutral_votes=0, annotators=7))
    ['joy', 'love']
    >>> labels_by_ag2({"joy": 2}, neutral_votes=4, annotators=7)
    frozenset()
    """
    if annotators < 1 or not all(0 <= count <= annotators for count in (*votes.values(), neutral_votes)):
        raise ValueError(f"Each count must be from 0 to the number of annotators, {annotators}.")
    # Whole numbers throughout, for 2 of 5 must be exactly 40 %.
    is_neutral = 2 * neutral_votes > annotators
    if is_neutral and not any(5 * count >= 2 * annotators for count in votes.values()):
        return frozenset()
    return frozenset(label for label, count in votes.items() if 4 * count > annotators) or None
