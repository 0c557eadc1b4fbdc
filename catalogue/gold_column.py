"""A file of gold labels before anybody said what it is: its columns, and what stands in the cells of each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain

_SEPARATORS = (";", "|", ",")
_LABEL = re.compile(r"[^\[\]{}\n]{1,100}")


class CellShape(Enum):
    """What a column holds in each of its cells."""

    TEXT = auto()  # one text, number or truth value
    LIST = auto()  # a list of texts
    TOKENS = auto()  # a text for each token of the item, on lines of their own
    FRAME = auto()  # a text, and an object from name to text or list of texts
    JUDGED = auto()  # documents with their grades
    NESTED = auto()  # a list of numbers, lists or objects, as JSON writes it


class WrittenAs(Enum):
    """How JSON writes the texts of a column, if all are written alike."""

    TEXT = ""
    NUMBERS = "numbers"
    BOOLEANS = "booleans"


@dataclass(frozen=True, slots=True)
class GoldColumn:
    """A column of a file. `cells` are texts to show; `parts` are the texts in each where a cell has several.

    Of a frame these are the text alone and then the names. `separator` stands between them in a cell of a table.
    """

    name: str
    cells: tuple[str, ...] = field(repr=False)
    shape: CellShape = CellShape.TEXT
    parts: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    written_as: WrittenAs = WrittenAs.TEXT
    separator: str = ""

    @property
    def words(self) -> Iterator[str]:
        """Every text of every cell that is not blank."""
        return (
            word for word in (chain.from_iterable(self.parts) if self.parts else self.cells) if word.strip()
        )


def listed_cells(name: str, cells: Sequence[str]) -> GoldColumn | None:
    """A column of a table whose cells hold several labels each with a separator between them; None if it is none.

    It is one where labels come again in other cells, so that there are no more labels than different cells. Numbers
    with decimal commas, lists as JSON or Python write them and cells with a part twice are no such lists.
    """
    whole = set(filter(None, cells))
    for separator in _SEPARATORS:
        parted = {cell: tuple(part.strip() for part in cell.split(separator)) for cell in whole}
        labels = {part for parts in parted.values() for part in parts}
        if (
            sum(separator in cell for cell in whole) > 1
            and len(labels) <= len(whole)
            and all(map(_LABEL.fullmatch, labels))
            and not all(map(str.isdigit, labels))
            and all(len(set(parts)) == len(parts) for parts in parted.values())
        ):
            parts = tuple(parted[cell] if cell else () for cell in cells)
            return GoldColumn(name, tuple(cells), CellShape.LIST, parts, separator=separator)
    return None


@dataclass(frozen=True, slots=True)
class SeenFile:
    """What a layout sees in a file: its columns, and the line that each of its rows begins on.

    `ids` are the columns that can name the items; `options` is what a definition must say of such a file.
    """

    columns: tuple[GoldColumn, ...]
    lines: tuple[int, ...] = field(repr=False)
    ids: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
