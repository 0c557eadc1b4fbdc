from fractions import Fraction

import pytest

from labelling.core.answers import GivenAnswer, Work
from labelling.core.quality import (
    CheckRule,
    Qualification,
    QualificationResult,
    keep_best_rated,
    qualify,
    review_validators,
    without_workers,
    working_times,
)
from tests.labelling.core.crowds import answered


@pytest.mark.parametrize(
    ("threshold", "right", "seen", "excluded"),
    [(0.7, 7, 10, False), (0.7, 6, 10, True), (0.7, 0, 4, True), (0.7, 0, 3, False), (0.55, 55, 100, False)],
)
def test_too_few_right_check_questions_exclude_once_enough_were_seen(threshold, right, seen, excluded):
    assert CheckRule(threshold, least=4).excludes(right, seen) == excluded


def batch(wrong: int, items: int = 10) -> Work:
    """Four workers who agree throughout, and worker 4 who disagrees on the first items."""
    return answered({f"i{n:02}": ["a"] * 4 + ["b" if n < wrong else "a"] for n in range(items)}, "ab")


def test_only_disagreement_in_more_than_eighty_percent_drops_a_worker():
    assert review_validators(batch(8)).dropped == ()
    assert [each.worker for each in review_validators(batch(9)).dropped] == [4]


def test_what_a_dropped_worker_answered_is_to_be_collected_again():
    work = batch(9)
    more = [GivenAnswer("other", worker, "a") for worker in range(3)]

    review = review_validators(
        Work(work.options, {**work.items_of, "other": ("other",)}, [*work.answers, *more])
    )

    assert review.again == tuple(f"i{n:02}" for n in range(10))
    assert [each.worker for each in review.never_disagreeing] == [0, 1, 2, 3]


def test_few_answers_drop_nobody():
    assert review_validators(batch(4, items=4), least=5).dropped == ()
    assert [each.worker for each in review_validators(batch(4, items=4), least=4).dropped] == [4]


def test_without_a_majority_of_others_nobody_is_dropped():
    review = review_validators(answered({f"i{n}": ["a", "b"] for n in range(20)}, "ab"), least=1)

    assert (review.dropped, review.never_disagreeing) == ((), ())


def test_an_item_with_more_answers_keeps_those_of_the_best_rated():
    often = batch(8)
    again = [GivenAnswer("i00", 5, "a")]
    work = Work(often.options, often.items_of, [*often.answers, *again])

    kept = keep_best_rated(work, keep=5)

    assert sorted(each.worker for each in kept.answers if each.unit == "i00") == [0, 1, 2, 3, 5]
    assert sorted(each.worker for each in kept.answers if each.unit == "i01") == [0, 1, 2, 3, 4]
    assert without_workers(work, [4, 5]).answers == [each for each in often.answers if each.worker != 4]


def test_qualification_needs_ten_answers_and_the_median_of_those_who_have_them():
    results = [
        QualificationResult(worker, answered, right)
        for worker, (answered, right) in enumerate([(20, 18), (20, 12), (10, 8), (9, 9), (20, 4)])
    ]

    assert qualify(results) == Qualification(Fraction(7, 10), (0, 2))
    assert qualify(results[:4] + results[4:] * 2).advancing == (0, 1, 2)  # worker 1 has the median of five
    assert qualify(results[3:4]) == Qualification(None, ())


def test_fast_workers_are_flagged_by_their_median():
    found = working_times({1: [1.0, 1.2, 60.0], 2: [8.0, 9.0], 3: []}, least_seconds=2.0)

    assert [(each.worker, each.answers, each.median_seconds, each.is_fast) for each in found] == [
        (1, 3, 1.2, True),
        (2, 2, 8.5, False),
    ]
