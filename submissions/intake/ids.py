"""Ids that stand in several columns, or in several rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence


class IdMaker:
    """Makes the id of each row of one file from its id cells.

    A single cell is the id itself. Otherwise the id is a JSON list of the cells, so that every item can be named
    on one line and no two cells run together; from the second row of the same cells on, the list ends with which
    row of theirs it is.
    """

    def __init__(self, *, repeats: bool, composite: bool) -> None:
        self._repeats = repeats
        self._composite = composite
        self._seen: Counter[tuple[str, ...]] = Counter()

    def make(self, cells: Sequence[str]) -> str:
        """The id of the next row, whose id cells these are."""
        if not self._composite:
            return cells[0]
        parts: list[str | int] = list(cells)
        if self._repeats:
            self._seen[tuple(cells)] += 1
            times = self._seen[tuple(cells)]
            parts += [times] if times > 1 else []
        return json.dumps(parts, ensure_ascii=False)


def parts_of(item: str) -> tuple[tuple[str, ...], int]:
    """The id cells and which row of theirs is meant, of an id that was made from several."""
    *cells, last = json.loads(item)
    return ((*cells,), last) if isinstance(last, int) else ((*cells, last), 1)
