"""What each rule says of the items that answers are scored on, and when."""

import pytest

from catalogue.disclosure import RULES, Exact, OpenHalf, Protected, SealedUntilEnd
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.disclosure.rule import ALL, DISPLAYED, NOISED, REMAINDER

SIZES = (1, 2, 150, 1_200, 1_999, 2_000, 5_000)


@pytest.mark.parametrize("items", SIZES)
def test_sealed_scores_nothing_before_the_end_and_everything_then(items):
    assert SealedUntilEnd.part(items, at_the_end=False) is None
    assert SealedUntilEnd.part(items, at_the_end=True) == ALL


@pytest.mark.parametrize("items", SIZES)
def test_exact_scores_all_items_at_any_time(items):
    assert {Exact.part(items, at_the_end=at_the_end) for at_the_end in (False, True)} == {ALL}


@pytest.mark.parametrize("items", SIZES[1:])
def test_open_scores_one_half_before_the_end_and_the_other_then(items):
    assert OpenHalf.part(items, at_the_end=False) == DISPLAYED
    assert OpenHalf.part(items, at_the_end=True) == REMAINDER


def test_open_shows_nothing_of_a_single_item():
    assert OpenHalf.part(1, at_the_end=False) is None
    assert OpenHalf.part(1, at_the_end=True) == ALL


@pytest.mark.parametrize("items", [2_000, 5_000])
def test_protected_shows_one_half_through_noise_and_scores_the_other_at_the_end(items):
    assert Protected.part(items, at_the_end=False) == NOISED
    assert Protected.part(items, at_the_end=True) == REMAINDER


@pytest.mark.parametrize("items", [1, 150, 1_200, 1_999])
def test_protected_shows_nothing_of_a_small_test_set_which_ranks_whole_at_the_end(items):
    assert Protected.part(items, at_the_end=False) is None
    assert Protected.part(items, at_the_end=True) == ALL


def test_only_protected_puts_noise_before_the_board():
    assert {rule.key for rule in RULES if rule.display(2_500, 1 / 2_500) is not None} == {"protected"}
    assert Protected.display(2_500, 1 / 2_500) == NoisyDisplay(2_500, 1 / 2_500)


def test_protected_refuses_a_metric_without_a_bound():
    with pytest.raises(ValueError, match="no bound on what one label can change"):
        Protected.display(2_500, None)


def test_only_exact_shows_everything_from_the_first_release_on():
    assert {rule.key for rule in RULES if rule.shows_everything()} == {"exact"}
