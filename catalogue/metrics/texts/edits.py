"""Edits and shifts between two lists of words, as sacrebleu counts them for TER, at a cost that no text can drive up.

sacrebleu goes through a table of edit distances in Python for each of up to 1,000 shifts that it tries. Here those of a
round are tried together: the tables grow row by row for all of them at once. What is counted is the same, limits and
preferences between equals included; `tests/catalogue/metrics/test_edits.py` holds it to sacrebleu's own function.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LONGEST_SHIFT = 10
_FARTHEST_SHIFT = 50
_BEAM = 25
_MOST_TRIED = 1_000
_NEVER = 1 << 29

Words = NDArray[np.int32]
Distances = NDArray[np.int32]


class _Shift(NamedTuple):
    """Words of the answer from `start` on that are put before the word at `target`."""

    length: int
    start: int
    target: int


class _Alignment(NamedTuple):
    """Where in the answer each word of the reference stands, and which words of either side are wrong."""

    place_of: NDArray[np.intp]
    is_wrong_there: NDArray[np.bool_]
    is_wrong: NDArray[np.bool_]


def edit_count(answer: Sequence[str], reference: Sequence[str]) -> int:
    """How many words are inserted, taken out, exchanged or shifted together to make the reference of the answer.

    >>> edit_count("the mat sat on".split(), "sat on the mat".split())
    1
    """
    if not reference:
        return len(answer)
    numbers: dict[str, int] = {}
    moved, words = (
        np.array([numbers.setdefault(word, len(numbers)) for word in side], dtype=np.int32)
        for side in (answer, reference)
    )
    shifts, tried = 0, 0
    while True:
        rows = list(_rows(moved[:, None], words))
        distance = int(rows[-1][1][-1, 0])
        candidates, tried = _candidates(moved, words, _aligned(rows, moved, words), tried)
        if not candidates or tried >= _MOST_TRIED:
            return shifts + distance
        options = np.stack([_shifted(moved, shift) for shift in candidates], axis=1)
        *_, (_, last) = _rows(options, words)
        gains = (distance - last[-1]).tolist()
        gain, *_, best = max(
            (gain, shift.length, -shift.start, -shift.target, place)
            for place, (gain, shift) in enumerate(zip(gains, candidates, strict=True))
        )
        if gain <= 0:
            return shifts + distance
        shifts, moved = shifts + 1, options[:, best]


def _rows(answers: Words, reference: Words) -> Iterator[tuple[int, Distances]]:
    """Row by row the distances of beginnings of answers, shape (n_words, n_answers), to those of the reference.

    With each row the first length of the reference that it is about: only those near the diagonal are looked at.
    """
    count, size = len(answers), len(reference)
    ratio = size / count if count else 1
    beam = ceil(ratio / 2 + _BEAM) if ratio / 2 > _BEAM else _BEAM
    steps = np.arange(size + 1, dtype=np.int32)[:, None]
    low, row = 0, np.repeat(steps, answers.shape[1], axis=1)
    yield low, row
    for number, words in enumerate(answers, start=1):
        diagonal = floor(number * ratio)
        start = max(0, diagonal - beam)
        end = size + 1 if number == count else min(size + 1, diagonal + beam)
        before = _part(row, low, start - 1, end)
        wrong = np.ones((end - start, 1), dtype=np.int32)
        wrong = np.repeat(wrong, answers.shape[1], axis=1)
        first = max(1, start)
        wrong[first - start :] = reference[first - 1 : end - 1, None] != words
        row = np.minimum(before[:-1] + wrong, before[1:] + 1)
        row -= steps[: end - start]
        np.minimum.accumulate(row, axis=0, out=row)
        row += steps[: end - start]
        low = start
        yield low, row


def _part(row: Distances, low: int, start: int, end: int) -> Distances:
    """The distances to lengths `start`..`end` - 1; those that the row has not got cannot be reached."""
    part = np.full((end - start, row.shape[1]), _NEVER, dtype=np.int32)
    from_, to = max(low, start), min(low + len(row), end)
    part[from_ - start : to - start] = row[from_ - low : to - low]
    return part


def _aligned(rows: Sequence[tuple[int, Distances]], answer: Words, reference: Words) -> _Alignment:
    """The way through the table: a word that stays or is exchanged first, then one taken out, then one inserted."""
    place_of = np.full(len(reference), -1, dtype=np.intp)
    is_wrong_there, is_wrong = np.zeros(len(reference), np.bool_), np.zeros(len(answer), np.bool_)
    flat = [(low, row[:, 0].tolist()) for low, row in rows]

    def distance(at: int, of: int) -> int:
        low, row = flat[at]
        return int(row[of - low]) if 0 <= of - low < len(row) else _NEVER

    at, of = len(answer), len(reference)
    said, wanted = answer.tolist(), reference.tolist()
    while at or of:
        here = distance(at, of)
        is_same = bool(at and of and said[at - 1] == wanted[of - 1])
        if at and of and distance(at - 1, of - 1) + (not is_same) == here:
            at, of = at - 1, of - 1
            place_of[of], is_wrong[at], is_wrong_there[of] = at, not is_same, not is_same
        elif at and distance(at - 1, of) + 1 == here:
            at -= 1
            is_wrong[at] = True
        else:
            of -= 1
            place_of[of], is_wrong_there[of] = at - 1, True
    return _Alignment(place_of, is_wrong_there, is_wrong)


def _candidates(answer: Words, reference: Words, aligned: _Alignment, tried: int) -> tuple[list[_Shift], int]:
    """The shifts that sacrebleu tries in a round, and how many it has tried then in all."""
    shifts: dict[_Shift, None] = {}
    place_of = aligned.place_of.tolist()
    for start, there, length in _matches(answer, reference, aligned):
        before = -1
        for offset in range(-1, length):
            target = place_of[there + offset] + 1 if there + offset >= 0 else 0
            if target != before:
                before = target
                tried += 1
                shifts[_Shift(length, start, target)] = None
        if tried >= _MOST_TRIED:
            break
    return list(shifts), tried


def _matches(answer: Words, reference: Words, aligned: _Alignment) -> Iterator[tuple[int, int, int]]:
    """Where words stand in both, not too far apart and wrong in both: place in either, and how many words."""
    starts, steps = np.arange(len(answer))[:, None], np.arange(-_FARTHEST_SHIFT, _FARTHEST_SHIFT + 1)
    there = starts + steps
    is_there = (there >= 0) & (there < len(reference))
    there = np.where(is_there, there, 0)
    wrong, wrong_there = (
        np.concatenate([[0], np.cumsum(side)]) for side in (aligned.is_wrong, aligned.is_wrong_there)
    )
    goes_on, fits = is_there, []
    for length in range(1, _LONGEST_SHIFT + 1):
        end, end_there = starts + length, there + length
        goes_on = goes_on & (end <= len(answer)) & (end_there <= len(reference))
        last, last_there = np.minimum(end, len(answer)) - 1, np.minimum(end_there, len(reference)) - 1
        goes_on = goes_on & (answer[last] == reference[last_there])
        if not goes_on.any():
            break
        within = (aligned.place_of[there] >= starts) & (aligned.place_of[there] < end)
        fits.append(
            goes_on
            & (wrong[last + 1] > wrong[starts])
            & (wrong_there[last_there + 1] > wrong_there[there])
            & ~within
        )
    if fits:
        for start, step, place in np.argwhere(np.stack(fits, axis=2))[:_MOST_TRIED].tolist():
            yield start, start + step - _FARTHEST_SHIFT, place + 1


def _shifted(words: Words, shift: _Shift) -> Words:
    length, start, target = shift
    end, taken = start + length, words[start : start + length]
    if target < start:
        parts = words[:target], taken, words[target:start], words[end:]
    elif target > end:
        parts = words[:start], words[end:target], taken, words[target:]
    else:  # within the words that are taken: as far behind them
        parts = words[:start], words[end : length + target], taken, words[length + target :]
    return np.concatenate(parts)
