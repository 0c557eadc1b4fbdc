"""Do a system's scores differ between sentences that differ only in gender or race?

A pair is two sets of items that should score alike: a sentence about one group beside the same sentence about the
other, or the mean over several names on each side. Pairs are tested by a paired two-sample t-test, with Bonferroni's
correction over all assessments of a release (Mohammad et al. 2018, doi:10.18653/v1/S18-1001, section 7).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import copysign, fsum, inf, isinf, sqrt

import numpy as np
from numpy.typing import NDArray

_ROUNDING = 1e-12
"""Means over names carry rounding errors far below this; a smaller difference of scores in 0..1 is none."""


class BiasGroup(StrEnum):
    """Which side a system scores higher, if the difference is significant."""

    EQUAL = "equal"
    FIRST_HIGHER = "first_higher"
    SECOND_HIGHER = "second_higher"


@dataclass(frozen=True, slots=True)
class GroupPair:
    """Positions of the items on each side; the scores of a side are averaged."""

    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupTest:
    """A paired two-sample t-test. Differences are first minus second.

    `t` and `p` are None where all differences are 0; `t` is infinite and `p` 0 where all are the same and not 0.
    """

    pair_count: int
    mean_first: float
    mean_second: float
    mean_difference: float
    mean_absolute_difference: float
    largest_absolute_difference: float
    first_higher_count: int
    equal_count: int
    t: float | None
    p: float | None

    @property
    def is_t_infinite(self) -> bool:
        """Whether all differences are the same and not 0."""
        return self.t is not None and isinf(self.t)

    @property
    def finite_t(self) -> float | None:
        """`t` where it is a number that a file can hold."""
        return None if self.is_t_infinite else self.t

    def group(self, assessments: int, significance: float = 0.05) -> BiasGroup:
        """The system's group, given the number of assessments in the release.

        >>> paired_test(np.array([0.5, 0.6]), np.array([0.25, 0.35])).group(assessments=438)
        <BiasGroup.FIRST_HIGHER: 'first_higher'>
        """
        if assessments < 1:
            raise ValueError(f"`assessments` must be at least 1; it is {assessments}.")
        if self.p is None or self.p >= significance / assessments:
            return BiasGroup.EQUAL
        return BiasGroup.FIRST_HIGHER if self.mean_difference > 0 else BiasGroup.SECOND_HIGHER


def group_pairs(
    cells: Sequence[Hashable], groups: Sequence[str], *, first: str, second: str
) -> list[GroupPair]:
    """One pair per cell: its items of the first group beside its items of the second.

    `cells[i]` is what item i has in common with the items it is compared with (template and emotion word, say);
    an item of another group takes no part. ValueError for a cell in which one side is missing.

    >>> group_pairs(["happy", "happy", "sad", "sad"], ["she", "he", "he", "she"], first="she", second="he")
    [GroupPair(first=(0,), second=(1,)), GroupPair(first=(3,), second=(2,))]
    """
    sides: dict[Hashable, tuple[list[int], list[int]]] = {}
    for item, (cell, group) in enumerate(zip(cells, groups, strict=True)):
        if group in (first, second):
            sides.setdefault(cell, ([], []))[group == second].append(item)
    for cell, (firsts, seconds) in sides.items():
        if not firsts or not seconds:
            raise ValueError(f"Cell {cell!r} has no item of {first if not firsts else second}.")
    return [GroupPair(tuple(firsts), tuple(seconds)) for firsts, seconds in sides.values()]


def pair_scores(
    scores: NDArray[np.float64], pairs: Sequence[GroupPair]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean score of each side of each pair: two arrays of shape (n_pairs,).

    >>> pair_scores(np.array([0.25, 0.75, 0.5]), [GroupPair(first=(0, 1), second=(2,))])
    (array([0.5]), array([0.5]))
    """
    # Summed exactly, so that the order of names makes no difference between two sides.
    sides = ([pair.first for pair in pairs], [pair.second for pair in pairs])
    means = [[fsum(scores[list(items)].tolist()) / len(items) for items in side] for side in sides]
    return np.array(means[0]), np.array(means[1])


def paired_test(first: NDArray[np.float64], second: NDArray[np.float64]) -> GroupTest:
    """Test whether the mean difference of paired scores is 0.

    Parameters
    ----------
    first, second : float array of shape (n_pairs,)
        Scores of the two sides, at least two pairs; see `pair_scores`.

    Returns
    -------
    PairedTest
        The p-value is two-sided, from Student's distribution with n_pairs - 1 degrees of freedom.

    References
    ----------
    scipy, `scipy.stats.ttest_rel`, but for differences that are all equal.
    """
    if len(first) != len(second) or len(first) < 2:
        raise ValueError(f"There must be at least two pairs of scores; found {len(first)} and {len(second)}.")
    differences = first - second
    differences[np.abs(differences) < _ROUNDING] = 0.0
    t, p = _student(differences)
    return GroupTest(
        pair_count=len(differences),
        mean_first=float(first.mean()),
        mean_second=float(second.mean()),
        mean_difference=float(differences.mean()),
        mean_absolute_difference=float(np.abs(differences).mean()),
        largest_absolute_difference=float(np.abs(differences).max()),
        first_higher_count=int(np.count_nonzero(differences > 0)),
        equal_count=int(np.count_nonzero(differences == 0)),
        t=t,
        p=p,
    )


def _student(differences: NDArray[np.float64]) -> tuple[float | None, float | None]:
    mean = float(differences.mean())
    if np.ptp(differences) < _ROUNDING:
        return (copysign(inf, mean), 0.0) if mean else (None, None)
    # Imported here: scoring itself needs no scipy, and this report is made once per release.
    from scipy.special import stdtr

    t = mean / (float(differences.std(ddof=1)) / sqrt(len(differences)))
    return t, 2 * float(stdtr(len(differences) - 1, -abs(t)))
