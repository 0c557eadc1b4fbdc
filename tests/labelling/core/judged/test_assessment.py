"""Means of systems that people gave numbers to, and of their z-scores."""

from statistics import fmean, stdev

import numpy as np
import pytest

from labelling.core.judged.assessment import FEWEST_WORKERS, JudgedNumber, assess, z_scores
from labelling.core.judged.figures import JudgedFigure

ENDS = (0.0, 100.0)


def numbers(*rows: tuple[str, tuple[int, ...], int, float]) -> list[JudgedNumber]:
    return [JudgedNumber(*row) for row in rows]


def told(figure: JudgedFigure) -> tuple[float, float, float]:
    """A figure between the ends of its interval."""
    assert figure.low is not None
    assert figure.value is not None
    assert figure.high is not None
    return figure.low, figure.value, figure.high


def crowd(workers: int, items: int = 40, strictness: float = 0.0) -> list[JudgedNumber]:
    """Two systems, the first better by ten; each output is judged by two workers."""
    random = np.random.default_rng(3)
    return [
        JudgedNumber(
            f"i{item}",
            (system,),
            worker,
            float(np.clip(60 - 10 * system + strictness * worker + random.normal(0, 5), 0, 100)),
        )
        for item in range(items)
        for system in (1, 2)
        for worker in random.choice(workers, 2, replace=False).tolist()
    ]


def test_answers_about_one_output_are_averaged_before_outputs():
    given = numbers(("a", (1,), 1, 100), ("a", (1,), 2, 80), ("b", (1,), 1, 30), ("b", (2,), 1, 50))
    found = assess(given, [1, 2], seed=b"s", ends=ENDS, replicates=50).systems
    assert (found[1].mean.value, found[2].mean.value) == (60.0, 50.0)
    assert (found[1].outputs, found[1].answers, found[2].answers) == (2, 3, 1)


def test_an_output_of_two_systems_counts_for_both():
    given = numbers(("a", (1, 2), 1, 80), ("b", (1,), 1, 40), ("b", (2,), 1, 60))
    found = assess(given, [1, 2], seed=b"s", ends=ENDS, replicates=50).systems
    assert (found[1].mean.value, found[2].mean.value) == (60.0, 70.0)


def test_a_system_that_nobody_judged_has_no_mean():
    found = assess(numbers(("a", (1,), 1, 80)), [1, 2], seed=b"s", ends=ENDS, replicates=50).systems
    assert (found[2].outputs, found[2].mean.value, found[2].mean.low) == (0, None, None)


def test_z_scores_are_those_of_each_worker_and_none_of_whoever_says_always_the_same():
    given = numbers(
        ("a", (1,), 1, 10), ("b", (1,), 1, 30), ("c", (1,), 1, 80), ("a", (2,), 2, 50), ("b", (2,), 2, 50)
    )
    values = [each.value for each in z_scores(given)]
    assert values == pytest.approx(
        [(value - fmean([10, 30, 80])) / stdev([10, 30, 80]) for value in (10, 30, 80)]
    )


def test_a_strict_worker_moves_the_mean_and_not_the_z_score():
    """The first system is judged by a mild worker and the second by a strict one, but for two outputs of each."""
    mild = [(f"i{n}", (1,), 1, 80.0 + n % 5) for n in range(20)] + [
        (f"j{n}", (2,), 1, 80.0 + n % 5) for n in range(2)
    ]
    strict = [(f"i{n}", (2,), 2, 30.0 + n % 5) for n in range(20)] + [
        (f"j{n}", (1,), 2, 30.0 + n % 5) for n in range(2)
    ]
    found = assess(numbers(*mild, *strict), [1, 2], seed=b"s", ends=ENDS, replicates=50).systems
    assert told(found[1].mean)[1] - told(found[2].mean)[1] > 30
    assert abs(told(found[1].z)[1] - told(found[2].z)[1]) < 0.3


def test_intervals_hold_the_mean_and_repeat_and_another_seed_draws_others():
    one, again, other = (
        assess(crowd(4), [1, 2], seed=seed, ends=ENDS, replicates=200).systems for seed in (b"s", b"s", b"t")
    )
    assert one == again
    assert one != other
    (low, mean, high), (low_of_better, better, _) = told(one[2].mean), told(one[1].mean)
    assert 35 < low < mean < high < low_of_better < better


def test_workers_are_drawn_again_where_there_are_enough_and_what_they_differ_in_widens_the_interval():
    few = assess(crowd(FEWEST_WORKERS - 1), [1, 2], seed=b"s", ends=ENDS, replicates=200)
    many = assess(crowd(FEWEST_WORKERS, strictness=3), [1, 2], seed=b"s", ends=ENDS, replicates=200)
    assert (few.are_workers_drawn, many.are_workers_drawn) == (False, True)
    low, _, high = told(many.systems[1].mean)
    # Of forty items with two answers each, 9 apart from worker to worker, the items alone would reach 2 to either side.
    assert high - low > 8
