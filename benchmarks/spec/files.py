"""How a file of predictions or gold labels is written: everything that its reader has to know, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Dialect(StrEnum):
    """The ways to write rows of id and answer.

    CSV: cells separated by commas, quoted as RFC 4180 says. TSV: separated by tabs; a quote is a character like any
    other. JSON: an object whose key `label_column` holds an object from id to answer. JSON lines: an object a line,
    with the id and the answer under the keys `id_column` and `label_column`.
    """

    CSV = "csv"
    TSV = "tsv"
    JSON = "json"
    JSON_LINES = "json_lines"

    @property
    def delimiter(self) -> str:
        """What separates the cells of a line; only for CSV and TSV."""
        return "\t" if self is Dialect.TSV else ","


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One task's file: where it stands in a zip and how it is written.

    `path` may hold `*`, which stands for any characters but a slash.

    Tables only: `columns` is the header in full (id and label column alone if empty). `also_headers` are other
    headers of the same meaning. `more_id_columns` make up the id together with `id_column`; with `repeats` an id
    may stand in several rows, and its n-th row answers the n-th in the gold file. `fixed` names columns in which
    every row must say the same, as (column, text). What stands in the remaining columns is read and not compared.
    `line_breaks` allows them inside quoted cells. `cluster_column` of a gold file says which items belong together,
    such as posts of one thread: those with the same text in it, while an item whose cell is empty stands by itself.

    JSON only: `other_keys` may stand beside `label_column` and are somebody else's, or nobody's.

    `also_written` are other ways to write a label, as (written, label).
    """

    path: str
    id_column: str
    label_column: str
    encoding: str = "utf-8"
    dialect: Dialect = Dialect.CSV
    columns: tuple[str, ...] = ()
    also_headers: tuple[tuple[str, ...], ...] = ()
    more_id_columns: tuple[str, ...] = ()
    repeats: bool = False
    fixed: tuple[tuple[str, str], ...] = ()
    line_breaks: bool = False
    other_keys: tuple[str, ...] = ()
    also_written: tuple[tuple[str, str], ...] = ()
    cluster_column: str = ""

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The columns that together name an item."""
        return (self.id_column, *self.more_id_columns)

    @property
    def has_composite_ids(self) -> bool:
        """True if an item's id is made up here instead of standing in a single cell."""
        return bool(self.more_id_columns) or self.repeats

    @property
    def header(self) -> tuple[str, ...]:
        """The names of all columns, in order."""
        return self.columns or (*self.id_columns, self.label_column)

    @property
    def header_line(self) -> str:
        """The first line of a table, as it is written."""
        return self.dialect.delimiter.join(self.header)

    def numbers(self) -> list[Any]:
        """All that can change what a file is read as, for a fingerprint; what has its default is left out."""
        basic: list[Any] = [self.path, self.id_column, self.label_column, self.encoding]
        further = {
            "dialect": self.dialect.value if self.dialect is not Dialect.CSV else "",
            "columns": self.columns,
            "also_headers": self.also_headers,
            "more_id_columns": self.more_id_columns,
            "repeats": self.repeats,
            "fixed": self.fixed,
            "line_breaks": self.line_breaks,
            "other_keys": self.other_keys,
            "also_written": self.also_written,
            "cluster_column": self.cluster_column,
        }
        changed = {key: value for key, value in further.items() if value}
        return [*basic, changed] if changed else basic
