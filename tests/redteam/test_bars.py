"""Attackers against the rules as the server runs them: what each may win at most, as means over 20 seeds.

By chance one mean in twenty lies beyond two standard errors, and some twenty strategies are tried against a rule.
Therefore four of their means may lie there (more do by chance once in 100 times), and none beyond four
standard errors (one does by chance once in 60 times). That supposes independent means, so every strategy has gold
labels and coins of its own.
"""

from functools import cache, partial
from math import sqrt

import numpy as np
import pytest

from catalogue.disclosure import RULES
from catalogue.disclosure.protected import MEASURED
from perf.attacks.bench import Match, play
from perf.attacks.honest_teams import shares_that_show
from perf.attacks.informed_strategies import INFORMED, Searchlight
from perf.attacks.strategies import STRATEGIES
from perf.redteam import ServedRule

pytestmark = pytest.mark.redteam

SEEDS = range(20)  # of each strategy
ITEMS = 5_000
ANSWERS = 500
MANY = 400  # attacked labels: of fewer a share says little
BEYOND_TWO, LARGEST = 4, 4.0  # means that may lie beyond two standard errors, and how far any may lie
STRATEGY_NAMES = [strategy.name for strategy in STRATEGIES]
EVERYBODY = {strategy.name: strategy for strategy in (*STRATEGIES, *INFORMED)}


@cache
def matches_of(rule: str, name: str, items: int = ITEMS) -> tuple[Match, ...]:
    """A strategy's matches against a rule, one for each seed."""
    make = partial(ServedRule, RULES[rule])
    first = len(SEEDS) * list(EVERYBODY).index(name)
    return tuple(play(make, EVERYBODY[name], n=items, answers=ANSWERS, seed=first + seed) for seed in SEEDS)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean over seeds and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1)) / sqrt(len(values))


@pytest.mark.parametrize("rule", ["open", "protected"])
def test_nobody_wins_points_on_what_is_kept_back(rule):
    errors_away = {}
    for name in EVERYBODY:
        mean, error = mean_and_error([match.points_kept for match in matches_of(rule, name)])
        errors_away[name] = mean / error

    assert max(map(abs, errors_away.values())) < LARGEST, errors_away
    assert sum(abs(away) > 2 for away in errors_away.values()) <= BEYOND_TWO, errors_away


@pytest.mark.parametrize("name", [*STRATEGY_NAMES, Searchlight(MANY).name])
def test_protected_labels_are_hardly_read_where_many_are_attacked(name):
    matches = matches_of("protected", name)
    attacked = np.mean([match.attacked for match in matches])
    mean, error = mean_and_error([match.read for match in matches])
    if attacked >= MANY:
        assert mean <= 0.6
    else:
        display = ServedRule(RULES["protected"]).rule.display(ITEMS // 2, 2 / ITEMS)
        assert display is not None
        assert mean <= display.certainty(display.budget) + 2 * error


@pytest.mark.parametrize(
    ("searchlight", "told"), [(Searchlight(400), 60), (Searchlight(2_500, named=400), 64)]
)
def test_who_spends_all_answers_on_some_labels_reads_as_many_as_pages_say_and_fewer_than_is_proved_for_one(
    searchlight, told
):
    mean, error = mean_and_error([match.read for match in matches_of("protected", searchlight.name)])
    display = RULES["protected"].display(ITEMS // 2, 2 / ITEMS)

    assert display is not None
    assert mean < display.certainty(display.budget) - 2 * error
    assert 100 * mean == pytest.approx(told, abs=2)
    assert f"{told} %" in MEASURED


@pytest.mark.parametrize("name", EVERYBODY)
def test_no_strategy_proves_a_protected_label(name):
    matches = matches_of("protected", name)
    certain, wrong = (
        sum(getattr(match, kind) for match in matches) for kind in ("certain", "certain_and_wrong")
    )

    assert certain == 0 or wrong > certain / 20


def test_an_honest_point_shows_and_a_change_without_gain_seldom_does():
    make = partial(ServedRule, RULES["protected"])
    gain, luck = (
        np.mean([shares_that_show(make, n=ITEMS, seed=seed, gain=gain) for seed in SEEDS])
        for gain in (0.01, 0.0)
    )
    assert gain >= 0.75
    assert luck <= 0.35


@pytest.mark.parametrize("items", [150, 1_200])
@pytest.mark.parametrize("name", STRATEGY_NAMES)
@pytest.mark.parametrize("rule", ["sealed", "protected"])
def test_of_a_small_test_set_nothing_is_seen_before_the_end(rule, name, items):
    class Silent(ServedRule):
        def show(self, week, answers, *, last=False):
            seen = super().show(week, answers, last=last)
            assert last or not any(
                found.moved or found.shown is not None or found.group is not None for found in seen.values()
            )
            return seen

    strategy = STRATEGIES[STRATEGY_NAMES.index(name)]
    for seed in range(3):
        play(partial(Silent, RULES[rule]), strategy, n=items, answers=ANSWERS, seed=seed)
