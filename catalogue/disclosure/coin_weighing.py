"""How many exact scores are enough to read every gold label off them."""


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


def block_orders(item_count: int) -> list[int]:
    """Orders k of the blocks of k * 2**(k-1) items that together hold all items, with few answers."""
    orders = []
    left = item_count
    while left > 0:
        order = 1
        while _block_size(order + 1) <= left:
            order += 1
        # One larger block instead, where the rest would need as many answers as that block saves.
        if left > _block_size(order) and 2 ** (order + 1) <= 2**order + _cost(left - _block_size(order)):
            order += 1
        orders.append(order)
        left -= _block_size(order)
    return orders


def _cost(item_count: int) -> int:
    return sum(1 << order for order in block_orders(item_count))


def _block_size(order: int) -> int:
    return order << (order - 1)
