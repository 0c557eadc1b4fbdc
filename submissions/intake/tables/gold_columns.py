"""What the columns of an organiser's table can be taken for: a cell is a text, or a list with a separator in it."""

import re
from collections.abc import Iterator, Sequence

from catalogue.answers import AnswerKind
from catalogue.answers.reading import NUMBER
from catalogue.gold_column import CellShape, GoldColumn, listed_cells
from submissions.intake.tables.labelled import LabelledTable

_IN_BRACKETS = re.compile(r"\s*(?:\[.*\]|\{.*\})\s*")
_WITH_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


def shapes_of(table: LabelledTable, name: str) -> set[CellShape]:
    """What the cells of a column can be taken for."""
    listed = _listed(table, name)
    return {table.gold_column(name).shape} | ({listed.shape} if listed else set())


def gold_columns(table: LabelledTable, kind: type[AnswerKind], names: Sequence[str]) -> list[GoldColumn]:
    """The columns as gold labels of a kind: as lists where it takes no other cells of a table."""
    takes_texts = CellShape.TEXT in kind.gold_shapes()
    return [(not takes_texts and _listed(table, name)) or table.gold_column(name) for name in names]


def doubts_of_numbers(table: LabelledTable, column: str) -> Iterator[str]:
    """That labels are numbers, with decimal commas or with a few cells among them that hold none, such as `nan`."""
    cells = table.column(column)
    others = [place for place, cell in enumerate(cells) if not NUMBER.fullmatch(cell)]
    written = [place for place in others if _WITH_COMMA.fullmatch(cells[place])]
    if written and written == others:
        yield (
            f"Line {table.lines[written[0]]}, column {column}: here and on {len(written) - 1:,} further lines stands a "
            "number with a decimal comma, which is taken for the name of a label. If these are numbers, write them "
            "with a point, as in 0.75, and choose the file again."
        )
    is_measured = sum("." in cell for cell in cells) > len(cells) / 2
    if is_measured and not written and 0 < len(others) < len(cells) / 2:
        yield (
            f"Line {table.lines[others[0]]}, column {column}: here and on {len(others) - 1:,} further lines stands no "
            "number, so that all others are taken for names of labels. If these are numbers, put those lines right "
            "and choose the file again."
        )


def doubts_of_json(table: LabelledTable, column: str) -> Iterator[str]:
    """That labels are lists or objects as JSON writes them, each of which would be the name of a label."""
    if all(map(_IN_BRACKETS.fullmatch, table.column(column))):
        yield (
            f"Line {table.lines[0]}, column {column}: here and on all other lines stands a list or an object, each "
            "taken for the name of a label. If these are a number for each label, give each a column; or keep the "
            "file and write a definition, with `written: list` or `written: object` beside the kind `soft_labels`."
        )


def _listed(table: LabelledTable, name: str) -> GoldColumn | None:
    return None if table.seen else listed_cells(name, table.column(name))
