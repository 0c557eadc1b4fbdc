"""What is proved of a single label, beside what somebody reaches who knows all others and spends the budget on it."""

from collections.abc import Iterator
from functools import cache, partial
from math import sqrt

import numpy as np
import pytest

from catalogue.disclosure import Protected
from catalogue.disclosure.noisy_display import NoisyDisplay
from perf.attacks.bench import Claim, Strategy, play
from perf.attacks.informed_strategies import Searchlight
from perf.redteam import ServedRule

pytestmark = pytest.mark.redteam

ITEMS = 2_000
DISPLAY = NoisyDisplay(ITEMS // 2, 2 / ITEMS)
GAMES = 300


class Remembered(Strategy):
    """A strategy whose claim can be looked at."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.known, self.name = strategy, strategy.known, strategy.name
        self.claim: Claim

    def play(self, task, random):
        self.claim = yield from self.strategy.play(task, random)
        return self.claim


def _same(rule: ServedRule) -> ServedRule:
    return rule


def named(items: int) -> Iterator[tuple[bool, bool]]:
    """Of each game whether the item that was named is displayed, and whether its label was right."""
    for seed in range(GAMES):
        rule = ServedRule(Protected)
        strategy = Remembered(Searchlight(items, named=1, known=0.99))
        play(partial(_same, rule), strategy, n=ITEMS, answers=DISPLAY.budget, seed=seed)
        (item,) = np.flatnonzero(strategy.claim.attacked)
        yield bool(rule.displayed[item]), bool(strategy.claim.guess[item] == rule.gold[item])


@cache
def shares(items: int) -> dict[bool, tuple[float, float]]:
    """By whether the item is displayed, the share of labels named rightly and its standard error."""
    games = list(named(items))
    found = {}
    for is_displayed in (True, False):
        right = [is_right for displayed, is_right in games if displayed == is_displayed]
        found[is_displayed] = float(np.mean(right)), float(np.std(right, ddof=1)) / sqrt(len(right))
    return found


def test_the_label_of_an_item_chosen_beforehand_is_named_as_often_as_is_proved_and_no_oftener():
    share, error = shares(1)[True]
    bound = DISPLAY.certainty(DISPLAY.budget)
    assert bound - 4 * error < share < bound + 2 * error


def test_who_names_the_surest_of_twenty_is_right_more_often_than_the_bound_for_one_chosen_beforehand():
    """Therefore the page says “of an item that is chosen beforehand”."""
    share, error = shares(20)[True]
    assert share > DISPLAY.certainty(DISPLAY.budget) + 2 * error


@pytest.mark.parametrize("items", [1, 20])
def test_labels_that_are_kept_back_are_named_by_chance(items):
    share, error = shares(items)[False]
    assert abs(share - 0.5) < 3 * error
