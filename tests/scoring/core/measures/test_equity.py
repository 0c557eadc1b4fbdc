from math import inf

import numpy as np
import pytest
from scipy.stats import ttest_rel

from scoring.core.measures.equity import BiasGroup, GroupPair, group_pairs, pair_scores, paired_test


def test_paired_test_equals_the_table_computed_by_hand():
    # Differences 1, 2, 3: mean 2, deviation 1, so t = 2 / (1 / sqrt 3).
    found = paired_test(np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0]))

    assert found.t == pytest.approx(2 * 3**0.5)
    assert found.p == pytest.approx(0.0741799, abs=1e-7)
    assert (found.pair_count, found.mean_difference, found.first_higher_count) == (3, 2.0, 3)


def test_paired_test_equals_scipy_on_random_scores():
    rng = np.random.default_rng(20260729)
    first, second = rng.random((2, 200))

    found, theirs = paired_test(first, second), ttest_rel(first, second)

    assert (found.t, found.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-12)


def test_scores_without_any_difference_have_no_t_and_fall_in_the_equal_group():
    found = paired_test(np.full(4, 0.1), np.full(4, 0.1))

    assert (found.t, found.p) == (None, None)
    assert found.group(assessments=1) is BiasGroup.EQUAL


def test_the_same_difference_everywhere_is_infinitely_significant_and_keeps_its_sign():
    found = paired_test(np.array([0.25, 0.5]), np.array([0.5, 0.75]))

    assert (found.t, found.p) == (-inf, 0.0)
    assert found.group(assessments=438) is BiasGroup.SECOND_HIGHER


def test_rounding_errors_are_no_difference():
    found = paired_test(np.array([0.1 + 0.2, 0.3]), np.array([0.3, 0.1 + 0.2]))

    assert (found.equal_count, found.t) == (2, None)


def test_group_needs_less_than_the_significance_shared_by_all_assessments():
    found = paired_test(np.array([2.0, 4.0, 6.0, 8.0]), np.array([1.0, 2.0, 3.0, 4.0]))  # p is about 0.03

    assert found.group(assessments=1) is BiasGroup.FIRST_HIGHER
    assert found.group(assessments=2) is BiasGroup.EQUAL


def test_pairs_compare_the_mean_of_each_side_within_a_cell():
    cells = ["angry", "angry", "angry", "sad", "sad", "sad"]
    groups = ["F", "M", "M", "M", "F", "neither"]

    pairs = group_pairs(cells, groups, first="F", second="M")
    first, second = pair_scores(np.array([0.5, 0.25, 0.75, 0.125, 0.875, 1.0]), pairs)

    assert pairs == [GroupPair((0,), (1, 2)), GroupPair((4,), (3,))]
    assert (first.tolist(), second.tolist()) == ([0.5, 0.875], [0.5, 0.125])


def test_a_cell_without_one_of_the_groups_is_refused_by_name():
    with pytest.raises(ValueError, match="Cell 'sad' has no item of M"):
        group_pairs(["angry", "angry", "sad"], ["F", "M", "F"], first="F", second="M")


def test_one_pair_is_too_few():
    with pytest.raises(ValueError, match="at least two pairs"):
        paired_test(np.array([0.5]), np.array([0.25]))
