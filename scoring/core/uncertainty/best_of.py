"""What the best of several tries is worth: the more one tries, the better the best one looks."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, fsum, sqrt
from statistics import NormalDist

GRID = 2001


def expected_best_of(values: Sequence[float], tries: int) -> float:
    """The expected highest score of some tries, drawn from those that there are.

    Parameters
    ----------
    values : sequence of float
        The scores of all tries, at least one.
    tries : int
        From 1 to `len(values)`. 1 gives the mean, all of them the best.

    Returns
    -------
    float
        Mean of the best score over all choices of `tries` of the values: unbiased, unlike drawing with replacement.

    References
    ----------
    Dodge et al., "Show Your Work", 2019 (doi:10.18653/v1/D19-1224); the unbiased form: Tang et al., "Showing Your
    Work Doesn't Always Work", 2020 (doi:10.18653/v1/2020.acl-main.246).

    Examples
    --------
    >>> expected_best_of([0.5, 0.75, 1.0], tries=3)
    1.0
    >>> expected_best_of([0.5, 0.75, 1.0], tries=1)
    0.75
    """
    if not 1 <= tries <= len(values):
        raise ValueError(f"`tries` must be from 1 to {len(values)}, the number of values; it is {tries}.")
    worst_first = sorted(values)
    # In how many choices the value is the best one: the others come from those worse than it.
    choices = [comb(worse, tries - 1) for worse in range(len(values))]
    total = comb(len(values), tries)
    return fsum(value * (count / total) for value, count in zip(worst_first, choices, strict=True))


def gain_by_luck(deviation: float, tries: int) -> float:
    """How much better the best of several tries looks on average if all of them are equally good.

    Parameters
    ----------
    deviation : float
        Standard deviation, at least 0, of the difference of two tries over test sets of this size.
    tries : int
        At least 1. Beyond 2,001 the gain of 2,001 is given.

    Returns
    -------
    float
        The expected largest of so many independent normal numbers, each with its share of that deviation: what all
        tries have in common, because they answer the same items, is no gain.

    References
    ----------
    Dodge et al., "Show Your Work", 2019 (doi:10.18653/v1/D19-1224), with a normal distribution for the tries' own.

    Examples
    --------
    >>> gain_by_luck(0.01, 1)
    0.0
    >>> round(gain_by_luck(0.01, 10), 3)
    0.011
    """
    if deviation < 0:
        raise ValueError(f"`deviation` must be at least 0; it is {deviation}.")
    if tries < 1:
        raise ValueError(f"`tries` must be at least 1; it is {tries}.")
    return 0.0 if tries == 1 else deviation / sqrt(2) * _best_of_normal(min(tries, GRID))


@lru_cache(maxsize=256)
def _best_of_normal(tries: int) -> float:
    normal = NormalDist()
    return expected_best_of([normal.inv_cdf((place + 0.5) / GRID) for place in range(GRID)], tries)
