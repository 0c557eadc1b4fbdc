"""Rank intervals: right on small boards worked out by hand, and right all at once on simulated ones."""

import numpy as np
import pytest

from scoring.core.uncertainty.rank_sets import groups, rank_sets


def noisy(points: list[float], sd: float, *, seed: int = 3, count: int = 1000) -> np.ndarray:
    return np.array(points) + np.random.default_rng(seed).normal(0, sd, (count, len(points)))


def test_systems_far_apart_have_one_rank_each_and_near_ones_share_a_range():
    points = [0.90, 0.70, 0.699, 0.50]

    sets = rank_sets(np.array(points), noisy(points, 0.01))

    assert (sets.low, sets.high) == ((1, 2, 2, 4), (1, 3, 3, 4))


def test_where_less_is_better_the_lowest_score_has_rank_one():
    points = [0.9, 0.5]

    assert rank_sets(np.array(points), noisy(points, 0.01), higher_is_better=False).low == (2, 1)


def test_noise_that_all_systems_have_in_common_hides_no_difference():
    points = np.array([0.80, 0.79])
    shared = np.random.default_rng(1).normal(0, 0.05, (1000, 1))

    sets = rank_sets(points, noisy([0.80, 0.79], 0.001) + shared)

    assert sets.surely_ahead[0, 1]


def test_equal_predictions_cannot_be_told_apart_and_divide_the_lead():
    one = noisy([0.8], 0.01)

    sets = rank_sets(np.array([0.8, 0.8]), np.hstack([one, one]))

    assert (sets.low, sets.high, sets.leads) == ((1, 1), (2, 2), (0.5, 0.5))


def test_the_shares_of_leads_are_those_of_the_replicates():
    replicates = np.array([[0.3, 0.2]] * 75 + [[0.1, 0.2]] * 25)

    assert rank_sets(np.array([0.25, 0.2]), replicates).leads == (0.75, 0.25)


def test_a_system_without_replicates_may_stand_before_or_behind_all_others():
    points = [0.9, 0.5, 0.1]
    replicates = noisy(points, 0.01)
    replicates[:, 1] = np.nan

    sets = rank_sets(np.array(points), replicates)

    assert (sets.low, sets.high) == ((1, None, 2), (2, None, 3))
    assert sets.leads[1] is None


def test_a_few_undefined_replicates_are_passed_over():
    points = [0.9, 0.5]
    replicates = noisy(points, 0.01)
    replicates[:20, 0] = np.nan

    sets = rank_sets(np.array(points), replicates)

    assert (sets.replicate_count, sets.low) == (980, (1, 2))


def test_too_few_replicates_say_nothing():
    assert rank_sets(np.array([0.9, 0.1]), noisy([0.9, 0.1], 0.01, count=99)).low == (None, None)


def test_neighbours_of_whom_nobody_is_surely_ahead_form_a_group_and_groups_may_overlap():
    points = [0.80, 0.77, 0.74, 0.50]

    sets = rank_sets(np.array(points), noisy(points, 0.01))

    assert groups(sets) == ((0, 1), (1, 2))


@pytest.mark.parametrize(
    ("points", "columns", "message"),
    [
        pytest.param([0.1, 0.2], 3, "a column for each", id="shape"),
        pytest.param([0.1, np.nan], 2, "finite", id="nan"),
    ],
)
def test_what_cannot_be_judged_is_refused(points, columns, message):
    with pytest.raises(ValueError, match=message):
        rank_sets(np.array(points), np.zeros((200, columns)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "gaps", [[0.0] * 8, [0.0, 0.0, 0.01, 0.02, 0.03, 0.04, 0.08, 0.08]], ids=["equal", "near"]
)
def test_all_intervals_of_a_board_are_right_at_once_in_95_of_100_simulated_boards(gaps):
    rng = np.random.default_rng(20)
    truth, items = 0.7 + np.array(gaps), 600
    ranks = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    last = len(truth) - (truth[None, :] < truth[:, None]).sum(axis=1)
    wrong = 0
    for _ in range(200):
        right = rng.random((items, len(truth))) < truth
        drawn = rng.multinomial(items, np.full(items, 1 / items), size=300)
        sets = rank_sets(right.mean(axis=0), drawn @ right / items)
        wrong += any(
            low > rank or high < end
            for low, high, rank, end in zip(sets.low, sets.high, ranks, last, strict=True)
        )
    # 10 are expected where all are equal; 21 or more come by chance in 1 run of 1,000.
    assert wrong <= 20


def test_stepping_down_decides_what_one_step_just_misses():
    points = np.array([0.5] * 6 + [0.9] * 6)
    replicates = noisy(points.tolist(), 0.02)
    centred = replicates - replicates.mean(axis=0)
    differences = centred[:, :, None] - centred[:, None, :]
    spread = differences.std(axis=0, ddof=1)
    np.fill_diagonal(spread, 1.0)
    critical = np.quantile(np.abs(differences / spread).max(axis=(1, 2)), 0.95, method="higher")
    points[0] += 0.99 * critical * spread[0, 1]

    sets = rank_sets(points, replicates)

    assert sets.surely_ahead[0, 1]
    assert not sets.surely_ahead[1, 2]


def test_groups_of_a_large_board_reach_as_far_as_nobody_is_surely_ahead():
    points = np.linspace(0.5, 0.4, 120)
    sets = rank_sets(points, noisy(points.tolist(), 0.01))

    found = groups(sets)

    assert not any(sets.surely_ahead[first : last + 1, first : last + 1].any() for first, last in found)
    assert all(sets.surely_ahead[first : last + 1, last + 1].any() for first, last in found[:-1])
    assert len(found) > 3
