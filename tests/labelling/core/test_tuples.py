from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelling.core.tuples import balanced_tuples, most_meetings

Tuples = list[tuple[int, ...]]


def appearances(tuples: Tuples) -> Counter[int]:
    assert all(len(set(shown)) == len(shown) for shown in tuples), "an item stands twice in a tuple"
    return Counter(item for shown in tuples for item in shown)


def meetings(tuples: Tuples) -> Counter[tuple[int, ...]]:
    return Counter(pair for shown in tuples for pair in combinations(sorted(shown), 2))


@pytest.mark.parametrize("count", [*range(4, 61), 100, 1_390, 1_391])
def test_two_n_tuples_show_every_item_in_eight_and_no_two_together_too_often(count):
    tuples = balanced_tuples(range(count), Random(count))

    assert len(tuples) == 2 * count
    assert set(appearances(tuples).values()) == {8}
    assert max(meetings(tuples).values()) == most_meetings(count)


def test_ten_thousand_items_never_meet_twice():
    tuples = balanced_tuples(range(10_000), Random(1))

    assert set(appearances(tuples).values()) == {8}
    assert max(meetings(tuples).values()) == 1


def test_no_two_items_need_meet_twice_from_25_on():
    assert [most_meetings(count) for count in (4, 5, 7, 13, 24, 25, 10_000)] == [8, 6, 4, 2, 2, 1, 1]


@settings(max_examples=20)
@given(
    st.integers(2, 5).flatmap(lambda size: st.tuples(st.just(size), st.integers(size, 40))),
    st.integers(1, 9),
    st.integers(0, 99),
)
def test_other_sizes_are_even_too_and_at_most_one_meeting_above_the_bound(sizes, per_item, seed):
    size, count = sizes

    tuples = balanced_tuples(range(count), Random(seed), size, per_item)

    shown = appearances(tuples)
    assert len(tuples) == -(-count * per_item // size)
    assert set(shown) == set(range(count))
    assert min(shown.values()) == per_item
    assert max(shown.values()) <= per_item + (count * per_item % size > 0)
    assert max(meetings(tuples).values(), default=0) <= most_meetings(count, size, per_item) + 1


def test_the_same_seed_gives_the_same_tuples_and_another_seed_others():
    drawn = [balanced_tuples(range(50), Random(seed)) for seed in (1, 1, 2)]

    assert drawn[0] == drawn[1]
    assert {frozenset(shown) for shown in drawn[0]} != {frozenset(shown) for shown in drawn[2]}


def test_where_an_item_stands_in_its_tuple_is_drawn():
    places = Counter(
        shown.index(0)
        for seed in range(50)
        for shown in balanced_tuples(range(8), Random(seed))
        if 0 in shown
    )

    assert min(places.values()) > 70  # of 400 showings


@pytest.mark.parametrize(
    ("items", "size", "per_item", "said"),
    [
        ("abc", 4, 8, "from 2 to 3 items"),
        ("abc", 1, 8, "from 2 to 3 items"),
        ("abcd", 4, 0, "at least 1 tuple"),
        ("abca", 3, 8, "given twice"),
    ],
)
def test_what_cannot_be_drawn_is_refused(items, size, per_item, said):
    with pytest.raises(ValueError, match=said):
        balanced_tuples(items, Random(1), size, per_item)
