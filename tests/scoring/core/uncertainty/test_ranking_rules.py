"""Mean rank, Borda, Copeland and Kendall's tau: by hand, and against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, rankdata

from scoring.core.uncertainty.ranking_rules import borda, copeland, kendall_tau_b, mean_rank

SCORES = arrays(
    np.float64, st.tuples(st.integers(2, 6), st.integers(1, 5)), elements=st.sampled_from([0.1, 0.5, 0.9])
)
RULES = pytest.mark.parametrize("rule", [mean_rank, borda, copeland])


@given(SCORES)
def test_the_mean_rank_is_that_of_scipys_ranks(scores):
    expected = rankdata(-scores, axis=0).mean(axis=1)

    assert mean_rank(scores).points == pytest.approx(expected)


@given(SCORES)
def test_where_all_tasks_are_scored_borda_orders_as_the_mean_rank_does(scores):
    assert borda(scores).ranks.tolist() == mean_rank(scores).ranks.tolist()


@given(arrays(np.int64, st.tuples(st.just(2), st.integers(2, 8)), elements=st.integers(1, 4)))
def test_tau_is_scipys_and_none_where_scipy_has_none(ranks):
    expected = kendalltau(ranks[0], ranks[1]).statistic

    found = kendall_tau_b(ranks[0], ranks[1])

    assert found == (None if np.isnan(expected) else pytest.approx(expected))


def test_rules_differ_where_one_task_is_won_by_far():
    """The first wins two tasks narrowly and is last in the third; the second is in the middle of all."""
    scores = np.array([[0.9, 0.9, 0.0], [0.8, 0.8, 0.8], [0.7, 0.7, 0.7]])

    assert mean_rank(scores).ranks.tolist() == [1, 1, 3]
    assert copeland(scores).ranks.tolist() == [1, 2, 3]
    assert copeland(scores).points.tolist() == [2, 0, -2]


@RULES
def test_who_has_no_score_for_a_task_is_behind_who_has_one(rule):
    scores = np.array([[0.9, np.nan], [0.9, 0.1]])

    assert rule(scores).ranks.tolist() == [2, 1]


@RULES
def test_equal_systems_share_a_rank_and_use_up_the_next(rule):
    scores = np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.0]])

    assert rule(scores).ranks.tolist() == [1, 1, 3]
