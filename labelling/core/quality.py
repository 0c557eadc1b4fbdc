"""Whose answers count: check questions, agreement with the others, qualification, and time.

Few answers prove little, so every rule that excludes states the least number that it needs. Time flags and excludes
nobody.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from labelling.core.aggregation.rule import item_of
from labelling.core.agreement.workers import agreement_with_others
from labelling.core.answers import GivenAnswer, Work
from scoring.core.measures.responses import WorkerAgreement

Workers = Sequence[WorkerAgreement[int]]


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
class ValidatorReview:
    """What DynaSent's rule says of the workers of a batch.

    workers : every worker with counts, who answered most first
    dropped : those who disagree with the majority of the others in more than 80 % of what could be compared
    never_disagreeing : those who were compared and always agreed
    again : the units that a dropped worker has answered, sorted; they are to be collected again
    """

    workers: tuple[WorkerAgreement[int], ...]
    dropped: tuple[WorkerAgreement[int], ...]
    never_disagreeing: tuple[WorkerAgreement[int], ...]
    again: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class WorkingTime:
    """The median of a worker's seconds per answer, and whether it is below what was stated as least."""

    worker: int
    answers: int
    median_seconds: float
    is_fast: bool


def review_validators(work: Work, least: int = 5) -> ValidatorReview:
    """Whom to drop of the workers of one batch, and which units to collect again.

    Parameters
    ----------
    work : Work
        The answers of the batch alone: after 3,000 to 5,000 items each, in DynaSent.
    least : int
        Comparisons with a majority of at least two others that it takes to drop somebody.

    References
    ----------
    Potts et al. (2021), doi:10.18653/v1/2021.acl-long.186, section 3.3 and appendix B.

    Examples
    --------
    >>> given = [GivenAnswer(unit, worker, label) for unit in "ijk" for worker, label in enumerate("aab")]
    >>> review = review_validators(Work(("a", "b"), {unit: (unit,) for unit in "ijk"}, given), least=3)
    >>> [each.worker for each in review.dropped], review.again
    ([2], ('i', 'j', 'k'))
    """
    workers = agreement_with_others(work, fewest_others=2)
    dropped = tuple(each for each in workers if each.compared >= least and each.is_beyond_rule)
    numbers = {each.worker for each in dropped}
    return ValidatorReview(
        workers=workers,
        dropped=dropped,
        never_disagreeing=tuple(each for each in workers if each.compared and each.agreed == each.compared),
        again=tuple(sorted({answer.unit for answer in work.answers if answer.worker in numbers})),
    )


def without_workers(work: Work, workers: Sequence[int]) -> Work:
    """The work without the answers of these."""
    gone = set(workers)
    return Work(work.options, work.items_of, [each for each in work.answers if each.worker not in gone])


def keep_best_rated(work: Work, keep: int = 5) -> Work:
    """Of every item the answers of the `keep` workers who agree most often with the majority of the others.

    An item that was collected again has more answers than were wanted. Of workers who agree equally often the one who
    was compared more often counts as better, and of equal ones the one with the lower number; whoever was never
    compared comes last.
    """
    ratings = {
        each.worker: (Fraction(each.agreed, each.compared or 1), each.compared, -each.worker)
        for each in agreement_with_others(work, fewest_others=2)
    }
    by_item: defaultdict[str, list[GivenAnswer]] = defaultdict(list)
    for answer in work.answers:
        by_item[item_of(work, answer.unit)].append(answer)
    kept = [
        answer
        for _, answers in sorted(by_item.items())
        for answer in sorted(answers, key=lambda each: ratings[each.worker], reverse=True)[:keep]
    ]
    return Work(work.options, work.items_of, kept)


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


def working_times(seconds: Mapping[int, Sequence[float]], least_seconds: float) -> tuple[WorkingTime, ...]:
    """Every worker's median time per answer, the fastest first. It flags, and excludes nobody.

    Parameters
    ----------
    seconds : mapping of worker to the seconds of each answer
    least_seconds : float
        A median below this is flagged; 0 flags nobody.
    """
    found = [
        WorkingTime(worker, len(times), float(median(times)), median(times) < least_seconds)
        for worker, times in seconds.items()
        if times
    ]
    return tuple(sorted(found, key=lambda each: (each.median_seconds, each.worker)))
