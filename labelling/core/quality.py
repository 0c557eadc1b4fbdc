"""Whose answers count: check questions, agreement with the others, and qualification.

Few answers prove little, so every rule that excludes states the least number that it needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median


@dataclass(frozen=True, slots=True)
class CheckRule:
    """Whoever has a smaller share than `threshold` right, of at least `least` answers, is excluded.

    The threshold is taken as it is written: 11 of 20 are 0.55, and not a hair less as in floating point.

    Affect in Tweets: 70 % (doi:10.18653/v1/S18-1001, section 3.4).
    """

    threshold: float = 0.7
    least: int = 5

    def excludes(self, right: int, seen: int) -> bool:
        """Whether so many right answers are too few.

        >>> CheckRule(0.7, 5).excludes(7, 10), CheckRule(0.7, 5).excludes(6, 10), CheckRule(0.7, 5).excludes(0, 4)
        (False, True, False)
        """
        return seen >= self.least and right < Fraction(str(self.threshold)) * seen


@dataclass(frozen=True, slots=True)
class QualificationResult:
    """How many qualification questions a worker has answered, and how many rightly."""

    worker: int
    answered: int
    right: int

    @property
    def accuracy(self) -> Fraction:
        return Fraction(self.right, self.answered)


@dataclass(frozen=True, slots=True)
class Qualification:
    """Who goes on, and the accuracy that is needed for it; None where nobody has answered enough."""

    needed: Fraction | None
    advancing: tuple[int, ...]


def qualify(
    results: Sequence[QualificationResult], least: int = 10, fewest_workers: int = 1
) -> Qualification:
    """Who goes on: whoever has answered enough, and as well as the median of those who have.

    Parameters
    ----------
    results : sequence of QualificationResult
    least : int
        Answers that it takes.
    fewest_workers : int
        Workers with so many answers that it takes before anybody is judged.

    References
    ----------
    Alex et al. (2021), arXiv:2109.14076, appendix A.7, where of whom the median is taken is not said: here of those
    with at least `least` answers.

    Examples
    --------
    >>> qualify([QualificationResult(1, 20, 18), QualificationResult(2, 10, 5), QualificationResult(3, 9, 9)])
    Qualification(needed=Fraction(7, 10), advancing=(1,))
    """
    enough = [each for each in results if each.answered >= max(least, 1)]
    if len(enough) < max(fewest_workers, 1):
        return Qualification(None, ())
    needed = median(each.accuracy for each in enough)
    return Qualification(needed, tuple(sorted(each.worker for each in enough if each.accuracy >= needed)))
