"""The ordinary table in one pass, with little Python bytecode per row.

It knows only how to say yes. Whatever is unusual, allowed or not, it leaves to `explain`.
"""

from __future__ import annotations

import re
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import Dialect, FileFormat
from catalogue.answers import Answers
from catalogue.answers.reading import AnswerReader
from submissions.intake.answers import answer_reader
from submissions.intake.canonical import FileTarget, ItemIds
from submissions.intake.text import MAX_CELL

_LINE_FEED = ord("\n")
_QUOTE = b'"'
_CONTROL = bytes([*range(9), *range(10, 32), 127])
_STRUCTURE = {Dialect.CSV: b',"' + _CONTROL, Dialect.TSV: b"\t" + _CONTROL}
_CONTENT = {dialect: bytes(set(range(256)) - set(structure)) for dialect, structure in _STRUCTURE.items()}
_LINE_FEED_TO = {
    dialect: bytes.maketrans(b"\n", dialect.delimiter.encode()) for dialect in (Dialect.CSV, Dialect.TSV)
}
# The forbidden characters beyond ASCII, as UTF-8 writes them.
_C1_LEAD = b"\xc2"
_C1_CONTROL = re.compile(b"\xc2[\x80-\x9f]")
_LINE_BREAKS = (b"\xe2\x80\xa8", b"\xe2\x80\xa9")


def read_ordinary(data: bytes, target: FileTarget) -> Answers | None:
    """The canonical array, shape (len(ids),), aligned to the ids; None if the file is not an ordinary one.

    Ordinary means: UTF-8, the exact header, one kind of line end throughout, every id in one cell and in one row, and
    every answer exactly right. Columns may be in quotes as a whole, if no quote, delimiter or line end stands inside.
    The rows may stand in any order.
    """
    file, ids = target.task.file, target.ids
    if not _may_be_ordinary(file) or not len(ids) or len(data) > target.most_bytes:
        return None
    cells = _cells(data, file, len(ids))
    if cells is None:
        return None
    width = len(file.header)
    columns = {name: cells[place::width] for place, name in enumerate(file.header)}
    answers = answer_reader(target.task.output, file)
    if not _are_cells_fine(data, columns, file, answers):
        return None
    values = answers.of_columns([columns[name] for name in answers.columns])
    return None if values is None else _aligned(values, columns[file.id_column], ids)


def _may_be_ordinary(file: FileFormat) -> bool:
    is_table = file.dialect in _STRUCTURE
    return is_table and file.encoding == "utf-8" and not file.has_composite_ids


def _cells(data: bytes, file: FileFormat, rows: int) -> list[bytes] | None:
    """All cells below the header, row after row; None unless there are as many as there must be."""
    delimiter = file.dialect.delimiter.encode()
    for header, line_end in product(_headers(file), (b"\n", b"\r\n")):
        if data.startswith(header + line_end):
            break
    else:
        return None
    body = data[len(header + line_end) :].removesuffix(line_end)
    # What is left without the cells' content must be delimiters, quotes and a line end, row after row.
    structure = body.translate(None, _CONTENT[file.dialect])
    row = structure.partition(line_end)[0]
    if structure != line_end.join([row] * rows) or row.count(delimiter) != len(file.header) - 1:
        return None
    if row != delimiter * (len(file.header) - 1):
        if not _is_quoted_as_a_whole(body, row, rows, line_end):
            return None
        body = body.replace(_QUOTE, b"")
    return body.translate(_LINE_FEED_TO[file.dialect], b"\r").split(delimiter)


def _headers(file: FileFormat) -> list[bytes]:
    """How the first line may be written: plain, or each name in quotes."""
    can_be_quoted = file.dialect is Dialect.CSV and '"' not in file.header_line
    quoted = [",".join(f'"{name}"' for name in file.header)] if can_be_quoted else []
    return [line.encode() for line in (file.header_line, *quoted)]


def _is_quoted_as_a_whole(body: bytes, row: bytes, rows: int, line_end: bytes) -> bool:
    """True if no cell has anything before its first or behind its second quote, where `row` is each row's structure."""
    cells = row.split(b",")
    if any(cell not in (b"", _QUOTE * 2) for cell in cells):
        return False
    quoted = rows * cells.count(_QUOTE * 2)
    opened = body.count(b',"') + body.count(b'\n"') + body.startswith(_QUOTE)
    closed = body.count(b'",') + body.count(_QUOTE + line_end) + body.endswith(_QUOTE)
    return opened == closed == quoted


def _are_cells_fine(
    data: bytes, columns: dict[str, list[bytes]], file: FileFormat, answers: AnswerReader
) -> bool:
    """True if fixed columns say what they must, and no cell is too long or holds what no line may hold."""
    for name, text in file.fixed:
        if set(columns[name]) != {text.encode()}:
            return False
    if answers.is_closed and len(columns) == 1 + len(answers.columns):
        return True  # ids and answers can only be what is known already
    if _longest_line(data) > MAX_CELL and any(max(map(len, cells)) > MAX_CELL for cells in columns.values()):
        return False
    return data.isascii() or _is_plain_utf8(data)


def _longest_line(data: bytes) -> int:
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_FEED)
    return int(np.diff(ends, prepend=0, append=len(data)).max())


def _is_plain_utf8(data: bytes) -> bool:
    if any(mark in data for mark in _LINE_BREAKS) or (_C1_LEAD in data and _C1_CONTROL.search(data)):
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _aligned(values: Answers, found: list[bytes], ids: ItemIds) -> Answers | None:
    """The values in the split's order. None for an unknown id or a doubled one."""
    if found == ids.encoded:
        return values
    try:
        positions: NDArray[np.intp] = np.fromiter(
            map(ids.index.__getitem__, found), dtype=np.intp, count=len(found)
        )
    except KeyError:
        return None
    answered = np.zeros(len(ids), dtype=np.bool_)
    answered[positions] = True
    if not answered.all():
        return None
    aligned = np.empty_like(values)
    aligned[positions] = values
    return aligned
