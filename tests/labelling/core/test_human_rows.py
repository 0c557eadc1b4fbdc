from random import Random

import pytest

from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.human_rows import expected_score
from tests.labelling.core.crowds import answered

WORK = answered({"i": "aab", "j": "ab", "k": "abc", "l": ""}, "abc")


def share_of_a(labels) -> float:
    return sum(label == "a" for label in labels.values()) / 3


def test_the_expected_score_is_the_mean_over_all_draws_of_ties():
    found = expected_score(WORK, share_of_a, Random(1))

    assert (found.draws, found.is_exact) == (6, True)
    assert found.mean == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert found.lowest == pytest.approx(1 / 3)
    assert found.highest == 1.0


def test_where_there_are_too_many_draws_some_are_drawn():
    many = answered({f"i{n}": "ab" for n in range(40)}, "ab")

    found = expected_score(
        many, lambda labels: sum(label == "a" for label in labels.values()) / 40, Random(1)
    )

    assert (found.draws, found.is_exact) == (1_000, False)
    assert found.mean == pytest.approx(0.5, abs=0.02)
    assert found == expected_score(
        many, lambda labels: sum(v == "a" for v in labels.values()) / 40, Random(1)
    )


def test_the_score_of_any_draw_of_plurality_is_in_the_range():
    found = expected_score(WORK, share_of_a, Random(1))

    for seed in range(20):
        drawn = AGGREGATION_RULES["plurality"].settle(WORK, {}, Random(seed))
        assert found.lowest <= share_of_a(drawn) <= found.highest
