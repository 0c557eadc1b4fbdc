"""What a score of people would be over all ways to draw the labels on which as many of them chose one as another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice, product
from math import fsum, prod
from random import Random

from labelling.core.aggregation.plurality import leading
from labelling.core.aggregation.rule import values_by_item
from labelling.core.answers import Value, Work

MOST_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class ExpectedScore:
    """The mean of a score over the draws of tied labels, its range, and over how many draws.

    `is_exact` says whether these are all draws that there are; else they were drawn.
    """

    mean: float
    lowest: float
    highest: float
    draws: int
    is_exact: bool


def expected_score(
    work: Work,
    score: Callable[[Mapping[str, Value]], float],
    rng: Random,
) -> ExpectedScore:
    """The mean of a score over the draws that plurality could make.

    Parameters
    ----------
    work : Work
        Items without an answer have no label.
    score : function from the label of each item to a number
    rng : random.Random
        For drawing, where there are more draws than MOST_DRAWS.

    Examples
    --------
    >>> from labelling.core.answers import GivenAnswer
    >>> given = [GivenAnswer("i", 1, "a"), GivenAnswer("i", 2, "b"), GivenAnswer("j", 1, "b")]
    >>> work = Work(("a", "b"), {"i": ("i",), "j": ("j",)}, given)
    >>> expected_score(work, lambda labels: sum(label == "b" for label in labels.values()) / 2, Random(1))
    ExpectedScore(mean=0.75, lowest=0.5, highest=1.0, draws=2, is_exact=True)
    """
    candidates = {item: leading(values) for item, values in values_by_item(work).items() if values}
    is_exact = prod(map(len, candidates.values())) <= MOST_DRAWS
    if is_exact:
        drawn = list(product(*candidates.values()))
    else:
        drawn = list(islice(iter(lambda: tuple(map(rng.choice, candidates.values())), ()), MOST_DRAWS))
    scores = [score(dict(zip(candidates, labels, strict=True))) for labels in drawn]
    return ExpectedScore(fsum(scores) / len(scores), min(scores), max(scores), len(scores), is_exact)
