"""From the table of a corpus to a file of pairs: which of its items differ only in the group that they speak of."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.core.measures.equity import group_pairs
from scoring.file_refusal import FileRefused

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PairRecipe:
    """How a table's items are paired.

    Items are compared if they are alike in every column of `cells`, and in the first column of each pair in
    `cells_unless` unless something stands in the second: there all items are compared as one. `same` says which
    values count as alike, as {one: other}. `by` is the column of the two groups `first` and `second`; items of
    another group take no part. Where the column `stratum` is empty, `no_stratum` is written.
    """

    id: str
    by: str
    first: str
    second: str
    cells: tuple[str, ...]
    cells_unless: tuple[tuple[str, str], ...] = ()
    same: Mapping[str, str] = field(default_factory=dict)
    stratum: str = ""
    no_stratum: str = "none"

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        unless = [column for pair in self.cells_unless for column in pair]
        return (self.id, self.by, *self.cells, *unless, *([self.stratum] if self.stratum else []))


def read_table(data: bytes, recipe: PairRecipe) -> list[Row]:
    """The rows of a CSV file in UTF-8 that has the recipe's columns. FileRefused for any other."""
    try:
        lines = io.StringIO(data.decode("utf-8-sig"), newline="")
    except UnicodeDecodeError as error:
        raise FileRefused(f"Byte {error.start + 1} is not valid UTF-8. Save the table as UTF-8.") from None
    reader = csv.DictReader(lines, strict=True)
    try:
        missing = [column for column in recipe.columns if column not in (reader.fieldnames or ())]
        if missing:
            columns = ", ".join(reader.fieldnames or ()) or "none"
            raise FileRefused(f"The table has no column {', '.join(missing)}; its columns are: {columns}.")
        rows: list[Row] = []
        for row in reader:
            if None in row or None in row.values():
                raise FileRefused(f"Line {reader.line_num} has another number of cells than the header.")
            rows.append(row)
    except csv.Error as error:
        raise FileRefused(f"Line {reader.reader.line_num} is no line of a CSV file: {error}.") from None
    return rows


def derive_pairs(rows: Sequence[Row], recipe: PairRecipe) -> tuple[str, int]:
    """The file of pairs as CSV text, and their number. FileRefused where an item lacks its counterpart."""
    cells = [_cell(row, recipe) for row in rows]
    try:
        pairs = group_pairs(cells, [row[recipe.by] for row in rows], first=recipe.first, second=recipe.second)
    except ValueError as error:
        raise FileRefused(f"{error} Compare fewer columns, or say which values are the same.") from None
    if not pairs:
        raise FileRefused(f"No row has {recipe.first} or {recipe.second} in the column {recipe.by}.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["pair", "group", "id", *(["stratum"] if recipe.stratum else [])])
    for number, pair in enumerate(pairs, 1):
        name = " / ".join([str(number), *filter(None, cells[pair.first[0]])])
        for row in (rows[item] for item in (*pair.first, *pair.second)):
            stratum = [row[recipe.stratum] or recipe.no_stratum] if recipe.stratum else []
            writer.writerow([name, row[recipe.by], row[recipe.id], *stratum])
    return text.getvalue(), len(pairs)


def _cell(row: Row, recipe: PairRecipe) -> tuple[str, ...]:
    values = [row[column] for column in recipe.cells]
    values += ["" if row[other] else row[column] for column, other in recipe.cells_unless]
    return tuple(recipe.same.get(value, value) for value in values)
