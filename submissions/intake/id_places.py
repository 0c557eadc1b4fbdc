"""Where many ids stand in a split, found at once and with little memory in between."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = 8  # bytes
MOST_BYTES = 8 * _WORD  # of an id; longer ones would be few and their words many
_END = b"\n"
# What is left of a word of which so many bytes belong to an id.
_KEPT = np.array([(1 << 8 * count) - 1 for count in range(_WORD + 1)], dtype=np.uint64)
# Odd, so that none of a word's bits is lost.
_FACTORS = np.array(
    [pow(0x9E3779B97F4A7C15, place, 1 << 64) for place in range(MOST_BYTES // _WORD)], dtype=np.uint64
)


class IdPlaces:
    """The ids of a split, at least one and each of at most `MOST_BYTES`, as words that are sorted and compared.

    `keys` are a number for each id, in order. A dict's ids lie scattered in memory, so that each look-up waits for it.
    """

    __slots__ = ("_order", "_words", "keys")

    def __init__(self, ids: Sequence[bytes]) -> None:
        words = _words_of(ids, -(-max(map(len, ids)) // _WORD))
        if words is None:
            raise ValueError("An id holds a line break or a zero byte.")
        self._words = words
        keys = _keys_of(words)
        self._order = np.argsort(keys)
        self.keys = keys[self._order]

    def find(self, found: Sequence[bytes]) -> NDArray[np.intp] | None:
        """The place of each id, shape (len(found),).

        None if one is unknown; also if, of as many as there are, one is doubled, or where two ids have one key.
        """
        words = _words_of(found, len(self._words))
        if words is None:
            return None
        keys = _keys_of(words)
        order = np.argsort(keys)
        places = np.empty_like(order)
        if len(order) == len(self._order):
            places[order] = self._order  # if these are all the ids, they are the same in order
        else:
            places[order] = self._order.take(np.searchsorted(self.keys, keys[order]), mode="clip")
        return places if (self._words[:, places] == words).all() else None


def _words_of(ids: Sequence[bytes], count: int) -> NDArray[np.uint64] | None:
    """So many words of each id, shape (count, len(ids)), filled up with zeros; None where one cannot be written so."""
    cells = _END.join(ids) + _END
    ends = np.flatnonzero(np.frombuffer(cells, dtype=np.uint8) == ord(_END))
    if len(ends) != len(ids) or b"\x00" in cells:
        return None
    starts = np.zeros(len(ends), dtype=np.intp)
    np.add(ends[:-1], 1, out=starts[1:])
    lengths = ends - starts
    if lengths.max() > _WORD * count:
        return None
    from_each_byte = np.ndarray(len(cells), dtype="<u8", buffer=cells + bytes(_WORD - 1), strides=1)
    words = np.empty((count, len(ids)), dtype=np.uint64)
    for place, word in enumerate(words):
        if place:
            # Of an id that has ended, any place will do: nothing is kept of what stands there.
            starts, lengths = np.minimum(starts + _WORD, ends), np.maximum(lengths - _WORD, 0)
        np.bitwise_and(from_each_byte[starts], _KEPT[np.minimum(lengths, _WORD)], out=word)
    return words


def _keys_of(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number for each id that few others have, shape (number of ids,)."""
    return words[0] if len(words) == 1 else _FACTORS[: len(words)] @ words
