"""Shares of wins and Bradley-Terry strengths, and what is said where there are none."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from labelling.core.judged.pairings import drawn_pairs
from labelling.core.judged.preferences import NOT_COMPARED, WON_ALL, ComparedOutputs, prefer
from labelling.core.judged.strengths import divided, strengths


def likeliest(wins):
    """The strengths that make the wins likeliest, by an optimiser that knows nothing of the MM algorithm."""
    size = len(wins)

    def unlikeliness(free):
        logs = np.append(free, -free.sum())
        apart = logs[:, None] - logs[None, :]
        return float((wins * np.logaddexp(0, -apart)).sum())

    found = minimize(unlikeliness, np.zeros(size - 1), method="BFGS", options={"gtol": 1e-10}).x
    return np.append(found, -found.sum())


def compared(said: dict[tuple[int, int], str]) -> list[ComparedOutputs]:
    """Of each pair of systems one comparison per letter: 1 the first is preferred, 2 the second, = neither."""
    shares = {"1": 1.0, "2": 0.0, "=": 0.5}
    return [
        ComparedOutputs(f"i{item}", first, second, shares[letter])
        for (first, second), letters in said.items()
        for item, letter in enumerate(letters)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_strengths_are_the_likeliest_and_ties_are_half_wins(seed):
    random = np.random.default_rng(seed)
    size = 3 + seed
    wins = random.integers(1, 30, (size, size)) / 2
    np.fill_diagonal(wins, 0)
    found = strengths(wins[None])[0]
    assert found == pytest.approx(likeliest(wins), abs=1e-5)
    assert found.sum() == pytest.approx(0, abs=1e-9)


def test_strengths_of_a_chain_in_which_most_never_met():
    wins = np.zeros((5, 5))
    for one in range(4):
        wins[one, one + 1], wins[one + 1, one] = 3, 1
    assert np.diff(strengths(wins[None])[0]) == pytest.approx([-np.log(3)] * 4)


def test_shares_count_a_tie_half_and_every_comparison_once():
    found = prefer(compared({(1, 2): "11=2", (2, 3): "12=2"}), [1, 2, 3], seed=b"s", replicates=100)
    assert [found.systems[one].wins.value for one in (1, 2, 3)] == [2.5 / 4, 3 / 8, 2.5 / 4]
    assert [found.systems[one].comparisons for one in (1, 2, 3)] == [4, 8, 4]
    assert found.items == 4


def test_intervals_hold_the_strengths_repeat_and_order_the_systems():
    said = {(1, 2): "1112111=12" * 6, (2, 3): "11211=1121" * 6, (1, 3): "1111112111" * 6}
    one, again = (prefer(compared(said), [1, 2, 3], seed=b"s", replicates=200) for _ in range(2))
    assert one == again
    assert (one.because, one.groups) == ("", ())
    first, second, third = (one.systems[number].strength for number in (1, 2, 3))
    ends = (third.low, third.value, third.high, second.value, first.low, first.value, first.high)
    known = [end for end in ends if end is not None]
    assert known == sorted(known)
    assert len(known) == len(ends)


def test_systems_that_were_never_compared_have_no_strengths():
    found = prefer(compared({(1, 2): "12", (3, 4): "12"}), [1, 2, 3, 4], seed=b"s", replicates=50)
    assert (found.because, found.groups) == (NOT_COMPARED, ((1, 2), (3, 4)))
    assert [found.systems[one].strength.value for one in (1, 3)] == [None, None]
    assert found.systems[1].wins.value == 0.5


def test_a_system_that_won_everything_has_no_strength_and_is_named_first():
    found = prefer(compared({(1, 2): "12", (1, 3): "22", (2, 3): "22"}), [1, 2, 3], seed=b"s", replicates=50)
    assert (found.because, found.groups) == (WON_ALL, ((3,), (1, 2)))
    assert all(one.strength.value is None for one in found.systems.values())
    assert found.systems[3].wins.value == 1.0


def test_strengths_that_hang_on_one_answer_have_no_interval():
    found = prefer(compared({(1, 2): "1111111112"}), [1, 2], seed=b"s", replicates=200)
    assert found.because.startswith("There are no intervals")
    assert found.systems[1].strength.value == pytest.approx(np.log(9) / 2)
    assert found.systems[1].strength.low is None


def test_groups_follow_from_who_won_against_whom():
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[0, 2] = wins[2, 3] = wins[3, 2] = 1
    assert divided(wins) == [[0, 1], [2, 3]]


@pytest.mark.parametrize(("systems", "per_item"), [(2, None), (4, 2), (5, 3), (3, None)])
def test_pairs_and_sides_come_equally_often(systems, per_item):
    items, names = [f"i{number}" for number in range(31)], list(range(1, systems + 1))
    pairs = drawn_pairs(items, names, per_item, 7)
    count = per_item or len(list(combinations(names, 2)))
    assert len(pairs) == 31 * count
    assert len({(pair.item, frozenset((pair.left, pair.right))) for pair in pairs}) == len(pairs)
    by_pair = Counter(frozenset((pair.left, pair.right)) for pair in pairs)
    assert max(by_pair.values()) - min(by_pair.values()) <= 1
    sides = Counter((pair.left, pair.right) for pair in pairs)
    assert all(abs(sides[one, other] - sides[other, one]) <= 1 for one, other in combinations(names, 2))


def test_the_same_seed_draws_the_same_pairs_and_another_one_others():
    items = [f"i{number}" for number in range(20)]
    first, again, other = (drawn_pairs(items, [1, 2, 3], 1, seed) for seed in (1, 1, 2))
    assert first == again != other
