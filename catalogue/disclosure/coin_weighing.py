"""How many exact scores are enough to read every gold label off them."""

from math import comb


def answers_that_tell_all(item_count: int, label_count: int) -> int:
    """Exact accuracies of so many chosen answers determine the gold labels of all items.

    An upper bound by construction: 2**k answers determine two labels of k * 2**(k-1) items (Lindström 1965; Cantor and
    Mills 1966, doi:10.4153/CJM-1966-007-2), so items are cut into blocks of such sizes, and one answer more counts the
    items of a label. With more labels each but the first is weighed in turn: the sum of their results tells the first.

    Parameters
    ----------
    item_count : int
        At least 1.
    label_count : int
        Labels of the task, of which each item has one; at least 2.

    Returns
    -------
    int
        Number of answers, at least 2.

    Examples
    --------
    >>> answers_that_tell_all(150, 2), answers_that_tell_all(5_000, 2)
    (65, 1025)
    """
    return (label_count - 1) * _cost(item_count) + 1


def answers_that_tell_a_half(item_count: int, label_count: int) -> int:
    """Exact accuracies of so many chosen answers determine which items they are of, and the gold labels of these.

    As `answers_that_tell_all`, but an item now adds one thing of three to a result: it is right, wrong, or not
    displayed. How many are displayed follows from the results.

    Parameters
    ----------
    item_count : int
        Of all items, displayed or not; at least 1.
    label_count : int
        Labels of the task, of which each item has one; at least 2.

    Returns
    -------
    int
        Number of answers, at least 3.

    Examples
    --------
    >>> answers_that_tell_a_half(150, 2), answers_that_tell_a_half(1_200, 2)
    (97, 513)
    """
    return (label_count - 1) * _cost(item_count, kinds=3) + 1


def block_orders(item_count: int, kinds: int = 2) -> list[int]:
    """Orders k of the blocks that together hold all items, with few answers; a block is weighed with 2**k answers.

    For two kinds of items it holds k * 2**(k-1) of them.
    """
    orders = []
    left = item_count
    while left > 0:
        order = 1
        while _block_size(order + 1, kinds) <= left:
            order += 1
        # One larger block instead, where the rest would need as many answers as that block saves.
        size = _block_size(order, kinds)
        if left > size and 2 ** (order + 1) <= 2**order + _cost(left - size, kinds):
            order += 1
        orders.append(order)
        left -= _block_size(order, kinds)
    return orders


def _cost(item_count: int, kinds: int = 2) -> int:
    return sum(1 << order for order in block_orders(item_count, kinds))


def _block_size(order: int, kinds: int) -> int:
    """Each set of s of `order` things stands for as many items as there are powers of `kinds` up to 2**(s-1)."""
    return sum(comb(order, size) * _powers_up_to(2 ** (size - 1), kinds) for size in range(1, order + 1))


def _powers_up_to(limit: int, kinds: int) -> int:
    count = 0
    while kinds**count <= limit:
        count += 1
    return count
