"""Rows of any dialect: an item's id and the cells of its answer, with the line they stand on."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One row. `cells` is None where the row's form is wrong and has been reported.

    `cell_lines` says on which line each cell stands, if not all on the row's own. `cluster` is what stands in the
    column of what items belong to, if there is one.
    """

    line: int
    id: str
    cells: tuple[str, ...] | None
    cell_lines: tuple[int, ...] = ()
    cluster: str = ""

    def line_of(self, cell: int) -> int:
        """The line that a cell stands on."""
        return self.cell_lines[cell] if self.cell_lines else self.line
