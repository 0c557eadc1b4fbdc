"""Smallest differences against published figures and simulation; expected best scores against all choices."""

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.uncertainty.best_of import expected_best_of, gain_by_luck
from scoring.core.uncertainty.power import deviation_of_accuracy, smallest_difference


@pytest.mark.parametrize(
    ("items", "points"), [(150, 7.2), (449, 4.2), (1639, 2.2), (2966, 1.6), (5000, 1.25)]
)
def test_the_smallest_difference_at_ten_percent_discordance_is_as_worked_out_by_hand(items, points):
    found = smallest_difference(deviation_of_accuracy(items, discordance=0.1))

    assert 100 * found == pytest.approx(points, abs=0.05)


def test_a_difference_of_that_size_is_found_in_eight_of_ten_simulated_test_sets():
    rng, items, discordance = np.random.default_rng(5), 1000, 0.1
    difference = smallest_difference(deviation_of_accuracy(items, discordance=discordance))
    shares = [(discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance]
    only_first, only_second, _ = rng.multinomial(items, shares, size=4000).T

    found = np.abs(only_first - only_second) / np.sqrt(only_first + only_second) > 1.96

    assert found.mean() == pytest.approx(0.8, abs=0.03)


def test_a_split_where_nothing_varies_shows_any_difference():
    assert smallest_difference(0.0) == 0.0


@pytest.mark.parametrize(
    "ask",
    [
        lambda: smallest_difference(-0.1),
        lambda: smallest_difference(0.1, power=1.0),
        lambda: deviation_of_accuracy(0, discordance=0.1),
        lambda: deviation_of_accuracy(10, discordance=1.1),
        lambda: expected_best_of([0.5], 2),
        lambda: expected_best_of([], 1),
        lambda: gain_by_luck(-0.1, 2),
        lambda: gain_by_luck(0.1, 0),
    ],
    ids=[
        "deviation",
        "power",
        "items",
        "discordance",
        "more tries than values",
        "no values",
        "gain",
        "no tries",
    ],
)
def test_what_has_no_answer_is_refused_by_the_name_of_the_argument(ask):
    with pytest.raises(ValueError, match=r"`(deviation|power|item_count|discordance|tries)` must be"):
        ask()


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=7).flatmap(
        lambda values: st.tuples(st.just(values), st.integers(1, len(values)))
    )
)
def test_the_expected_best_is_the_mean_of_the_best_over_all_choices(case):
    values, tries = case

    expected = fmean(max(chosen) for chosen in combinations(values, tries))

    assert expected_best_of(values, tries) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tries", "expected"), [(1, 0.0), (2, 0.5642), (5, 1.1630), (10, 1.5388), (50, 2.2491)]
)
def test_the_gain_by_luck_is_the_expected_largest_of_so_many_normal_numbers(tries, expected):
    assert gain_by_luck(np.sqrt(2), tries) == pytest.approx(expected, abs=0.005)
