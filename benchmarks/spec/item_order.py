"""The order in which a split's ids are public. It follows from the ids alone, and so tells nothing of a gold file."""

import re
from collections.abc import Iterable

_NUMBERS = re.compile("([0-9]+)")


def in_public_order(ids: Iterable[str]) -> list[str]:
    """The ids as people sort them, numbers by their size.

    The same ids always come out alike, whatever order they are given in.

    >>> in_public_order(["q10", "q9", "q09", "a"])
    ['a', 'q09', 'q9', 'q10']
    """
    in_text_order = sorted(ids)
    if all(map(str.isdigit, in_text_order)) and all(map(str.isascii, in_text_order)):
        return sorted(in_text_order, key=int)  # of a million the places would take hundreds of megabytes
    return sorted(in_text_order, key=_place)


def _place(item: str) -> tuple[list[str | int], str]:
    """Text and numbers in turn; the id itself parts those that are written otherwise and count alike."""
    parts = _NUMBERS.split(item)
    return [int(part) if at % 2 else part for at, part in enumerate(parts)], item
