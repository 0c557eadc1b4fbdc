"""How large a studentised difference of two systems must be so that chance seldom makes one on the board as large.

The value asked for is one of the largest differences of all replicates in order, so most of these need not be known:
a replicate is looked at only where it may have a difference larger than its own largest so far and the value so far.
Systems stand in blocks, blocks in larger blocks, and a bound for all differences of two blocks tells where that is.
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
        self._pairs = np.zeros(len(centred), np.intp)
        """First system times size plus second: whose difference is the largest."""

    def critical(self, scale: Singles) -> float:
        """The critical value where differences are multiplied by `scale`, 0 for what is left out.

        From one call to the next more may be left out; the rest must stay as it was.
        """
        self._set_scale(scale)
        self._take_in(self._farthest_apart())
        top = self._highest[0][:, :, None] - self._lowest[0][:, None, :]
        top *= self._scales[0]
        # The second block that promises most for each first one: that tells early how large differences become.
        likely = top.argmax(axis=2)[:, :, None]
        self._open_all(self._above(np.take_along_axis(top, likely, axis=2), likely))
        np.put_along_axis(top, likely, 0, axis=2)
        self._open_all(self._above(top))
        return float(self._value)

    def _set_scale(self, scale: Singles) -> None:
        whole = np.zeros((self._size, self._size), np.float32)
        whole[: len(scale), : len(scale)] = scale
        self._scales = [whole]
        while len(self._scales) < len(self._highest):
            in_rows = np.maximum.reduce(self._scales[0].reshape(-1, FAN, len(self._scales[0])), axis=1)
            self._scales.insert(0, _of_four(np.maximum, in_rows))
        self._largest[whole.reshape(-1)[self._pairs] == 0] = 0
        self._note_value()

    def _farthest_apart(self) -> _BlockPairs:
        """The first and the last system of each replicate, where they are farther apart than what is known."""
        systems, replicates = self._highest[-1], np.arange(len(self._largest))
        firsts, seconds = systems.argmax(axis=1), systems.argmin(axis=1)
        differences = systems[replicates, firsts] - systems[replicates, seconds]
        differences *= self._scales[-1][firsts, seconds]
        return _BlockPairs(replicates, firsts, seconds, differences).of(differences > self._floors)

    def _note_value(self) -> None:
        """The critical value is at least this, and a replicate matters only above its own floor."""
        at = len(self._largest) - self._rank
        self._value = np.partition(self._largest, at)[at]
        self._floors = np.maximum(self._largest, self._value)

    def _above(self, bounds: Singles, seconds: NDArray[np.intp] | None = None) -> _BlockPairs:
        """Which pairs of the highest level may hold what matters; the last axis counts second blocks, or is told."""
        where = np.nonzero(bounds > self._floors[:, None, None])
        return _BlockPairs(where[0], where[1], where[2] if seconds is None else seconds[where], bounds[where])

    def _open_all(self, pairs: _BlockPairs) -> None:
        """Look at all differences that may matter, the most promising pairs first."""
        pairs = pairs.of(np.argsort(-pairs.bounds))
        for start in range(0, len(pairs.bounds), AT_ONCE):
            some = pairs.of(slice(start, start + AT_ONCE))
            for level in range(1, len(self._highest)):
                some = self._opened(some.of(some.bounds > self._floors[some.replicates]), level)
            self._take_in(some)

    def _opened(self, pairs: _BlockPairs, level: int) -> _BlockPairs:
        """The parts of both blocks of each pair, as pairs of the level below."""
        replicates, firsts, seconds, _ = pairs
        width = self._highest[level].shape[1] // FAN
        high = self._highest[level].reshape(-1, FAN).take(replicates * width + firsts, axis=0)
        low = self._lowest[level].reshape(-1, FAN).take(replicates * width + seconds, axis=0)
        rows = (firsts[:, None] * FAN + np.arange(FAN)) * width + seconds[:, None]
        # Every part of the first beside every one of the second; written out, for broadcasting four takes longer.
        bounds = np.repeat(high, FAN, axis=1) - np.repeat(low, FAN, axis=0).reshape(-1, FAN * FAN)
        bounds *= self._scales[level].reshape(-1, FAN).take(rows, axis=0).reshape(-1, FAN * FAN)
        places = np.flatnonzero(bounds > self._floors[replicates][:, None])
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
        pairs = pairs.of(np.argsort(pairs.bounds))  # of several of one replicate the last and largest stays
        self._largest[pairs.replicates] = pairs.bounds
        self._pairs[pairs.replicates] = pairs.firsts * self._size + pairs.seconds
        self._note_value()


def _of_four(reduced: np.ufunc, values: Singles) -> Singles:
    """Four neighbours along the last axis become one."""
    parts = (values[..., part::FAN] for part in range(FAN))
    return np.ascontiguousarray(reduce(reduced, parts))
