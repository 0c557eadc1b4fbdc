from collections import Counter
from random import Random

import pytest

from scoring.core.measures.votes import labels_by_ag2, majority, plurality


@pytest.mark.parametrize(
    ("answers", "label"),
    [("aaabb", "a"), ("aabbc", None), ("aaaaa", "a"), ("abcde", None), ("", None)],
)
def test_majority_is_the_label_of_at_least_three_of_five(answers, label):
    assert majority(list(answers), needed=3) == label


def test_majority_refuses_a_number_that_two_labels_could_reach():
    with pytest.raises(ValueError, match="more than half of 5 answers"):
        majority(list("aabbc"), needed=2)


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


@pytest.mark.parametrize(
    ("votes", "neutral", "annotators", "labels"),
    [
        ({"joy": 2, "fear": 1}, 0, 7, {"joy"}),  # the paper: two of seven are more than 25 %, one is not
        ({"joy": 2}, 0, 8, None),  # exactly 25 % is not enough
        ({"joy": 2}, 4, 7, set()),  # no label has 40 % and more than half say neutral
        ({"joy": 3}, 4, 7, {"joy"}),  # three of seven are at least 40 %, so it is not neutral
        ({"joy": 2}, 3, 5, {"joy"}),  # two of five are exactly 40 %
        ({"joy": 1}, 4, 8, None),  # exactly half is not more than half
        ({"joy": 1, "fear": 1}, 0, 7, None),
    ],
)
def test_ag2_chooses_labels_or_neutral_or_sets_the_item_aside(votes, neutral, annotators, labels):
    assert labels_by_ag2(votes, neutral, annotators) == labels


def test_ag2_refuses_more_votes_than_annotators():
    with pytest.raises(ValueError, match="number of annotators, 7"):
        labels_by_ag2({"joy": 8}, 0, 7)
