"""Edit distances are those of the plain table, and error rates those of the reference with the lowest one."""

import numpy as np
import pytest

from catalogue.metrics.texts.distances import (
    character_error_rate,
    edit_distance,
    mean_edit_distance,
    mean_likeness,
    word_error_rate,
)
from tests.catalogue.metrics.open_ended_oracles import distance


def test_edit_distances_are_those_of_the_table():
    random = np.random.default_rng(5)
    for _ in range(400):
        letters = "abcdefgh"[: int(random.integers(1, 9))]
        one, other = ("".join(random.choice([*letters], size=random.integers(90))) for _ in range(2))
        assert edit_distance(one, other) == distance(one, other)


@pytest.mark.parametrize(
    ("answer", "reference", "wanted"),
    [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("a" * 64, "b" * 65, 65), ("für", "fur", 1)],
)
def test_ends_of_edit_distances(answer, reference, wanted):
    assert edit_distance(answer, reference) == wanted


def test_the_longest_texts_are_cheap():
    """The table of two such texts has 25 million cells."""
    random = np.random.default_rng(7)
    one, other = ("".join(random.choice([*"abcdef "], size=5_000)) for _ in range(2))
    assert edit_distance(one, other) == edit_distance(other, one) <= 5_000


def test_of_several_references_the_one_with_the_lowest_rate_counts_with_its_length():
    # One edit of two words against one of four.
    assert word_error_rate(['["a b", "a b c d"]'], ["a b c x"]) == pytest.approx(1 / 4)
    assert mean_edit_distance(['["kitten", "sit"]'], ["sitting"]) == 3


@pytest.mark.parametrize("rate", [word_error_rate, character_error_rate])
@pytest.mark.parametrize(("answer", "wanted"), [("", 0), ("x y", 1)])
def test_rates_without_anything_in_the_references(rate, answer, wanted):
    assert rate(['[""]'], [answer]) == wanted


def test_rates_are_of_all_items_together():
    assert word_error_rate(['["a"]', '["a b c"]'], ["x", "a b c"]) == pytest.approx(1 / 4)


def test_anls_forgives_case_and_some_letters_and_counts_less_than_half_alike_as_nothing():
    assert (
        mean_likeness(['["Invoice  No"]', '["abcd"]', '["abcd"]'], ["invoice no", "abxx", "axxx"]) == 1.5 / 3
    )
    assert mean_likeness(['[""]', '["paid"]'], ["", ""]) == 0.5
