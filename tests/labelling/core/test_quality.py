from fractions import Fraction

import pytest

from labelling.core.quality import CheckRule, Qualification, QualificationResult, qualify


@pytest.mark.parametrize(
    ("threshold", "right", "seen", "excluded"),
    [(0.7, 7, 10, False), (0.7, 6, 10, True), (0.7, 0, 4, True), (0.7, 0, 3, False), (0.55, 55, 100, False)],
)
def test_too_few_right_check_questions_exclude_once_enough_were_seen(threshold, right, seen, excluded):
    assert CheckRule(threshold, least=4).excludes(right, seen) == excluded


def test_qualification_needs_ten_answers_and_the_median_of_those_who_have_them():
    results = [
        QualificationResult(worker, answered, right)
        for worker, (answered, right) in enumerate([(20, 18), (20, 12), (10, 8), (9, 9), (20, 4)])
    ]

    assert qualify(results) == Qualification(Fraction(7, 10), (0, 2))
    assert qualify(results[:4] + results[4:] * 2).advancing == (0, 1, 2)  # worker 1 has the median of five
    assert qualify(results[3:4]) == Qualification(None, ())


def test_nobody_is_judged_before_as_many_have_answered_as_it_takes():
    results = [QualificationResult(worker, 20, 10 + worker) for worker in range(3)]

    assert qualify(results, fewest_workers=4) == Qualification(None, ())
    assert qualify(results, fewest_workers=3).advancing == (1, 2)
