from random import Random

import pytest

from labelling.core.aggregation import AGGREGATION_RULES
from tests.labelling.core.crowds import answered


def settled(key: str, values: list, settings: dict | None = None, options: str = "abc"):
    work = answered({"i": values}, options)
    return AGGREGATION_RULES[key].settle(work, settings or {}, Random(1))["i"]


@pytest.mark.parametrize(
    ("values", "label"),
    [("aaabb", "a"), ("aabbc", None), ("aab", "a"), ("ab", None), ("aabb", None), ("aaab", "a")],
)
def test_majority_is_more_than_half_of_those_who_answered(values, label):
    assert settled("majority", list(values)) == label


@pytest.mark.parametrize(
    ("values", "needed", "label"),
    [("aaabb", 3, "a"), ("aaabb", 4, None), ("aabbc", 2, None), ("aabcb", 3, None), ("aabc", 2, "a")],
)
def test_at_least_k_is_the_one_label_that_so_many_chose(values, needed, label):
    assert settled("at_least", list(values), {"needed": needed}) == label


def test_at_least_k_of_several_labels_are_all_that_so_many_chose_in_the_order_of_the_question():
    values = [("a", "c"), ("c",), ("b", "a")]

    assert settled("at_least", values, {"needed": 2}, options="cba") == ("c", "a")
    assert settled("at_least", values, {"needed": 3}) is None


@pytest.mark.parametrize("key", ["majority", "plurality", "at_least"])
def test_an_item_with_too_few_answers_has_no_label(key):
    assert settled(key, ["a", "a", "a"], {"fewest": 3}) == "a"
    assert settled(key, ["a", "a", "a"], {"fewest": 4}) is None


def test_median_is_the_class_in_the_middle():
    assert settled("median", [3, 0, 1]) == 1
    assert {settled("median", [0, 1, 3, 3]) for _ in range(3)} <= {1, 3}


def test_median_draws_between_two_classes_in_the_middle():
    work = answered({f"i{number}": [0, 1, 3, 3] for number in range(200)})

    drawn = list(AGGREGATION_RULES["median"].settle(work, {}, Random(1)).values())

    assert set(drawn) == {1, 3}
    assert min(drawn.count(1), drawn.count(3)) > 60


def test_mean_and_share_of_yes():
    assert settled("mean", [0.1, 0.2, 0.6]) == pytest.approx(0.3)
    assert settled("share_of_yes", [True, False, True, True]) == 0.75


def test_a_pair_of_texts_stands_for_its_texts_by_the_id_of_the_unit():
    work = answered({"pair": [True, True]})
    pair = type(work)(work.options, {"pair": ("original", "changed")}, work.answers)

    assert AGGREGATION_RULES["majority"].settle(pair, {}, Random(1)) == {"pair": True}
