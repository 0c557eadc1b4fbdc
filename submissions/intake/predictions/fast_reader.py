"""The ordinary file in one pass, piece by piece, with little Python bytecode per row.

It knows only how to say yes. Whatever is unusual, allowed or not, it leaves to `explain`.
"""

import re
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import FileFormat
from benchmarks.spec.item_order import in_public_order
from catalogue.answers import Answers
from catalogue.answers.reading import AnswerReader
from catalogue.layouts.form import OrdinaryRows
from catalogue.layouts.row_ids import IdMaker
from catalogue.layouts.text_lines import MAX_CELL
from submissions.intake.canonical import FileTarget, ItemIds, answer_reader

_LINE_FEED = ord("\n")
# The forbidden characters beyond ASCII, as UTF-8 writes them.
_C1_LEAD = b"\xc2"
_C1_CONTROL = re.compile(b"\xc2[\x80-\x9f]")
_LINE_BREAKS = (b"\xe2\x80\xa8", b"\xe2\x80\xa9")


def read_ordinary(data: bytes, target: FileTarget) -> Answers | None:
    """The canonical array, shape (len(ids),), aligned to the ids; None if the file is not an ordinary one.

    Ordinary means: UTF-8, the exact header, one kind of line end throughout, every id in one row, and every answer
    exactly right. Cells may be in quotes, if no line end stands inside.
    JSON lines are ordinary as programs write them. Rows with ids may stand in any order.
    """
    file, ids = target.task.file, target.ids
    is_plain = file.encoding == "utf-8" and not file.repeats
    if not is_plain or not len(ids) or len(data) > target.most_bytes:
        return None
    answers = answer_reader(target.task.output, file)
    placed = _Placed(ids, answers.dtype)
    for rows in file.layout.ordinary_rows(data, file, target.task.output):
        if rows is None or not _are_cells_fine(rows, file, answers):
            return None
        values = (
            answers.of_columns([rows.columns[name] for name in answers.columns])
            if rows.answers is None
            else answers.of_rows(rows.answers)
        )
        if values is None or not placed.take(_ids_in(rows, file), values):
            return None
    return placed.all(file.layout.unanswered(target.task.output, answers))


def _are_cells_fine(rows: OrdinaryRows, file: FileFormat, answers: AnswerReader) -> bool:
    """True if fixed columns say what they must, and no cell is too long or holds what no line may hold."""
    data, columns = rows.data, rows.columns
    if any(set(columns[name]) != {text.encode()} for name, text in file.fixed):
        return False
    if answers.is_closed and rows.answers is None and len(columns) == 1 + len(answers.columns):
        return True  # ids and answers can only be what is known already
    if _longest_line(data) > MAX_CELL and any(max(map(len, cells)) > MAX_CELL for cells in columns.values()):
        return False
    return data.isascii() or _is_plain_utf8(data)


def _ids_in(rows: OrdinaryRows, file: FileFormat) -> list[bytes] | None:
    """The id of each row; None where rows have none."""
    if not file.has_composite_ids:
        return rows.columns.get(file.id_column)
    ids = IdMaker(repeats=False, loose=len(file.loose_columns))
    columns = [[cell.decode() for cell in rows.columns[name]] for name in file.id_columns]
    return [ids.make(cells).encode() for cells in zip(*columns, strict=True)]


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


class _Placed:
    """Answers on their way to the places of their ids."""

    def __init__(self, ids: ItemIds, dtype: np.dtype[Any]) -> None:
        self._ids = ids
        self._values: Answers = np.empty(len(ids), dtype=dtype)
        self._is_answered = np.zeros(len(ids), dtype=np.bool_)
        self._rows = 0

    def take(self, found: list[bytes] | None, values: Answers) -> bool:
        """Put each value at its id's place; False for an unknown id or more rows than ids.

        Without ids rows stand in the order in which these are public.
        """
        in_order = slice(self._rows, self._rows + len(values))
        places: slice | NDArray[np.intp] = in_order
        self._rows += len(values)
        if self._rows > len(self._ids):
            return False
        encoded = self._ids.encoded
        if found is None:
            if self._in_public_order is not None:
                places = self._in_public_order[in_order]
        elif found != (encoded if len(found) == len(encoded) else encoded[in_order]):
            known = self._ids.places_of(found)
            if known is None:
                return False
            places = known
        self._is_answered[places] = True
        self._values[places] = values
        return True

    @cached_property
    def _in_public_order(self) -> NDArray[np.intp] | None:
        """The places of the ids in the order that is public; None where they stand in it."""
        ordered = in_public_order(self._ids.ids)
        if ordered == list(self._ids.ids):
            return None
        places = map(self._ids.index.__getitem__, map(str.encode, ordered))
        return np.fromiter(places, np.intp, count=len(ordered))

    def all(self, unanswered: Any) -> Answers | None:
        """The values in the split's order, with `unanswered` where an id has none; None if it is, or an id had two."""
        is_whole = self._is_answered.all()
        if np.count_nonzero(self._is_answered) != self._rows or (unanswered is None and not is_whole):
            return None
        if not is_whole:
            self._values[~self._is_answered] = unanswered
        return self._values
