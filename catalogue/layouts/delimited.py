"""Tables: cells separated by commas or another sign, quoted as RFC 4180 says, or by tabs, without any quotes."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.many_lines.parts import are_parts, in_one_cell, parted_cells, parted_rows
from catalogue.layouts.row_ids import parts_of
from catalogue.layouts.table_rows import LONGEST_ROW, TableReader
from catalogue.layouts.text_lines import pieces_of_lines

# What stands in the cells that no reader compares.
UNREAD = "-"
_FIRST_BYTES = 4096  # in which the first line ends, or the file is no ordinary one
_QUOTE = b'"'
_CONTROL = bytes([*range(9), *range(10, 32), 127])
_TABLE_OPTIONS = (
    "columns",
    "also_headers",
    "more_id_columns",
    "loose_columns",
    "repeats",
    "repeats_in_any_order",
    "fixed",
    "cluster_column",
    "group_columns",
    "empty_labels",
    "headerless",
    "separator",
)


class Delimited(Layout):
    """Lines of cells below a header."""

    is_table = True
    may_be_shared = True

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        if not isinstance(source, bytes):
            raise TypeError("A table is read from its bytes.")
        answers = reading.answers
        looks_like_row, most = answers.looks_like_answer, answers.most_characters
        if form.separator:
            looks_like_row = partial(are_parts, reading.output, answers, form.separator)
            most = max(most, answers.longest)
        table = TableReader(form, answers.columns, looks_like_row, reading.report, reading.max_rows, most)
        rows = table.read(source)
        return parted_rows(rows, form.separator, reading) if form.separator else rows

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Rows as they stand in an ordinary file: one kind of line end, and quotes but around whole cells."""
        first, width = self._first_line(data, form), len(form.header)
        if first is None or output.has_tokens:  # whether there are as many as tokens is told row by row
            yield None
            return
        header, line_end = first
        for piece in pieces_of_lines(data, len(header), line_end):
            cells = self._cells(piece, width, line_end, form.delimiter.encode())
            if cells is None:
                yield None
                return
            columns = {name: cells[at::width] for at, name in enumerate(form.header)}
            answers = None
            if form.separator:
                answers = parted_cells(columns[form.label_column], form.separator, output)
                if answers is None:
                    yield None
                    return
            yield OrdinaryRows(piece, columns, answers)

    def _cells(self, piece: bytes, width: int, line_end: bytes, delimiter: bytes) -> list[bytes] | None:
        """All cells, row after row; None unless each row has that many and all are quoted alike."""
        # What is left without the cells' content must be delimiters, quotes and a line end, row after row.
        structure = piece.translate(None, _content(delimiter, has_quotes=self.has_quotes))
        row, rows = structure.partition(line_end)[0], structure.count(line_end) + 1
        is_even = structure + line_end == (row + line_end) * rows and row.count(delimiter) == width - 1
        if not is_even or not _is_at_edges(piece, row.split(delimiter), rows, line_end, delimiter):
            return self._cells_one_by_one(piece, width, line_end, delimiter)
        if not self.has_quotes and b'""' in piece:
            return None  # it may be quoted as CSV is
        unread = b'\r"' if self.has_quotes else b"\r"
        return piece.translate(bytes.maketrans(b"\n", delimiter), unread).split(delimiter)

    def _cells_one_by_one(
        self, piece: bytes, width: int, line_end: bytes, delimiter: bytes
    ) -> list[bytes] | None:
        """The same of rows of which some cells are quoted, as programs write what holds a delimiter or a quote."""
        if not self.has_quotes or b'"' not in piece:
            return None
        rows = _rows_of(width, line_end, delimiter).findall(piece + line_end)
        if len(rows) != piece.count(b"\n") + 1 or max(map(len, piece.split(line_end))) > LONGEST_ROW:
            return None
        return [
            cell[1:-1].replace(_QUOTE * 2, _QUOTE) if cell.startswith(_QUOTE) else cell
            for cells in rows
            for cell in cells
        ]

    def _first_line(self, data: bytes, form: FileFormat) -> tuple[bytes, bytes] | None:
        """The header with its line end, and the line end; None where there is another one than there must be."""
        if form.headerless:
            return b"", b"\r\n" if b"\r\n" in data[:_FIRST_BYTES] else b"\n"
        # It may be plain, or have each name in quotes.
        headers = [form.header_line]
        if self.has_quotes and '"' not in form.header_line:
            headers.append(form.delimiter.join(f'"{name}"' for name in form.header))
        for header, line_end in product(map(str.encode, headers), (b"\n", b"\r\n")):
            if data.startswith(header + line_end):
                return header + line_end, line_end
        return None

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        """The table of parts. A file has up to a million rows, so cells are looked at one by one only if need be."""
        part, *others = parts
        rows = _rows(part, others)
        text = "".join(f"{line}\n" for line in map(part.form.delimiter.join, rows))
        delimiters = len(rows) * (len(part.form.header) - 1)
        is_plain = text.count("\n") == len(rows) and text.count(part.form.delimiter) == delimiters
        if is_plain and not (self.has_quotes and '"' in text):
            return text
        return "".join(self._line(cells, part.form) for cells in rows)

    @abstractmethod
    def _line(self, cells: Sequence[str], form: FileFormat) -> str:
        """One row; ValueError for a cell that has no way to be written."""


class Csv(Delimited):
    """Cells separated by commas or by the file's own `delimiter`, quoted as RFC 4180 says."""

    key = "csv"
    title = "CSV"
    ending = "csv"
    has_quotes = True
    options = (*_TABLE_OPTIONS, "delimiter", "line_breaks")
    task_ending = ".csv"

    def _line(self, cells: Sequence[str], form: FileFormat) -> str:
        if any("\n" in cell for cell in cells) and not form.line_breaks:
            raise _unwritable(cells, form)
        mark = form.delimiter
        return mark.join(_quoted(cell, mark) for cell in cells) + "\n"


class Tsv(Delimited):
    """Cells separated by tabs; a quote is a character like any other."""

    key = "tsv"
    title = "TSV"
    ending = "tsv"
    note = "tabs between the cells, "
    delimiter = "\t"
    options = _TABLE_OPTIONS

    def _line(self, cells: Sequence[str], form: FileFormat) -> str:
        if any("\n" in cell or "\t" in cell for cell in cells):
            raise _unwritable(cells, form)
        return "\t".join(cells) + "\n"


CSV = Csv()
TSV = Tsv()


def _unwritable(cells: Sequence[str], form: FileFormat) -> ValueError:
    return ValueError(f"{form.path} has no way to write a cell with a tab or a line break: {cells!r:.200}")


@lru_cache(maxsize=64)
def _content(delimiter: bytes, *, has_quotes: bool) -> bytes:
    """The bytes that an ordinary cell may hold."""
    return bytes({*range(256)} - {*delimiter, *_CONTROL, *(_QUOTE if has_quotes else b"")})


@lru_cache(maxsize=64)
def _rows_of(width: int, line_end: bytes, delimiter: bytes) -> re.Pattern[bytes]:
    """A whole line of so many cells, each with the quotes around it."""
    inner, mark = re.escape(_CONTROL), re.escape(delimiter)
    cell = b'("(?:[^"%b]|"")*+"|[^"%b%b]*+)' % (inner, mark, inner)
    return re.compile(b"^" + mark.join([cell] * width) + line_end, re.MULTILINE)


def _quoted(cell: str, delimiter: str) -> str:
    needs_quotes = any(mark in cell for mark in (delimiter, '"', "\n"))
    return '"{}"'.format(cell.replace('"', '""')) if needs_quotes else cell


def _is_at_edges(piece: bytes, cells: Sequence[bytes], rows: int, line_end: bytes, delimiter: bytes) -> bool:
    """True if quotes are but a cell's first and last byte, and a carriage return stands nowhere but in a line end.

    `cells` are what each of the `rows` has in its cells of such bytes.
    """
    if any(cell not in (b"", _QUOTE * 2) for cell in cells):
        return False
    quoted = rows * cells.count(_QUOTE * 2)
    whole = np.frombuffer(b"\n" + piece + line_end, dtype=np.uint8)
    before, after = whole[:-1], whole[1:]
    if line_end == b"\r\n" and not np.array_equal(before == ord("\r"), after == ord("\n")):
        return False
    if not quoted:
        return True
    opened = (after == ord(_QUOTE)) & ((before == ord(delimiter)) | (before == ord("\n")))
    closed = (before == ord(_QUOTE)) & ((after == ord(delimiter)) | (after == line_end[0]))
    return bool(np.count_nonzero(opened) == np.count_nonzero(closed) == quoted)


def _rows(part: AnsweredPart, others: Sequence[AnsweredPart]) -> list[Sequence[str]]:
    """Header, if there is one, and rows, with cells that nobody compares filled in."""
    form = part.form
    ordered = list(_in_order(form, zip(part.ids, part.values, strict=True)))
    items = [parts_of(item)[0] if form.has_composite_ids else (item,) for item, _ in ordered]
    answers = [_cells_of(value, form) for _, value in ordered]
    columns = {name: [text] * len(ordered) for name, text in form.fixed}
    columns |= _columns(form.id_columns, items) | _columns(part.columns, answers)
    for other in others:  # with the same ids, in whatever order
        value_of = dict(zip(other.ids, other.values, strict=True))
        columns |= _columns(
            other.columns, [_cells_of(value_of.get(item, UNREAD), other.form) for item, _ in ordered]
        )
    unread = [UNREAD] * len(ordered)
    header = [] if form.headerless else [form.header]
    return [*header, *zip(*(columns.get(name, unread) for name in form.header), strict=True)]


def _cells_of(value: Any, form: FileFormat) -> Sequence[str]:
    if form.separator and value != UNREAD:
        return (in_one_cell(value, form.separator),)
    if isinstance(value, dict):
        return tuple(map(str, value.values()))
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {name: [cells[place] for cells in rows] for place, name in enumerate(names)}


def _in_order(form: FileFormat, rows: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, Any]]:
    """The rows; where ids repeat, the first of all ids before the second of any, because rows are told by counting."""
    return sorted(rows, key=lambda row: parts_of(row[0])[1]) if form.repeats else rows
