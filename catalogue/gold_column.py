"""A file of gold labels before anybody said what it is: its columns, and what stands in the cells of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain


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

    Of a frame these are the text alone and then the names.
    """

    name: str
    cells: tuple[str, ...] = field(repr=False)
    shape: CellShape = CellShape.TEXT
    parts: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    written_as: WrittenAs = WrittenAs.TEXT

    @property
    def words(self) -> Iterator[str]:
        """Every text of every cell that is not blank."""
        return (
            word for word in (chain.from_iterable(self.parts) if self.parts else self.cells) if word.strip()
        )


@dataclass(frozen=True, slots=True)
class SeenFile:
    """What a layout sees in a file: its columns, and the line that each of its rows begins on.

    `ids` are the columns that can name the items; `options` is what a definition must say of such a file.
    """

    columns: tuple[GoldColumn, ...]
    lines: tuple[int, ...] = field(repr=False)
    ids: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
