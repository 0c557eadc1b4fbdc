"""An organiser's file of texts: the public inputs of a split, read as strictly as predictions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.answers import ConfidentLabel, Label, LabelSubset, Span
from submissions.intake.answers import answer_reader
from submissions.intake.canonical import ItemIds
from submissions.intake.dialects.cells import CellError, split_cells
from submissions.intake.dialects.faults import forbidden, quote_finding
from submissions.intake.foreign import ForeignIds
from submissions.intake.ids import parts_of
from submissions.intake.nearest import as_ranges, loose_label
from submissions.intake.problems import (
    FileReport,
    Finding,
    Problem,
    ProblemCode,
    RefusedError,
    Report,
    quoted,
    visible,
)
from submissions.intake.text import decode, first_forbidden, physical_lines

ID_COLUMN = "id"
MAX_TEXT = 100_000
MAX_TEXT_COLUMNS = 16
_MAX_COLUMN_NAME = 64
_SPARE_ROWS = 100
_MOST_LINES = 10_000_000
_FORM = f"{ID_COLUMN},text"
_DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars"}


@dataclass(frozen=True, slots=True)
class TextsFile:
    """The texts of a split. `rows` has one entry per id, in the split's order, with a text per name in `columns`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def header(self) -> tuple[str, ...]:
        """The names of all columns of the file."""
        return (ID_COLUMN, *self.columns)


@dataclass(frozen=True, slots=True)
class TextsResult:
    """A file of texts, or None and its first problems; `more` counts the rest."""

    file: TextsFile | None
    problems: tuple[Problem, ...]
    more: int


def read_texts(data: bytes, *, file_name: str, task: TaskSpec, split: str, ids: ItemIds) -> TextsResult:
    """Read a CSV file of the column `id` and one or more columns of text, named by the header.

    UTF-8; line breaks may stand inside quotes. The ids are exactly `ids`, in any order, each once. Where ids of the
    task repeat, an id is written as the split has it, or as often as it repeats: its n-th row is the n-th item.
    A column that holds the task's answers is refused: texts are public.
    """
    report = Report()
    file_report = FileReport(report, file=file_name, task=task.id)
    try:
        table = _Table(data, file_report, ids)
        texts = _Texts(table, file_report, ids, split, repeats=task.file.repeats or task.gold.repeats)
        texts.take_all()
        if file_report.is_clean:
            _check_for_answers(texts.file(), task, file_report)
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        return TextsResult(None, tuple(report.problems), report.more)
    return TextsResult(texts.file(), (), 0)


def write_texts(file: TextsFile, ids: ItemIds) -> bytes:
    """The file as `read_texts` reads it: ids as the split has them, LF line ends, quotes where they are needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(file.header)
    writer.writerows((item, *row) for item, row in zip(ids.ids, file.rows, strict=True))
    return out.getvalue().encode()


@dataclass(frozen=True, slots=True)
class _Line:
    """One row: the line it begins on, its cells, and its text as it stands in the file."""

    number: int
    cells: tuple[str, ...]
    text: str

    def line_of(self, position: int) -> int:
        """The line that a character of the row stands on."""
        return self.number + self.text.count("\n", 0, position)


class _Table:
    """The rows of a CSV file whose header names columns of text."""

    def __init__(self, data: bytes, report: FileReport, ids: ItemIds) -> None:
        self._report = report
        self._lines = report.lines = physical_lines(decode(data), _MOST_LINES)
        self._max_rows = 2 * len(ids) + _SPARE_ROWS
        self._file = FileFormat("", ID_COLUMN, "text")
        header, self._first_row = self._row(1)
        self.columns = header.cells[1:]
        fault = _header_fault(header, ids)
        if fault is not None:
            raise RefusedError(fault, line=1)
        self._file = FileFormat("", ID_COLUMN, self.columns[0], columns=header.cells)

    def rows(self) -> Iterator[_Line]:
        """The rows in file order; blank lines are reported."""
        number, count = self._first_row, 0
        if number > len(self._lines):
            finding = Finding(
                ProblemCode.NO_ROWS, "The file has a header and no rows. Add a row for every id."
            )
            raise RefusedError(finding)
        while number <= len(self._lines):
            if count >= self._max_rows:
                message = f"The file has more than {self._max_rows:,} rows, far more than ids. Reading stopped here."
                raise RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=number)
            row, number = self._row(number)
            count += 1
            if not row.text:
                finding = Finding(ProblemCode.BLANK_LINE, "The line is blank. Remove it.")
                self._report.add(finding, line=row.number)
            else:
                yield row

    def _row(self, number: int) -> tuple[_Line, int]:
        """The row that begins on that line, and the number of the line after it."""
        parts = [self._lines[number - 1]]
        is_open = parts[0].count('"') % 2 == 1
        while is_open and number + len(parts) <= len(self._lines):
            parts.append(self._lines[number + len(parts) - 1])
            is_open = parts[-1].count('"') % 2 == 0
        text = "\n".join(parts)
        try:
            return _Line(number, tuple(split_cells(text)), text), number + len(parts)
        except CellError as error:
            raise RefusedError(self._quote_fault(error, parts[0]), line=number) from None

    def _quote_fault(self, error: CellError, line: str) -> Finding:
        """Behind a wrong quote nobody can tell where the next row begins, so reading ends with it."""
        if error.code is ProblemCode.UNCLOSED_QUOTE:
            message = (
                "A quote opens in this row and is not closed in the rest of the file. Close it, or double it."
            )
            return Finding(error.code, message, visible(line), self._file.header_line)
        return quote_finding(error.code, line, self._file)

    def width_fault(self, row: _Line) -> Finding | None:
        """What is wrong with a row that has not a cell for every column."""
        wanted, found = len(self._file.header), len(row.cells)
        if found == wanted:
            return None
        code = ProblemCode.LONG_ROW if found > wanted else ProblemCode.SHORT_ROW
        message = f"The row has {found} cell{'' if found == 1 else 's'} where {wanted} are expected."
        if found > wanted:
            message += ' If a comma belongs to a text, put the text in quotes: "first, second".'
        return Finding(code, message, visible(row.text), visible(self._file.header_line))


class _Texts:
    """The texts of one file as they come in, placed by their ids."""

    def __init__(self, table: _Table, report: FileReport, ids: ItemIds, split: str, *, repeats: bool) -> None:
        self._table = table
        self._report = report
        self._ids = ids
        self._foreign = ForeignIds(ids, split)
        self._repeats = repeats
        self._rows: dict[int, tuple[str, ...]] = {}
        self._line_of: dict[int, int] = {}

    def file(self) -> TextsFile:
        """What was read, once every id has its texts."""
        return TextsFile(self._table.columns, tuple(self._rows[place] for place in range(len(self._ids))))

    def take_all(self) -> None:
        """Take every row; then tell which ids have none."""
        for row in self._table.rows():
            self._take(row)
        missing = [item for place, item in enumerate(self._ids.ids) if place not in self._line_of]
        if missing:
            self._report.add_lazily(partial(self._missing, missing), column=ID_COLUMN)

    def _take(self, row: _Line) -> None:
        item, *texts = row.cells
        place = self._place(item)
        fault = self._table.width_fault(row)
        if fault is not None:
            self._report.add(fault, line=row.number)
            if place is not None:
                self._line_of.setdefault(place, row.number)  # lest one slip be told twice
            return
        self._check_texts(row, texts)
        if place is None:
            meant = self._foreign.meant(item)
            if meant is not None:
                self._line_of.setdefault(meant, row.number)
            self._report.add_lazily(partial(self._foreign.finding, item), line=row.number, column=ID_COLUMN)
        elif place in self._line_of:
            message = f"The id {quoted(item)} stands on line {self._line_of[place]} already. Keep one of the two rows."
            finding = Finding(ProblemCode.DUPLICATE_ID, message, visible(item), "every id once")
            self._report.add(finding, line=row.number, column=ID_COLUMN)
        else:
            self._line_of[place] = row.number
            self._rows[place] = tuple(texts)

    def _place(self, item: str) -> int | None:
        """Where the item stands in the split; that of its next occurrence where ids repeat."""
        place = self._ids.index.get(item.encode())
        if place is None or not self._repeats:
            return place
        cells, times = parts_of(item)
        while place in self._line_of:
            times += 1
            again = json.dumps([*cells, times], ensure_ascii=False)
            following = self._ids.index.get(again.encode())
            if following is None:
                return place
            place = following
        return place

    def _check_texts(self, row: _Line, texts: Sequence[str]) -> None:
        if not any(text.strip() for text in texts):
            message = "The row has no text. Give the input of every item."
            finding = Finding(ProblemCode.TEXT_MISSING, message)
            self._report.add(finding, line=row.number, column=self._table.columns[0])
        for column, text in zip(self._table.columns, texts, strict=True):
            if len(text) > MAX_TEXT:
                message = f"The text has {len(text):,} characters, and one may have {MAX_TEXT:,}."
                expected = f"at most {MAX_TEXT:,} characters"
                finding = Finding(ProblemCode.TEXT_TOO_LONG, message, visible(text), expected)
                self._report.add(finding, line=row.number, column=column)
            # As in Latin-1: what systems are given may hold the characters U+0080 to U+009F and U+2028.
            character = first_forbidden(text.replace("\n", ""), "latin-1")
            if character is not None:
                line = row.line_of(row.text.index(character))
                self._report.add(forbidden(character, row.text), line=line, column=column)

    def _missing(self, missing: list[str]) -> Finding:
        ranges = as_ranges(missing)
        have = "1 id has" if len(missing) == 1 else f"{len(missing):,} ids have"
        message = f"{have} no text: {ranges}. Add a row for each."
        found = f"{len(self._ids) - len(missing):,} of {len(self._ids):,} ids"
        return Finding(ProblemCode.MISSING_IDS, message, found, ranges)


def _header_fault(row: _Line, ids: ItemIds) -> Finding | None:
    """What is wrong with the first line; None if it names the id and columns of text."""
    code, sentence = _judge_header(row, ids)
    if code is None:
        return None
    message = f"{sentence} The first line names the columns: {ID_COLUMN}, then one or more of text."
    return Finding(code, message, visible(row.text), _FORM)


def _judge_header(row: _Line, ids: ItemIds) -> tuple[ProblemCode | None, str]:
    first, *columns = row.cells
    if first.encode() in ids.index:
        return ProblemCode.HEADER_MISSING, "The first line begins with an id: the header is missing."
    delimiter = next((name for mark, name in _DELIMITERS.items() if mark in row.text), None)
    if not columns and delimiter:
        sentence = f"The columns are separated by {delimiter}; export the file with commas."
        return ProblemCode.HEADER_DELIMITER, sentence
    if first != ID_COLUMN:
        is_spelling = first.strip().casefold() == ID_COLUMN
        code = ProblemCode.HEADER_SPELLING if is_spelling else ProblemCode.HEADER_NAMES
        return code, f"The first column is called {quoted(first)}."
    if not columns:
        return ProblemCode.HEADER_NAMES, "There is no column of text."
    if len(columns) > MAX_TEXT_COLUMNS:
        sentence = f"There are {len(columns)} columns of text; {MAX_TEXT_COLUMNS} are allowed."
        return ProblemCode.HEADER_EXTRA_COLUMN, sentence
    for name in columns:
        if not name.strip() or name != name.strip() or len(name) > _MAX_COLUMN_NAME or first_forbidden(name):
            sentence = (
                f"{quoted(name)} cannot name a column: give 1 to {_MAX_COLUMN_NAME} printable characters."
            )
            return ProblemCode.HEADER_NAMES, sentence
    if len({name.casefold() for name in row.cells}) < len(row.cells):
        return ProblemCode.HEADER_DOUBLED_COLUMN, "A column stands in the header twice."
    return None, ""


def _check_for_answers(file: TextsFile, task: TaskSpec, report: FileReport) -> None:
    """Refuse gold labels that were taken for texts; the sentence does not repeat them."""
    named = {
        name.casefold() for name in (*answer_reader(task.output, task.gold).columns, task.file.label_column)
    }
    for place, column in enumerate(file.columns):
        cells = {row[place] for row in file.rows} - {""}
        if column.casefold() in named or _are_answers(cells, task):
            message = (
                f"The column {quoted(column)} holds answers of this task, or is called so. Everybody may read texts: "
                "send the inputs alone."
            )
            report.add(Finding(ProblemCode.TEXTS_HOLD_ANSWERS, message), column=column)


def _are_answers(cells: Collection[str], task: TaskSpec) -> bool:
    """Whether there are cells and every one could be an answer; where any text could be, none is taken for one."""
    if not cells:
        return False
    match task.output:
        case Span():
            return False
        case LabelSubset():
            return all(cell in ("0", "1") for cell in cells)
        case Label() | ConfidentLabel():
            labels = set(map(loose_label, task.labels))
            return all(loose_label(cell) in labels for cell in cells)
        case _:
            reader = answer_reader(task.output, task.gold)
            return all(reader.value((cell,)) is not None for cell in cells)
