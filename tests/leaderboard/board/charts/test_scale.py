from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.board.charts.scale import Scale, ticks
from leaderboard.board.charts.text_layout import LINE_HEIGHT, apart, shelved

VALUES = st.floats(-1e4, 1e4, allow_nan=False).map(lambda value: round(value, 6))


@pytest.mark.parametrize(
    ("low", "high", "numbers", "decimals"),
    [
        (0.33, 0.61, (0.3, 0.4, 0.5, 0.6, 0.7), 1),
        (0.802, 0.818, (0.8, 0.805, 0.81, 0.815, 0.82), 3),
        (-0.05, 0.12, (-0.05, 0.0, 0.05, 0.1, 0.15), 2),
        (0.0, 100.0, (0.0, 20.0, 40.0, 60.0, 80.0, 100.0), 1),
    ],
)
def test_ticks_are_round_numbers_around_the_values(
    low: float, high: float, numbers: tuple[float, ...], decimals: int
) -> None:
    found, needed = ticks(low, high)
    assert found == pytest.approx(numbers)
    assert needed == decimals


@given(st.tuples(VALUES, VALUES).map(sorted))
def test_ticks_reach_around_any_values_and_are_few(ends: list[float]) -> None:
    low, high = ends
    numbers, decimals = ticks(low, high)
    assert 3 <= len(numbers) <= 7
    assert numbers[0] <= low + 1e-6
    assert numbers[-1] >= high - 1e-6
    assert len({f"{number:.{decimals}f}" for number in numbers}) == len(numbers)


def through(*values: float) -> Scale:
    return Scale.through(values, 52, 262, room=22)


def test_a_single_share_stands_in_the_middle_of_the_plot() -> None:
    lone, both = through(10.0), through(10.0, 100.0)
    assert lone.at(10.0) == (both.at(10.0) + both.at(100.0)) / 2


@given(st.lists(st.floats(30, 280), max_size=14).map(sorted))
def test_names_stand_a_line_apart_within_their_bounds(wanted: list[float]) -> None:
    heights = apart(wanted, 30, 280)
    assert len(heights) == len(wanted)
    assert all(above + LINE_HEIGHT <= below + 1e-6 for above, below in pairwise(heights))
    assert all(30 - 1e-6 <= height <= 280 + 1e-6 for height in heights)


def test_names_that_have_room_stay_where_they_are() -> None:
    assert apart([50.0, 100.0, 150.0], 0, 300) == [50.0, 100.0, 150.0]


def test_names_that_would_overlap_move_apart_by_the_same_distance() -> None:
    assert apart([100.0, 100.0], 0, 300) == [100 - LINE_HEIGHT / 2, 100 + LINE_HEIGHT / 2]


def test_numbers_of_a_year_of_releases_do_not_overlap_and_the_newest_is_among_them() -> None:
    scale = through(*map(float, range(1, 53)))
    assert scale.numbers[0] == 52
    assert all(scale.at(right) - scale.at(left) >= 20 for right, left in pairwise(scale.numbers))


def test_a_few_releases_are_all_numbered() -> None:
    assert sorted(through(1.0, 2.0, 3.0).numbers) == [1, 2, 3]


LABELS = st.lists(st.tuples(st.floats(12, 388), st.floats(20, 120)), max_size=5)


@given(LABELS.map(sorted))
def test_labels_of_places_stand_neither_on_each_other_nor_beyond_the_edge(
    wanted: list[tuple[float, float]],
) -> None:
    spans = [
        (line, x - wide if left else x, x if left else x + wide)
        for (x, wide), (left, line) in zip(wanted, shelved(wanted, 0, 400), strict=True)
    ]
    for index, (line, begin, end) in enumerate(spans):
        assert end <= 400
        for other, left, right in spans[:index]:
            assert line != other or end <= left or right <= begin


def test_a_label_with_room_begins_at_its_place_and_one_without_ends_there() -> None:
    assert shelved([(20, 80), (380, 80)], 0, 400) == [(False, 0), (True, 0)]


def test_the_hair_of_a_label_passes_beside_the_labels_below_it() -> None:
    assert shelved([(100, 80), (120, 80), (140, 80)], 0, 400) == [(False, 2), (False, 1), (False, 0)]


def test_a_scale_of_whole_numbers_has_no_decimals():
    """.0 beside 20.00 reads as another kind of number."""
    percent = Scale.around([3.2, 96.0], 0, 100)
    assert list(map(percent.printed, percent.numbers)) == ["0", "20", "40", "60", "80", "100"]
    share = Scale.around([0.1, 0.9], 0, 100)
    assert share.printed(share.numbers[0]) == ".0"
