"""Weighings that tell every coin (Lindström 1965, Cantor and Mills 1966): two kinds of k 2^(k-1) coins with 2^k sums.

A coin of kind j adds j to each sum that it is part of. More kinds need more sums for as many coins.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def coins_weighed(order: int, kinds: int = 2) -> int:
    """How many coins the 2**order sums of a detecting matrix tell.

    >>> coins_weighed(3), coins_weighed(3, kinds=3)
    (12, 8)
    """
    return sum(_owned(subset.bit_count(), kinds) for subset in range(1, 2**order))


def _owned(size: int, kinds: int) -> int:
    """How many columns a subset of so many things owns: weights 1, `kinds`, `kinds`**2, ... up to 2**(size-1)."""
    count = 0
    while kinds**count <= 2 ** (size - 1):
        count += 1
    return count


def detecting_matrix(order: int, kinds: int = 2) -> NDArray[np.bool_]:
    """Shape (2**order, `coins_weighed`). Rows are the subsets of `order` things.

    Each subset S owns some columns, which its Moebius sum over the rows weighs with 1, `kinds`, ...; in the Moebius
    sum of a set that is not within S they cancel.
    """
    rows = np.arange(2**order)
    columns = []
    for subset in range(1, 2**order):
        parts = [part for part in range(2**order) if part & ~subset == 0]
        even = [part for part in parts if (subset & ~part).bit_count() % 2 == 0]
        for place in range(_owned(subset.bit_count(), kinds)):
            marked = np.zeros(2**order, dtype=np.bool_)
            marked[even[: kinds**place]] = True
            columns.append(marked[rows & subset])
    return np.array(columns).T


def decoded(
    design: NDArray[np.bool_], sums: Floats, order: int, kinds: int = 2
) -> tuple[NDArray[np.intp], bool]:
    """The kinds behind the sums of a detecting matrix, and whether every step came out as a possible number.

    `design` may lack columns at its end. Sums are whole numbers but for noise or rounding, which is taken off first.
    """
    whole = np.round(sums)
    is_sound = bool((np.abs(sums - whole) < 0.3).all())
    table = np.column_stack([design.astype(np.float64), whole])
    for bit in range(order):
        halves = table.reshape(2 ** (order - bit - 1), 2, 2**bit, -1)
        halves[:, 1] -= halves[:, 0]
    owners = np.repeat(
        np.arange(2**order), [_owned(subset.bit_count(), kinds) for subset in range(2**order)]
    )[: design.shape[1]]
    found = np.zeros(design.shape[1])
    for subset in sorted(range(1, 2**order), key=lambda one: -one.bit_count()):
        columns = np.flatnonzero(owners == subset)
        rest = round(float(table[subset, -1] - table[subset, :-1] @ found))
        value = min(max(rest, 0), kinds ** len(columns) - 1)
        is_sound &= rest == value
        found[columns] = [value // kinds**place % kinds for place in range(len(columns))]
    return found.astype(np.intp), is_sound
