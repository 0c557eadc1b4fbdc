"""Each worker beside the others, and each item by how far its answers lie apart."""

import pytest

from labelling.core.agreement import agreement_with_others, disagreement_by_item
from labelling.core.answers import GivenAnswer, Work
from tests.labelling.core.crowds import answered


def counts(work: Work, **options: int) -> dict[int, tuple[int, int, int]]:
    return {
        each.worker: (each.responses, each.compared, each.agreed)
        for each in agreement_with_others(work, **options)
    }


def test_a_worker_is_compared_with_more_than_half_of_the_others():
    work = answered({"i": "aaab", "j": "aabb"}, "ab")

    # On j the others of whoever said a are a, b, b; more than half of them say b, and the same the other way round.
    assert counts(work) == {0: (2, 2, 1), 1: (2, 2, 1), 2: (2, 2, 1), 3: (2, 2, 0)}


def test_where_the_others_are_split_nothing_is_compared():
    assert counts(answered({"i": "aab"}, "ab")) == {0: (1, 0, 0), 1: (1, 0, 0), 2: (1, 1, 0)}


def test_fewest_others_leaves_out_items_with_few_answers():
    work = answered({"i": "ab", "j": "aaaa"}, "ab")

    assert counts(work, fewest_others=3)[0] == (2, 1, 1)


def test_a_worker_who_answered_twice_is_not_among_the_others():
    work = Work(
        ("a", "b"),
        {"i": ("i",)},
        [GivenAnswer("i", 1, "a"), GivenAnswer("i", 1, "a"), GivenAnswer("i", 2, "b")],
    )

    assert counts(work) == {1: (2, 2, 0), 2: (1, 1, 0)}


def test_of_several_labels_each_is_compared():
    work = answered({"i": [("joy",), ("joy",), ("joy", "love")]}, options=("joy", "love"))

    assert counts(work)[2] == (1, 2, 1)


def test_items_that_workers_agree_about_least_come_first():
    found = disagreement_by_item(
        answered({"all": "aaaa", "one": "aaab", "half": "aabb", "four": "abcd"}, "abcd")
    )

    assert [(each.item, each.minority) for each in found] == [
        ("four", 0.75),
        ("half", 0.5),
        ("one", 0.25),
        ("all", 0.0),
    ]
    assert [each.entropy for each in found] == pytest.approx([2.0, 1.0, 0.811278, 0.0], abs=1e-6)


def test_numbers_differ_by_their_deviation():
    found = disagreement_by_item(answered({"i": [0.0, 1.0], "j": [0.4, 0.6]}))

    assert [(each.item, each.deviation) for each in found] == [("i", 0.5), ("j", pytest.approx(0.1))]


def test_a_worker_who_says_the_same_of_an_item_twice_is_counted_twice():
    """As in Dawid and Skene (1979), where one doctor saw each patient three times."""
    given = [GivenAnswer("i", 1, "a"), GivenAnswer("i", 1, "a"), GivenAnswer("i", 2, "a")]
    counts = agreement_with_others(Work(("a", "b"), {"i": ("i",)}, given))
    assert {each.worker: each.responses for each in counts} == {1: 2, 2: 1}
