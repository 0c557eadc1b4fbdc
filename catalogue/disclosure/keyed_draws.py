"""Draws that whoever has the key makes again, and nobody else can foresee: halves of items, lots and noise.

The key is derived from a sealed salt. Every draw is a HMAC-SHA256 of what is drawn for, so that it depends on nothing
else: not on the order of the draws, not on the labels, not on who asks.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_STEPS = 2**53


def draw_key(salt: bytes, purpose: str) -> bytes:
    """The key of one purpose, of 32 bytes; keys of different purposes tell nothing of one another."""
    return hmac.digest(salt, b"heldout " + purpose.encode(), sha256)


def uniform(key: bytes, name: bytes) -> float:
    """A number above 0 and below 1, evenly spread over names."""
    drawn = int.from_bytes(hmac.digest(key, name, sha256)[:8]) >> 11
    return (drawn + 0.5) / _STEPS


def normal(key: bytes, name: bytes) -> float:
    """A standard normal number: the quantile of `uniform`."""
    return NormalDist().inv_cdf(uniform(key, name))


def kept_back(key: bytes, names: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each item is kept back: a fair coin for each name, the same one wherever that name stands.

    Items that belong together are named alike, by their cluster, and so stay on one side.
    """
    coins = {name: uniform(key, name.encode()) < 0.5 for name in set(names)}
    return np.array([coins[name] for name in names], dtype=np.bool_)
