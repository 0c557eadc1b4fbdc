"""Draws that follow from a key and a name alone: which items are kept back, and what noise is made of."""

from math import sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from catalogue.disclosure.keyed_draws import draw_key, kept_back, normal, uniform

NAMES = st.lists(st.text(max_size=8), max_size=50)
KEYS = st.binary(min_size=1, max_size=32)


@given(KEYS, NAMES)
def test_items_of_one_cluster_stay_on_one_side(key, names):
    sides = kept_back(key, names)

    assert sides.shape == (len(names),)
    assert len({(name, bool(side)) for name, side in zip(names, sides, strict=True)}) == len(set(names))


@given(KEYS, NAMES, NAMES)
def test_an_item_is_on_the_same_side_wherever_it_stands_and_beside_whatever(key, names, others):
    alone = dict(zip(names, kept_back(key, names).tolist(), strict=True))
    together = [*reversed(names), *others]

    found = dict(zip(together, kept_back(key, together).tolist(), strict=True))

    assert {name: found[name] for name in names} == alone


def test_half_of_the_items_are_kept_back():
    names = [f"item {at}" for at in range(2_000)]
    shares = np.array([kept_back(b"key %d" % seed, names).mean() for seed in range(50)])

    assert np.all(np.abs(shares - 0.5) < 4.5 * 0.5 / sqrt(2_000))
    assert abs(shares.mean() - 0.5) < 4 * 0.5 / sqrt(50 * 2_000)


def test_coins_of_different_keys_and_names_agree_half_of_the_time():
    names = [f"item {at}" for at in range(10_000)]
    agree = kept_back(b"one", names) == kept_back(b"other", names)

    assert abs(agree.mean() - 0.5) < 4 * 0.5 / sqrt(10_000)


def test_every_purpose_has_a_key_of_its_own():
    keys = {draw_key(salt, purpose) for salt in (b"a", b"b") for purpose in ("remainder", "noise", "lot")}

    assert len(keys) == 6
    assert {len(key) for key in keys} == {32}


@given(KEYS, st.binary(max_size=40))
def test_numbers_lie_within_their_range_and_come_again(key, name):
    assert 0 < uniform(key, name) < 1
    assert uniform(key, name) == uniform(key, name)
    assert np.isfinite(normal(key, name))


def test_numbers_are_spread_evenly():
    drawn = np.sort([uniform(b"key", b"%d" % at) for at in range(5_000)])

    assert np.abs(drawn - (np.arange(5_000) + 0.5) / 5_000).max() < 1.63 / sqrt(5_000)  # Kolmogorov, 1 %
