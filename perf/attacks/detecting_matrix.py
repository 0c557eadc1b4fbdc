"""Weighings that tell every coin: k 2^(k-1) labels from 2^k sums (Lindström 1965, Cantor and Mills 1966)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def detecting_matrix(order: int) -> NDArray[np.bool_]:
    """Shape (2**order, order * 2**(order-1)). Rows are the subsets of `order` things.

    Each subset S owns |S| columns, which its Moebius sum over the rows weighs with 1, 2, 4, ...; in the Moebius
    sum of a set that is not within S they cancel.
    """
    rows = np.arange(2**order)
    columns = []
    for subset in range(1, 2**order):
        parts = [part for part in range(2**order) if part & ~subset == 0]
        even = [part for part in parts if (subset & ~part).bit_count() % 2 == 0]
        for place in range(subset.bit_count()):
            marked = np.zeros(2**order, dtype=np.bool_)
            marked[even[: 2**place]] = True
            columns.append(marked[rows & subset])
    return np.array(columns).T


def decoded(design: NDArray[np.bool_], sums: Floats, order: int) -> tuple[NDArray[np.intp], bool]:
    """The labels behind the sums of a detecting matrix, and whether every step came out as a possible number."""
    table = np.column_stack([design.astype(np.float64), sums])
    for bit in range(order):
        halves = table.reshape(2 ** (order - bit - 1), 2, 2**bit, -1)
        halves[:, 1] -= halves[:, 0]
    owners = np.repeat(np.arange(2**order), [subset.bit_count() for subset in range(2**order)])
    owners = owners[: design.shape[1]]
    labels = np.zeros(design.shape[1])
    is_sound = True
    for subset in sorted(range(1, 2**order), key=lambda one: -one.bit_count()):
        columns = np.flatnonzero(owners == subset)
        rest = float(table[subset, -1] - table[subset, :-1] @ labels)
        value = round(min(max(rest, 0.0), 2.0 ** len(columns) - 1))
        is_sound &= abs(rest - value) < 0.25
        labels[columns] = [value >> place & 1 for place in range(len(columns))]
    return labels.astype(np.intp), bool(is_sound)
