"""How large a studentised difference of two systems must be so that chance seldom makes one on the board as large.

The value asked for is one of the largest differences of all replicates in order, so most of these need not be known:
a replicate is looked at only where it may have a difference near the value so far. Systems stand in blocks, blocks in
larger blocks, and a bound for all differences of two blocks tells where that is. What is found is kept: in most cases
it tells the next value too.
"""

from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
Places = NDArray[np.intp]

FAN = 4
"""Systems in a block of the lowest level, and blocks in one of the next."""
MOST_LEVELS = 3
AT_ONCE = 1 << 11
"""Pairs of blocks opened together: what one batch finds spares the next one work."""
NEAR = np.float32(0.97)
"""Differences above this share of the value are kept; it hardly ever falls by more from one step to the next."""


class _BlockPairs(NamedTuple):
    """Two blocks in one replicate each; no system of the first is ahead of one of the second by more than its bound."""

    replicates: Places
    firsts: Places
    seconds: Places
    bounds: Singles

    def of(self, which: Places | NDArray[np.bool_] | slice) -> "_BlockPairs":
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
        Systems that differ little from each other should stand side by side: it is faster, and changes no value.
    rank : int
        Which of the largest differences is the critical value, 1 the largest of all replicates.
    """

    def __init__(self, centred: Singles, rank: int) -> None:
        count = centred.shape[1]
        levels = min(MOST_LEVELS, max(1, (count - 1).bit_length() // 2 - 1))
        self._rank, self._size = rank, -(-count // FAN**levels) * FAN**levels
        systems = np.ascontiguousarray(np.pad(centred, ((0, 0), (0, self._size - count)), mode="edge"))
        self._highest, self._lowest = [systems], [systems]
        for _ in range(levels):
            self._highest.insert(0, _of_four(np.maximum, self._highest[0]))
            self._lowest.insert(0, _of_four(np.minimum, self._lowest[0]))
        self._largest = np.zeros(len(centred), np.float32)
        self._floor = np.float32(np.inf)
        """Every larger difference that is still in is one of `_found`."""
        nothing = np.zeros(0, np.intp)
        self._found = _BlockPairs(nothing, nothing, nothing, np.zeros(0, np.float32))

    def critical(self, scale: Singles) -> float:
        """The critical value where differences are multiplied by `scale`, 0 for what is left out.

        From one call to the next more may be left out; the rest must stay as it was.
        """
        self._found = self._found.of(scale[self._found.firsts, self._found.seconds] > 0)
        self._largest[:] = 0
        np.maximum.at(self._largest, self._found.replicates, self._found.bounds)
        if self._value() < self._floor:
            self._search(scale)
        return float(self._value())

    def _search(self, scale: Singles) -> None:
        """Find every difference above the floor that the value then has."""
        self._set_scale(scale)
        self._raise_floor()
        self._take_in(self._farthest_apart())
        top = self._highest[0][:, :, None] - self._lowest[0][:, None, :]
        top *= self._scales[0]
        # The second block that promises most for each first one: that tells early how large differences become.
        likely = top.argmax(axis=2)[:, :, None]
        self._open_all(self._above(np.take_along_axis(top, likely, axis=2), likely))
        np.put_along_axis(top, likely, 0, axis=2)
        self._open_all(self._above(top))

    def _set_scale(self, scale: Singles) -> None:
        self._scales = [np.zeros((self._size, self._size), np.float32)]
        self._scales[0][: len(scale), : len(scale)] = scale
        while len(self._scales) < len(self._highest):
            in_rows = np.maximum.reduce(self._scales[0].reshape(-1, FAN, len(self._scales[0])), axis=1)
            self._scales.insert(0, _of_four(np.maximum, in_rows))

    def _farthest_apart(self) -> _BlockPairs:
        """The first and the last system of each replicate, where they are farther apart than the floor."""
        systems, replicates = self._highest[-1], np.arange(len(self._largest))
        firsts, seconds = systems.argmax(axis=1), systems.argmin(axis=1)
        differences = systems[replicates, firsts] - systems[replicates, seconds]
        differences *= self._scales[-1][firsts, seconds]
        return _BlockPairs(replicates, firsts, seconds, differences).of(differences > self._floor)

    def _value(self) -> np.float32:
        at = len(self._largest) - self._rank
        return np.float32(np.partition(self._largest, at)[at])

    def _raise_floor(self) -> None:
        self._floor = NEAR * self._value()

    def _above(self, bounds: Singles, seconds: NDArray[np.intp] | None = None) -> _BlockPairs:
        """Which pairs of the highest level may hold what matters; the last axis counts second blocks, or is told."""
        where = np.nonzero(bounds > self._floor)
        return _BlockPairs(where[0], where[1], where[2] if seconds is None else seconds[where], bounds[where])

    def _open_all(self, pairs: _BlockPairs) -> None:
        """Look at all differences that may matter, the most promising pairs first."""
        pairs = pairs.of(np.argsort(-pairs.bounds))
        for start in range(0, len(pairs.bounds), AT_ONCE):
            some = pairs.of(slice(start, start + AT_ONCE))
            for level in range(1, len(self._highest)):
                some = self._opened(some.of(some.bounds > self._floor), level)
            self._take_in(some)

    def _opened(self, pairs: _BlockPairs, level: int) -> _BlockPairs:
        """The parts of both blocks of each pair, as pairs of the level below."""
        replicates, firsts, seconds, _ = pairs
        width = self._highest[level].shape[1] // FAN
        high = self._highest[level].reshape(-1, FAN).take(replicates * width + firsts, axis=0)
        low = self._lowest[level].reshape(-1, FAN).take(replicates * width + seconds, axis=0)
        rows = (firsts * (FAN * width) + seconds)[:, None] + np.arange(0, FAN * width, width)
        # Every part of the first beside every one of the second; written out, for broadcasting four takes longer.
        bounds = np.repeat(high, FAN, axis=1) - np.repeat(low, FAN, axis=0).reshape(-1, FAN * FAN)
        bounds *= self._scales[level].reshape(-1, FAN).take(rows, axis=0).reshape(-1, FAN * FAN)
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
