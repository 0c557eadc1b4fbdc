"""What the columns of an organiser's table can be taken for: a cell is a text, or a list with a separator in it."""

from collections.abc import Sequence

from catalogue.answers import AnswerKind
from catalogue.gold_column import CellShape, GoldColumn, listed_cells
from submissions.intake.tables.labelled import LabelledTable


def shapes_of(table: LabelledTable, name: str) -> set[CellShape]:
    """What the cells of a column can be taken for."""
    listed = _listed(table, name)
    return {table.gold_column(name).shape} | ({listed.shape} if listed else set())


def gold_columns(table: LabelledTable, kind: type[AnswerKind], names: Sequence[str]) -> list[GoldColumn]:
    """The columns as gold labels of a kind: as lists where it takes no other cells of a table."""
    takes_texts = CellShape.TEXT in kind.gold_shapes()
    return [(not takes_texts and _listed(table, name)) or table.gold_column(name) for name in names]


def _listed(table: LabelledTable, name: str) -> GoldColumn | None:
    return None if table.seen else listed_cells(name, table.column(name))
