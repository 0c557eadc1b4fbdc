"""Recovering gold labels with certainty: an answer's score is a weighing, and few weighings find all false coins.

Lindström (1965), "On a combinatory detection problem"; Cantor and Mills (1966), doi:10.4153/CJM-1966-007-2.
"""

import numpy as np

from perf.attacks.board import AttackedBoard, Floats, Labels
from perf.attacks.strategies import Outcome


def weigh_coins(board: AttackedBoard, orders: tuple[int, ...]) -> Outcome:
    """A block of items of order k has k * 2**(k-1) of them and costs 2**k answers; one more counts the positives."""
    size = len(board.gold)
    labels = np.zeros(size, dtype=bool)
    positives = _positives(board.ask(0, labels), size, board.metric)
    begin, proven = 0, 0
    for order in orders:
        design = detecting_matrix(order)[:, : size - begin]
        items = slice(begin, begin + design.shape[1])
        sums = np.array([_sum_of(board, row, items, positives) for row in design])
        labels[items], is_sound = decode(design, sums, order)
        proven += design.shape[1] if is_sound and np.array_equal(labels[items], board.gold[items]) else 0
        begin = items.stop
    return Outcome(labels, proven)


def _positives(shown: float, size: int, metric: str) -> int:
    """How many gold labels are positive, from the score of an answer without any: (n-P)/n or (n-P)/(2n-P)."""
    return round(size * (1 - shown)) if metric == "accuracy" else round(size * (1 - 2 * shown) / (1 - shown))


def _sum_of(board: AttackedBoard, row: Labels, items: slice, positives: int) -> float:
    """How many of the chosen items are positive, as far as what is shown tells."""
    size, chosen = len(board.gold), int(row.sum())
    asked = np.zeros(size, dtype=bool)
    asked[items] = row
    shown = board.ask(0, asked)
    if board.metric == "accuracy":
        return (shown * size - (size - positives) + chosen) / 2
    # Macro-F1 is linear in the true positives once the number of positives is known.
    positive, negative = chosen + positives, 2 * size - chosen - positives
    return (shown - (size - positives - chosen) / negative) / (1 / positive + 1 / negative)


def detecting_matrix(order: int) -> Labels:
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
            marked = np.zeros(2**order, dtype=bool)
            marked[even[: 2**place]] = True
            columns.append(marked[rows & subset])
    return np.array(columns).T


def decode(design: Labels, sums: Floats, order: int) -> tuple[Labels, bool]:
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
        number = round(min(max(rest, 0.0), 2.0 ** len(columns) - 1))
        is_sound &= abs(rest - number) < 0.25
        labels[columns] = [number >> place & 1 for place in range(len(columns))]
    return labels.astype(bool), bool(is_sound)
