"""Best-worst scaling: scores of items from answers that name the best and the worst of a few."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.correlation import pearson, spearman
from catalogue.metrics.metric import Undefined
from labelling.core.answers import GivenAnswer, Work

Items = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class BestWorstAnswers:
    """One annotator's answer per row.

    tuples : shape (n_answers,), which tuple was answered
    shown : shape (n_answers, tuple size), the items of that tuple, numbered from 0
    best, worst : shape (n_answers,), the item chosen as having most and least of the property
    """

    tuples: Items
    shown: Items
    best: Items
    worst: Items

    def __post_init__(self) -> None:
        count = len(self.tuples)
        if not count or any(len(each) != count for each in (self.shown, self.best, self.worst)):
            raise ValueError(
                "Each answer needs its tuple, the items shown, a best and a worst; at least one."
            )
        chosen = ((self.shown == each[:, None]).sum(axis=1) for each in (self.best, self.worst))
        if any((times != 1).any() for times in chosen) or (self.best == self.worst).any():
            raise ValueError(
                "Best and worst must be two different items of the tuple, each shown once in it."
            )

    @property
    def can_be_split(self) -> bool:
        """Whether every tuple has at least two answers, as halves need."""
        return bool(np.unique(self.tuples, return_counts=True)[1].min() >= 2)

    def take(self, rows: NDArray[np.bool_]) -> BestWorstAnswers:
        """Only these answers."""
        return BestWorstAnswers(self.tuples[rows], self.shown[rows], self.best[rows], self.worst[rows])


@dataclass(frozen=True, slots=True)
class Reliability:
    """Mean correlation of the scores from two random halves of the answers, over `rounds` splits."""

    spearman: float
    pearson: float
    rounds: int


def best_worst_answers(work: Work) -> tuple[BestWorstAnswers, tuple[str, ...]]:
    """The answers of a campaign, and the ids of the items in the order in which they are numbered, which is sorted.

    ValueError where there is no answer, where a unit shows other than as many items as the first, and where best or
    worst is none of a unit's items, or both are the same.
    """
    answers = sorted(work.answers, key=lambda answer: (answer.unit, answer.worker))
    units = {unit: number for number, unit in enumerate(sorted({answer.unit for answer in answers}))}
    items = tuple(sorted({item for unit in units for item in work.items_of[unit]}))
    number_of = {item: number for number, item in enumerate(items)}
    chosen = [_named(answer, number_of) for answer in answers]
    found = BestWorstAnswers(
        tuples=np.array([units[answer.unit] for answer in answers], dtype=np.intp),
        shown=np.array([[number_of[item] for item in work.items_of[answer.unit]] for answer in answers]),
        best=np.array([best for best, _ in chosen], dtype=np.intp),
        worst=np.array([worst for _, worst in chosen], dtype=np.intp),
    )
    return found, items


def best_worst_scores(answers: BestWorstAnswers, item_count: int) -> NDArray[np.float64]:
    """Share of its showings in which an item is best minus the share in which it is worst, moved to 0..1.

    Parameters
    ----------
    answers : BestWorstAnswers
    item_count : int
        Items are numbered from 0 to `item_count` - 1; each must have been shown.

    Returns
    -------
    float array of shape (item_count,)
        1 for an item that is always best, 0 for one that is always worst.

    References
    ----------
    Kiritchenko and Mohammad (2016), doi:10.18653/v1/N16-1095.

    Examples
    --------
    >>> shown = np.array([[0, 1, 2, 3], [0, 1, 2, 3]])
    >>> answers = BestWorstAnswers(np.array([0, 0]), shown, best=np.array([0, 0]), worst=np.array([3, 2]))
    >>> best_worst_scores(answers, item_count=4).tolist()
    [1.0, 0.5, 0.25, 0.25]
    """
    shown, best, worst = (
        np.bincount(items.ravel(), minlength=item_count)
        for items in (answers.shown, answers.best, answers.worst)
    )
    if not shown.all():
        raise ValueError(f"Every item must be shown at least once; item {int(np.argmin(shown))} never is.")
    return ((best - worst) / shown + 1) / 2


def split_half_reliability(
    answers: BestWorstAnswers, item_count: int, rng: np.random.Generator, rounds: int = 100
) -> Reliability | Undefined:
    """How far two halves of the annotators would give the same scores.

    In each round every tuple's answers are split at random into two halves (where their number is odd, a random
    half has one more), scores are made from each half, and the two sets of scores are correlated.

    Parameters
    ----------
    answers : BestWorstAnswers
        At least two answers per tuple, for else an item could have no score in one half.
    item_count : int
        Number of items, each in some tuple.
    rng : numpy Generator
    rounds : int

    Returns
    -------
    Reliability or Undefined
        Undefined, with code `constant_scores`, if in some round all items score alike in a half.

    References
    ----------
    Kiritchenko and Mohammad (2016), doi:10.18653/v1/N16-1095; Mohammad et al. (2018), doi:10.18653/v1/S18-1001,
    section 4.2.

    Examples
    --------
    >>> shown = np.array([[0, 1, 2, 3], [0, 1, 2, 3]])
    >>> answers = BestWorstAnswers(np.array([0, 0]), shown, best=np.array([0, 0]), worst=np.array([3, 3]))
    >>> split_half_reliability(answers, 4, np.random.default_rng(1))
    Reliability(spearman=1.0, pearson=1.0, rounds=100)
    """
    if not answers.can_be_split:
        raise ValueError("Every tuple needs at least two answers to be split.")
    ranks, lines = [], []
    for _ in range(rounds):
        half = _random_half(answers.tuples, rng)
        first = best_worst_scores(answers.take(half), item_count)
        other = best_worst_scores(answers.take(~half), item_count)
        rank, line = spearman(first, other), pearson(first, other)
        if isinstance(rank, Undefined) or isinstance(line, Undefined) or not np.ptp(other):
            return Undefined("constant_scores")
        ranks.append(rank)
        lines.append(line)
    return Reliability(fsum(ranks) / rounds, fsum(lines) / rounds, rounds)


def _named(answer: GivenAnswer, number_of: Mapping[str, int]) -> tuple[int, int]:
    """The numbers of the best and the worst item; ValueError where the answer does not name two items."""
    match answer.value:
        case (str(best), str(worst)) if best in number_of and worst in number_of:
            return number_of[best], number_of[worst]
    raise ValueError(
        f"The answer of worker {answer.worker} about {answer.unit} must name two items, the best and the worst; "
        f"it is {answer.value!r}."
    )


def _random_half(tuples: Items, rng: np.random.Generator) -> NDArray[np.bool_]:
    """True for half of each tuple's answers: shuffle, bring each tuple together, take every other one."""
    order = rng.permutation(len(tuples))
    order = order[np.argsort(tuples[order], kind="stable")]
    _, tuple_of_row, sizes = np.unique(tuples[order], return_inverse=True, return_counts=True)
    place = np.arange(len(tuples)) - (np.cumsum(sizes) - sizes)[tuple_of_row]
    start = rng.integers(2, size=len(sizes))[tuple_of_row]
    half = np.zeros(len(tuples), dtype=np.bool_)
    half[order] = (place + start) % 2 == 0
    return half
