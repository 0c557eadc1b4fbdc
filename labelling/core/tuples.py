"""Which items are shown together: tuples in which every item stands equally often, and any two hardly ever meet.

Where an item stands in as many tuples as there are items in a few of them (eight tuples of four, as in best-worst
scaling), the tuples are a few base tuples and all their shifts around a circle of the items: any two items then meet as
often as their distance occurs among the base tuples (Bose 1939, doi:10.1111/j.1469-1809.1939.tb02219.x). Otherwise
shuffled lists of the items are cut into tuples, and items are exchanged until few enough pairs meet too often.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import TypeVar

Item = TypeVar("Item")
_Places = tuple[int, ...]
_Base = tuple[_Places, Counter[int]]
"""A base tuple, and how often each distance lies between two of its places, forwards and backwards."""
_Shape = tuple[int, int]
"""A circle of circles: how many there are, and how many places each has."""
_Pair = tuple[int, int]

_ALL_TRIED = 6_000
_SOME_TRIED = 600
"""How many base tuples are tried: all, where they are no more than this, and else so many drawn ones."""
_EXCHANGES = 20_000
_EXCHANGES_AT_ONCE = 50
"""How often exchanges are tried before two items may meet once more, and for one tuple in a row."""


def balanced_tuples(
    items: Sequence[Item], rng: Random, size: int = 4, per_item: int = 8
) -> list[tuple[Item, ...]]:
    """Draw tuples of distinct items, each item in `per_item` of them.

    Where the numbers do not come out even, the last places are filled with items drawn at random, so that some stand in
    one tuple more and none in fewer. With the defaults there are twice as many tuples as items, and no two items are
    together in more than `most_meetings` of them: from 25 items on, in one. With other sizes and few items, two may be
    together in one tuple more.

    Parameters
    ----------
    items : sequence
        Distinct, at least `size` of them.
    rng : random.Random
        The same items, in the same order, and the same state give the same tuples. Order within a tuple is drawn, too.
    size : int
        Items in a tuple, at least 2.
    per_item : int
        Tuples of an item, at least 1.

    References
    ----------
    Kiritchenko and Mohammad (2016), doi:10.18653/v1/N16-1095, section 3: 2N tuples of four.

    Examples
    --------
    >>> tuples = balanced_tuples("abcdef", Random(1))
    >>> len(tuples), sum("a" in shown for shown in tuples)
    (12, 8)
    """
    count = len(items)
    if not 2 <= size <= count:
        raise ValueError(f"A tuple must have from 2 to {count} items, for there are {count}; it has {size}.")
    if per_item < 1:
        raise ValueError(f"Every item must be in at least 1 tuple; it is {per_item}.")
    if len(set(items)) < count:
        raise ValueError("Items must be distinct; one is given twice.")
    most = most_meetings(count, size, per_item)
    numbers = _shifted(count, rng, size, per_item, most) or _exchanged(count, rng, size, per_item, most)
    names = rng.sample(items, count)
    rng.shuffle(numbers)
    return [tuple(names[number] for number in rng.sample(shown, size)) for shown in numbers]


def most_meetings(item_count: int, size: int = 4, per_item: int = 8) -> int:
    """In how many tuples two items may be together: some must be in so many, whatever the design.

    >>> most_meetings(25), most_meetings(13), most_meetings(4)
    (1, 2, 8)
    """
    return -(-per_item * (size - 1) // (item_count - 1))


def _shifted(count: int, rng: Random, size: int, per_item: int, most: int) -> list[_Places] | None:
    """All shifts of a few base tuples; None where sizes do not fit or none are found."""
    if per_item % size:
        return None
    for shape in _shapes(count):
        base = _fitting(_base_tuples(shape, rng, size, most), per_item // size, most)
        if base:
            return [
                tuple(_shift(shape, place, by) for place in places) for places in base for by in range(count)
            ]
    return None


def _shapes(count: int) -> Iterator[_Shape]:
    yield 1, count
    yield from ((across, count // across) for across in range(2, count) if count % across == 0)


def _shift(shape: _Shape, place: int, by: int, sign: int = 1) -> int:
    """The place that lies `by` further, around both circles; `sign` -1 goes back."""
    across, along = shape
    return (place // along + sign * (by // along)) % across * along + (place % along + sign * by) % along


def _base_tuples(shape: _Shape, rng: Random, size: int, most: int) -> list[_Base]:
    """Tuples that hold place 0, in an order drawn; those that alone break the bound are left out."""
    places = range(1, shape[0] * shape[1])
    if comb(len(places), size - 1) <= _ALL_TRIED:
        others = list(combinations(places, size - 1))
        rng.shuffle(others)
    else:
        others = [tuple(rng.sample(places, size - 1)) for _ in range(_SOME_TRIED)]
    bases = []
    for rest in others:
        distances = Counter(_shift(shape, a, b, -1) for a, b in permutations((0, *rest), 2))
        if max(distances.values()) <= most:
            bases.append(((0, *rest), distances))
    return bases


def _fitting(pool: Sequence[_Base], wanted: int, most: int) -> list[_Places] | None:
    """Tuples of the pool, the same one several times perhaps, that keep the bound together; None where none do."""
    for start in range(len(pool)):
        chosen: list[_Places] = []
        used: Counter[int] = Counter()
        for places, distances in pool[start:]:
            while all(used[distance] + times <= most for distance, times in distances.items()):
                chosen.append(places)
                used.update(distances)
                if len(chosen) == wanted:
                    return chosen
    return None


def _exchanged(count: int, rng: Random, size: int, per_item: int, most: int) -> list[_Places]:
    """Shuffled lists of all items, cut into tuples; items exchanged between tuples until the bound holds."""
    places = [number for _ in range(per_item) for number in rng.sample(range(count), count)]
    places += rng.sample(range(count), -len(places) % size)
    tuples = [places[start : start + size] for start in range(0, len(places), size)]
    while not _is_settled(tuples, rng, most):
        most += 1
    return [tuple(shown) for shown in tuples]


def _is_settled(tuples: list[list[int]], rng: Random, most: int) -> bool:
    """Exchange items until no tuple holds one twice and no two meet too often; False after many vain exchanges."""
    met = Counter(pair for shown in tuples for pair in _pairs(shown))
    tries = 0
    while crowded := [
        shown for shown in tuples if any(met[a, b] > most * (a != b) for a, b in _pairs(shown))
    ]:
        for shown in crowded:
            for _ in range(_EXCHANGES_AT_ONCE):
                if _exchange(met, shown, rng.choice(tuples), rng, most):
                    break
        tries += len(crowded) * _EXCHANGES_AT_ONCE
        if tries > _EXCHANGES:
            return False
    return True


def _exchange(met: Counter[_Pair], one: list[int], other: list[int], rng: Random, most: int) -> bool:
    """Exchange an item of two tuples, unless more would meet too often then; True if fewer do."""
    if one is other:
        return False
    here, there = rng.randrange(len(one)), rng.randrange(len(other))

    def swap() -> int:
        change = 0
        for by in (-1, 1):
            for shown, place in ((one, here), (other, there)):
                for number in (*shown[:place], *shown[place + 1 :]):
                    pair = _pair(shown[place], number)
                    limit = most * (pair[0] != pair[1])
                    change += by * (met[pair] + (by > 0) > limit)
                    met[pair] += by
            if by < 0:
                one[here], other[there] = other[there], one[here]
        return change

    change = swap()
    if change > 0:
        swap()
    return change < 0


def _pairs(shown: Sequence[int]) -> Iterator[_Pair]:
    return (_pair(a, b) for a, b in combinations(shown, 2))


def _pair(a: int, b: int) -> _Pair:
    return (a, b) if a < b else (b, a)
