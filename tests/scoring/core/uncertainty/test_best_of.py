"""The range of a score that was chosen for being the best holds its worth, which the plain interval does not."""

from statistics import NormalDist

import numpy as np
import pytest

from perf.statistics.selection import best_of_many
from scoring.core.uncertainty.best_of import corrected_range, expected_luck, noise_of_best
from scoring.core.uncertainty.intervals import interval

SETS = 60


@pytest.mark.parametrize(
    ("world", "truth", "tries"),
    [("equal", 0.8, 20), ("equal", 0.95, 104), ("equal, alike", 0.6, 104), ("uneven", 0.8, 20)],
)
def test_it_holds_the_worth_of_the_best_of_many(world, truth, tries):
    of_many = best_of_many(world, truth, 150, tries, SETS)

    assert of_many.corrected >= 0.9  # 93 of 100, less what 60 sets may be off
    assert of_many.corrected > of_many.plain
    assert of_many.width < 2


def test_the_plain_interval_of_the_best_of_many_does_not():
    assert best_of_many("equal", 0.8, 150, 20, SETS).plain < 0.85


def noise_of(*deviations: float) -> np.ndarray:
    errors = np.random.default_rng(5).standard_normal((1000, len(deviations)))
    return (errors - errors.mean(axis=0)) / errors.std(axis=0, ddof=1) * np.array(deviations)


def test_a_clear_leader_has_a_range_hardly_wider_than_its_interval():
    values, errors = np.array([0.9, 0.5, 0.5, 0.5]), noise_of(0.02, 0.02, 0.02, 0.02)
    replicates = values[0] + errors[:, 0]

    ends = corrected_range(0.9, replicates, noise_of_best(values, errors, 0))
    plain = interval(0.9, replicates)

    assert ends is not None
    assert plain is not None
    assert ends[1] == plain.high
    assert ends[0] == pytest.approx(plain.low, abs=0.004)
    assert expected_luck(values, errors) < 0.001


def test_equals_are_as_lucky_as_the_largest_of_so_many_normal_numbers():
    values, errors = np.full(10, 0.7), noise_of(*[0.02] * 10)

    assert expected_luck(values, errors) == pytest.approx(1.5388 * 0.02, rel=0.05)


def test_one_far_ahead_of_many_equals_was_not_lucky_whatever_they_do_among_themselves():
    values = np.array([0.8] + [0.7] * 103)

    assert expected_luck(values, noise_of(*[0.02] * 104)) < 0.003  # of equals it is .05


def test_where_less_is_better_the_range_reaches_up():
    values, errors = np.full(20, -0.3), noise_of(*[0.02] * 20)
    replicates = 0.3 - errors[:, 0]

    ends = corrected_range(0.3, replicates, noise_of_best(values, errors, 0), higher_is_better=False)
    plain = interval(0.3, replicates)

    assert ends is not None
    assert plain is not None
    assert ends[0] == plain.low
    assert ends[1] > plain.high + 0.01


def test_the_same_answers_again_are_no_further_choice():
    errors = np.repeat(noise_of(0.02), 50, axis=1)

    noise = noise_of_best(np.full(50, 0.7), errors, 0)

    assert noise.tolist() == pytest.approx(errors[:, 0].tolist())


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.5])
def test_it_is_the_largest_noise_of_all_that_could_have_been_the_best(gap):
    values = 0.7 - gap * np.arange(30) / 29
    errors = noise_of(*np.linspace(0.01, 0.03, 30))

    noise = noise_of_best(values, errors, 0)

    deviations, beyond = errors.std(axis=0, ddof=1), errors - errors[:, :1]
    reach = NormalDist().inv_cdf(1 - 0.0025 / (30 * 29))
    gaps = values[0] - values + beyond.mean(axis=0) - reach * beyond.std(axis=0, ddof=1)
    expected = [
        max(row[at] / deviations[at] for at in range(30) if own[at] >= gaps[at]) * deviations[0]
        for row, own in zip(errors, beyond, strict=True)
    ]
    assert noise.tolist() == expected


def test_undefined_resamples_are_no_errors():
    values, errors = np.full(3, 0.7), noise_of(0.02, 0.02, 0.02)
    errors[:10, 1] = np.nan

    noise = noise_of_best(values, errors, 0)

    assert not np.isnan(noise).any()
    assert 0 < expected_luck(values, errors) < 0.03
