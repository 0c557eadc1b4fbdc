"""Rows of any dialect: an item's id and the cells of its answer, with the line they stand on."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One row. `cells` is None where the row's form is wrong and has been reported."""

    line: int
    id: str
    cells: tuple[str, ...] | None
