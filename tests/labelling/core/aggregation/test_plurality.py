from collections import Counter
from random import Random

import pytest

from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.plurality import plurality, tied_items
from tests.labelling.core.crowds import answered


def test_plurality_is_the_most_frequent_label_whatever_the_seed():
    assert {plurality(list("abcaba"), Random(seed)) for seed in range(20)} == {"a"}


def test_plurality_draws_among_ties_and_only_among_them():
    drawn = Counter(plurality(list("aabbc"), Random(seed)) for seed in range(200))

    assert set(drawn) == {"a", "b"}
    assert min(drawn.values()) > 60


def test_plurality_of_the_same_seed_does_not_depend_on_the_order_of_answers():
    assert [plurality(list("aabbc"), Random(seed)) for seed in range(20)] == [
        plurality(list("cbbaa"), Random(seed)) for seed in range(20)
    ]


def test_plurality_of_no_answers_is_refused():
    with pytest.raises(ValueError, match="at least one answer"):
        plurality([], Random(1))


def test_ties_are_told_with_their_labels_and_counted():
    work = answered({"i": ["a", "b", "b", "a", "c"], "j": ["a", "a", "b"], "k": []}, options="abc")

    assert tied_items(work) == {"i": ["a", "b"]}
    assert [figure.value for figure in AGGREGATION_RULES["plurality"].figures(work, {}, Random(1))] == [1]
