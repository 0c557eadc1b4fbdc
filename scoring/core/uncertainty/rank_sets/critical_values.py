"""How large a studentised difference of two systems must be so that chance seldom makes one on the board as large.

The value asked for is one of the largest differences of all replicates in order, so most of these need not be known:
a replicate is looked at only where it may have a difference near the value so far. Systems stand in blocks, blocks in
larger blocks, and a bound for all differences of two blocks tells where that is: it is worked out for every two of the
largest blocks, and below them only where it is needed. What is found is kept: in most cases it tells the next value
too.
"""

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
Places = NDArray[np.intp]
Bools = NDArray[np.bool_]

FAN = 4
"""Systems in a block of the lower level, and such blocks in one of the higher."""
LEVELS = 2
AT_ONCE = 1 << 13
"""Pairs of blocks opened together: as many as fit near the processor."""
HELD = 1 << 18
"""About so many pairs of blocks wait to be opened at most. Most boards have fewer in all."""
NEAR = np.float32(0.97)
"""Differences above this share of the value are kept; it hardly ever falls by more from one step to the next."""


class _BlockPairs(NamedTuple):
    """Two blocks in one replicate each; no system of the first is ahead of one of the second by more than its bound."""

    replicates: Places
    firsts: Places
    seconds: Places
    bounds: Singles

    def of(self, which: Bools) -> "_BlockPairs":
        return _BlockPairs(
            self.replicates[which], self.firsts[which], self.seconds[which], self.bounds[which]
        )

    def followed_by(self, others: "_BlockPairs") -> "_BlockPairs":
        return _BlockPairs(
            np.concatenate((self.replicates, others.replicates)),
            np.concatenate((self.firsts, others.firsts)),
            np.concatenate((self.seconds, others.seconds)),
            np.concatenate((self.bounds, others.bounds)),
        )


class LargestDifferences:
    """The largest studentised difference of each replicate, as far as critical values ask for it.

    Parameters
    ----------
    centred : single-precision array of shape (replicates, systems)
    scale : single-precision array of shape (systems, systems)
        What differences are multiplied by, 0 for what is left out.
    order : int array of shape (systems,)
        Systems so that those that differ little stand side by side: it is faster, and changes no value.
    rank : int
        Which of the largest differences is the critical value, 1 the largest of all replicates.
    """

    def __init__(self, centred: Singles, scale: Singles, order: Places, rank: int) -> None:
        self._scale, self._rank = scale, rank
        self._order = np.pad(order, (0, -len(order) % FAN**LEVELS), mode="edge")
        # What is filled up is filled with a system that is there already: no difference is new.
        systems = centred.take(self._order, axis=1)
        self._highest, self._lowest = [systems], [systems]
        for _ in range(LEVELS):
            self._highest.insert(0, _of_four(np.maximum, self._highest[0]))
            self._lowest.insert(0, _of_four(np.minimum, self._lowest[0]))
        self._largest = np.zeros(len(centred), np.float32)
        self._floor = np.float32(np.inf)
        """Every larger difference that is still in is one of `_found`."""
        nothing = np.zeros(0, np.intp)
        self._found = _BlockPairs(nothing, nothing, nothing, np.zeros(0, np.float32))

    def critical(self, decided: Bools) -> float:
        """The critical value where these differences are left out too, shape (systems, systems).

        From one call to the next more may be decided, and nothing less.
        """
        firsts, seconds = self._order[self._found.firsts], self._order[self._found.seconds]
        self._found = self._found.of(~decided[firsts, seconds])
        self._largest[:] = 0
        np.maximum.at(self._largest, self._found.replicates, self._found.bounds)
        if self._value() < self._floor:
            self._search(decided)
        return float(self._value())

    def _search(self, decided: Bools) -> None:
        """Find every difference above the floor that the value then has."""
        scale = np.where(decided, np.float32(0), self._scale) if decided.any() else self._scale
        self._set_scales(scale.take(self._order, axis=0).take(self._order, axis=1))
        self._raise_floor()
        self._take_in(self._farthest_apart(scale))
        for places, bounds in self._largest_blocks():
            self._open_all(places, bounds)

    def _set_scales(self, scale: Singles) -> None:
        """The largest scale of every two blocks; below the largest blocks by the pair of blocks that holds them."""
        self._scales: list[Singles] = []
        for _ in range(LEVELS):
            self._scales.insert(0, _by_pair(scale))
            scale = _of_four(np.maximum, np.maximum.reduce(scale.reshape(-1, FAN, len(scale)), axis=1))
        self._scales.insert(0, scale)

    def _farthest_apart(self, scale: Singles) -> _BlockPairs:
        """The first and the last system of each replicate, where they are farther apart than the floor."""
        systems, replicates = self._highest[-1], np.arange(len(self._largest))
        firsts, seconds = systems.argmax(axis=1), systems.argmin(axis=1)
        differences = systems[replicates, firsts] - systems[replicates, seconds]
        differences *= scale[self._order[firsts], self._order[seconds]]
        return _BlockPairs(replicates, firsts, seconds, differences).of(differences > self._floor)

    def _value(self) -> np.float32:
        at = len(self._largest) - self._rank
        return np.float32(np.partition(self._largest, at)[at])

    def _raise_floor(self) -> None:
        self._floor = NEAR * self._value()

    def _largest_blocks(self) -> Iterator[tuple[Places, Singles]]:
        """Where two of the largest blocks may hold what matters, as `_open` reads it, and their bounds."""
        highest, lowest = (np.ascontiguousarray(of[0].T) for of in (self._highest, self._lowest))
        bounds, places, above, held = np.empty_like(lowest), [], [], 0
        # A first block beside all second ones, in all replicates.
        for first, (high, scale) in enumerate(zip(highest, self._scales[0], strict=True)):
            np.subtract(high, lowest, out=bounds)
            np.multiply(bounds, scale[:, None], out=bounds)
            found = np.flatnonzero(bounds > self._floor)
            above.append(bounds.reshape(-1)[found])
            places.append(found + first * bounds.size)
            held += len(found)
            if held > HELD or first == len(highest) - 1:
                yield np.concatenate(places), np.concatenate(above)
                places, above, held = [], [], 0

    def _open_all(self, places: Places, bounds: Singles) -> None:
        """Look at all differences that may matter; those that promise most tell early how large they become."""
        if len(places) > AT_ONCE:
            is_likely = bounds > np.partition(bounds, -AT_ONCE)[-AT_ONCE]
            self._open(places[is_likely], bounds[is_likely])
            is_left = ~is_likely & (bounds > self._floor)
            places, bounds = places[is_left], bounds[is_left]
        for start in range(0, len(places), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            self._open(places[some], bounds[some])

    def _open(self, places: Places, bounds: Singles) -> None:
        """Look into pairs of the largest blocks: places of a table by first block, second block and replicate."""
        pairs, replicates = np.divmod(places, len(self._largest))
        opened = _BlockPairs(replicates, *np.divmod(pairs, len(self._scales[0])), bounds)
        for level in range(1, LEVELS + 1):
            opened = self._opened(opened, level)
        self._take_in(opened)

    def _opened(self, pairs: _BlockPairs, level: int) -> _BlockPairs:
        """The parts of both blocks of each pair, as pairs of the level below."""
        replicates, firsts, seconds, _ = pairs
        width = self._highest[level].shape[1] // FAN
        high = self._highest[level].reshape(-1, FAN).take(replicates * width + firsts, axis=0)
        low = self._lowest[level].reshape(-1, FAN).take(replicates * width + seconds, axis=0)
        # Every part of the first beside every one of the second; written out, for broadcasting four takes longer.
        bounds = np.repeat(high, FAN).reshape(-1, FAN * FAN)
        bounds -= np.repeat(low, FAN, axis=0).reshape(-1, FAN * FAN)
        bounds *= self._scales[level].take(firsts * width + seconds, axis=0)
        places = np.flatnonzero(bounds > self._floor)
        which, part = np.divmod(places, FAN * FAN)
        first, second = np.divmod(part, FAN)
        return _BlockPairs(
            replicates[which],
            firsts[which] * FAN + first,
            seconds[which] * FAN + second,
            bounds.reshape(-1)[places],
        )

    def _take_in(self, pairs: _BlockPairs) -> None:
        """Pairs of single systems, whose bound is their difference."""
        self._found = self._found.followed_by(pairs)
        np.maximum.at(self._largest, pairs.replicates, pairs.bounds)
        self._raise_floor()


def _of_four(reduced: np.ufunc, values: Singles) -> Singles:
    """Four neighbours along the last axis become one."""
    parts = (values[..., part::FAN] for part in range(FAN))
    return np.ascontiguousarray(reduce(reduced, parts))


def _by_pair(scale: Singles) -> Singles:
    """What is told of every two parts, as a row of 16 for every two blocks."""
    blocks = len(scale) // FAN
    # Four singles are moved as one number of their size.
    fours = scale.view(np.complex128).reshape(blocks, FAN, blocks).transpose(0, 2, 1)
    return np.ascontiguousarray(fours).view(np.float32).reshape(-1, FAN * FAN)
