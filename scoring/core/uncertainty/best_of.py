"""What the best of several tries is worth: the more one tries, the better the best one looks."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, fsum


def expected_best_of(values: Sequence[float], tries: int, *, higher_is_better: bool = True) -> float:
    """The expected best score of some tries, drawn from those that there are.

    Parameters
    ----------
    values : sequence of float
        The scores of all tries, at least one.
    tries : int
        From 1 to `len(values)`. 1 gives the mean, all of them the best.
    higher_is_better : bool

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
    worst_first = sorted(values, reverse=not higher_is_better)
    # In how many choices the value is the best one: the others come from those worse than it.
    choices = [comb(worse, tries - 1) for worse in range(len(values))]
    total = comb(len(values), tries)
    return fsum(value * (count / total) for value, count in zip(worst_first, choices, strict=True))
