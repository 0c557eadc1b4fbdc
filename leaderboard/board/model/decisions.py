"""Which of two ranked systems is surely ahead: decided once, when the board is made, and quoted by every page."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from leaderboard.board.model.board import BoardRow

Spans = tuple[tuple[int, int], ...]


class Verdict(Enum):
    """What can be said of the better one of two systems. Every page, picture, mail and file uses these words."""

    SURELY_AHEAD = "surely ahead"
    COULD_BE_CHANCE = "ahead, but it could be chance"
    TIE = "a tie"

    @classmethod
    def of(cls, is_sure: bool | None) -> "Verdict | None":
        """The words for a decision as `are_apart` makes it; None where there is none."""
        if is_sure is None:
            return None
        return cls.SURELY_AHEAD if is_sure else cls.COULD_BE_CHANCE

    def against(self, other: str) -> str:
        """The same with the name of the other: "ahead of Birch, but it could be chance"."""
        if self is Verdict.TIE:
            return f"{self.value} with {other}"
        ahead, comma, but = self.value.partition(",")
        return f"{ahead} of {other}{comma}{but}"


def verdict_on(ranked: Sequence[BoardRow], first: int, second: int) -> Verdict | None:
    """What the board says of the one that stands first, by indexes into `Board.ranked`; None as for `are_apart`."""
    is_tie = ranked[first].rank == ranked[second].rank
    return Verdict.TIE if is_tie else Verdict.of(are_apart(ranked, first, second))


def are_apart(ranked: Sequence[BoardRow], first: int, second: int) -> bool | None:
    """Whether one of two systems is surely ahead, by the decision that the board froze about all pairs at once.

    `first` and `second` are indexes into `Board.ranked`. The one that stands first is the better one. None where the
    board has decided nothing: a system has no replicates, or the board was frozen before decisions were kept.
    """
    ahead, behind = ranked[min(first, second)], ranked[max(first, second)]
    if ahead.ahead_of is None or behind.ahead_of is None:
        return None
    place = max(first, second) + 1
    return any(low <= place <= high for low, high in ahead.ahead_of)


def spans(places: Iterable[int]) -> Spans:
    """Places, counted from 1 and in their order, as the first and the last of each unbroken run."""
    ordered = np.fromiter(places, dtype=np.intp)
    if not len(ordered):
        return ()
    breaks = np.flatnonzero(np.diff(ordered) > 1)
    firsts, lasts = ordered[np.r_[0, breaks + 1]], ordered[np.r_[breaks, len(ordered) - 1]]
    return tuple(zip(firsts.tolist(), lasts.tolist(), strict=True))


def spans_of_rows(surely_ahead: NDArray[np.bool_]) -> list[Spans]:
    """By row the places of the systems that one is surely ahead of; entry [i, j] speaks of i and of place j + 1."""
    count, width = surely_ahead.shape[0], surely_ahead.shape[1] + 1
    flat = np.zeros(count * width + 1, dtype=np.bool_)
    # Nobody stands before the first place and after the last, so that what begins in a row ends in it.
    flat[1:].reshape(count, width)[:, :-1] = surely_ahead
    rows, places = np.divmod(np.flatnonzero(flat[1:] != flat[:-1]), width)
    runs = list(zip((places[::2] + 1).tolist(), places[1::2].tolist(), strict=True))
    starts = np.searchsorted(rows[::2], np.arange(count + 1)).tolist()
    return [tuple(runs[start:end]) for start, end in pairwise(starts)]


def reordered(rows: Sequence[BoardRow], order: Sequence[int]) -> tuple[BoardRow, ...]:
    """The rows in this order, which may move those that share a rank; their decisions follow them."""
    before = [at for at in range(len(rows)) if rows[at].rank is not None]
    after = [at for at in order if rows[at].rank is not None]
    if before == after:
        return tuple(rows[at] for at in order)
    place_of = {at: place for place, at in enumerate(after, start=1)}
    moved = {place: place_of[at] for place, at in enumerate(before, start=1)}
    return tuple(_moved(rows[at], moved) for at in order)


def _moved(row: BoardRow, moved: Mapping[int, int]) -> BoardRow:
    if row.ahead_of is None:
        return row
    places = chain.from_iterable(range(first, last + 1) for first, last in row.ahead_of)
    return row._replace(ahead_of=spans(sorted(moved[place] for place in places)))
