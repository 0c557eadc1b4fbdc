"""In how many items answers differ, each two of them: row by row, or beside what was counted before."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[Any]  # whole numbers from 0 on
Counts = NDArray[np.integer[Any]]

FEW = 0.1  # of the rows: of more new ones all are counted anew, together


def _count_type(items: int) -> type[np.integer[Any]]:
    """What counts up to so many items: the smaller type takes half the memory, and is sorted sooner."""
    return np.int16 if items <= np.iinfo(np.int16).max else np.int32


def differing(codes: Codes) -> Counts:
    """In how many items each two rows differ: shape (n_rows, n_rows).

    Rows are packed into bits, 64 items to a word and one plane for each binary digit of the codes; two answers differ
    where any plane does.

    >>> differing(np.array([[0, 1, 2], [0, 1, 1], [2, 2, 2]])).tolist()
    [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    """
    digits = max(1, int(codes.max()).bit_length())
    padded = np.zeros((len(codes), -(-codes.shape[1] // 64) * 64), dtype=codes.dtype)
    padded[:, : codes.shape[1]] = codes
    packed = [np.packbits((padded >> digit & 1).astype(np.uint8), axis=1) for digit in range(digits)]
    planes = np.stack([np.ascontiguousarray(plane).view(np.uint64) for plane in packed])
    differences = np.zeros((len(codes), len(codes)), dtype=_count_type(codes.shape[1]))
    apart, of_plane = np.empty((2, *planes.shape[1:]), dtype=np.uint64)
    for row in range(1, len(codes)):
        np.bitwise_xor(planes[0, :row], planes[0, row], out=apart[:row])
        for plane in planes[1:]:
            apart[:row] |= np.bitwise_xor(plane[:row], plane[row], out=of_plane[:row])
        np.bitwise_count(apart[:row]).sum(axis=1, dtype=differences.dtype, out=differences[row, :row])
    return differences + differences.T


class KnownDifferences:
    """The differences of one split's answers, kept from look to look: only those of new answers are counted.

    >>> known = KnownDifferences()
    >>> known.among("ab", np.array([[0, 1, 2], [0, 1, 1]])).tolist()
    [[0, 1], [1, 0]]
    """

    def __init__(self) -> None:
        self._places: dict[Hashable, int] = {}
        self._apart: Counts = np.zeros((0, 0), dtype=np.int32)

    @property
    def byte_count(self) -> int:
        """What it keeps in memory, in bytes; names are not counted."""
        return self._apart.nbytes

    def among(self, names: Sequence[Hashable], codes: Codes) -> Counts:
        """The same as `differing`; not to be changed by whoever asks.

        Parameters
        ----------
        names : sequence of length n_rows
            By which a row is known again: rows of one name are equal, then and now.
        codes : array of shape (n_rows, n_items)
            Numbered anew each time as one likes; equal within a column where the answers are equal.
        """
        places = np.array([self._places.get(name, -1) for name in names])
        new = np.flatnonzero(places < 0)
        if len(new) > FEW * len(names):
            self._apart = differing(codes)
        else:
            apart = self._apart.take(places, axis=0).take(places, axis=1)
            for row in new:
                bits = np.packbits(codes != codes[row], axis=1)
                apart[row] = apart[:, row] = np.bitwise_count(bits).sum(axis=1, dtype=apart.dtype)
            self._apart = apart
        self._places = {name: place for place, name in enumerate(names)}
        return self._apart
