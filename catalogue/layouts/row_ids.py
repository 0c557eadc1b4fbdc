"""Ids that stand in several columns, or in several rows."""

import json
import re
from collections import Counter
from collections.abc import Sequence

_LIST = "["
# Control characters that separate nothing. The others are white space.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_as_list = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` would make one per row


class IdMaker:
    """Makes the id of each row of one file from its id cells.

    A single cell is the id itself. Several are written as a JSON list, so that every item can be named on one line
    and no two cells run together. Where ids repeat, the id of the second row of the same cells, and of those after
    it, is a list that ends with which row of theirs it is. Of the `loose` last cells what `loosened` leaves counts.
    """

    def __init__(self, *, repeats: bool, loose: int = 0) -> None:
        self._repeats = repeats
        self._loose = loose
        self._seen = Counter[tuple[str, ...]]()

    def make(self, cells: Sequence[str]) -> str:
        """The id of the next row, whose id cells these are."""
        times = 1
        if self._loose:
            cells = [*cells[: -self._loose], *map(loosened, cells[-self._loose :])]
        if self._repeats:
            self._seen[tuple(cells)] += 1
            times = self._seen[tuple(cells)]
        if len(cells) == 1 and times == 1 and not (self._repeats and cells[0].startswith(_LIST)):
            return cells[0]
        return _as_list([*cells, times] if times > 1 else [*cells])


def parts_of(item: str) -> tuple[tuple[str, ...], int]:
    """The id cells, and which row of theirs is meant, of an id of a file with several id columns or repeated ids."""
    if not item.startswith(_LIST):
        return (item,), 1
    *cells, last = json.loads(item)
    return ((*cells,), last) if isinstance(last, int) else ((*cells, last), 1)


def loosened(text: str) -> str:
    """The text with one space for all white space between words, and without control characters."""
    return " ".join(_CONTROL.sub("", text).split())
