"""The ordinary table in one pass, with little Python bytecode per row.

It knows only how to say yes. Whatever is unusual, allowed or not, it leaves to `explain`.
"""

import re

import numpy as np

from benchmarks.spec import FileFormat
from catalogue.answers import Answers
from catalogue.answers.reading import AnswerReader
from catalogue.layouts.text_lines import MAX_CELL
from submissions.intake.canonical import FileTarget, ItemIds, answer_reader

_LINE_FEED = ord("\n")
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
    is_plain = file.encoding == "utf-8" and not file.has_composite_ids
    if not is_plain or not len(ids) or len(data) > target.most_bytes:
        return None
    columns = file.layout.columns_at_once(data, file, len(ids))
    if columns is None:
        return None
    answers = answer_reader(target.task.output, file)
    if not _are_cells_fine(data, columns, file, answers):
        return None
    values = answers.of_columns([columns[name] for name in answers.columns])
    return None if values is None else _aligned(values, columns[file.id_column], ids)


def _are_cells_fine(
    data: bytes, columns: dict[str, list[bytes]], file: FileFormat, answers: AnswerReader
) -> bool:
    """True if fixed columns say what they must, and no cell is too long or holds what no line may hold."""
    if any(set(columns[name]) != {text.encode()} for name, text in file.fixed):
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
        positions = np.fromiter(map(ids.index.__getitem__, found), dtype=np.intp, count=len(found))
    except KeyError:
        return None
    answered = np.zeros(len(ids), dtype=np.bool_)
    answered[positions] = True
    if not answered.all():
        return None
    aligned = np.empty_like(values)
    aligned[positions] = values
    return aligned
