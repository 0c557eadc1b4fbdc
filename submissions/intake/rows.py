"""From lines to rows of an id and a label; every fault of form is reported on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from benchmarks.spec.model import TaskSpec
from submissions.intake.cells import CellError, split_cells
from submissions.intake.header import Afterwards, check_header
from submissions.intake.nearest import loose_label
from submissions.intake.problems import FileReport, Finding, ProblemCode, RefusedError, visible
from submissions.intake.text import MAX_CELL, decode, first_forbidden, physical_lines

_UNICODE_LINE_BREAKS = "\x85\u2028\u2029"
# Long enough for two cells of the longest kind with every character a doubled quote.
_MAX_LINE = 5 * MAX_CELL
_CELL_END = re.compile(r"[,;\t]")

_QUOTE_SENTENCES = {
    ProblemCode.UNCLOSED_QUOTE: "A quote opens here and is not closed on this line. Close it, or remove it.",
    ProblemCode.TEXT_AFTER_QUOTE: "Text follows the closing quote. A comma or the line's end must follow; "
    "a quote inside a quoted cell is written twice.",
    ProblemCode.STRAY_QUOTE: "A quote stands inside a cell that does not begin with one. "
    "Put the whole cell in quotes and write the inner quote twice.",
    ProblemCode.LINE_BREAK_IN_CELL: "This quoted cell runs over the end of the line. Write it on one line.",
}


class Row(NamedTuple):
    """One row. `label` is None where the row's form is wrong and has been reported."""

    line: int
    id: str
    label: str | None


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads one file's rows; `max_rows` bounds the work that a hostile file can cause."""

    task: TaskSpec
    report: FileReport
    max_rows: int

    def read(self, data: bytes) -> Iterator[Row]:
        """The rows in file order. RefusedError where reading cannot go on."""
        lines = physical_lines(decode(data, self.task.file.encoding), self.max_rows + 1)
        self.report.lines = lines
        number = self._first_row(lines)
        if number > len(lines):
            raise RefusedError(
                Finding(ProblemCode.NO_ROWS, "The file has a header and no rows. Add a row for every id.")
            )
        while number <= len(lines):
            if number > self.max_rows + 1:
                raise self._too_many_rows(number)
            row, number = self._row(lines, number)
            if row is not None:
                yield row

    @property
    def columns(self) -> tuple[str, str]:
        """The names that the header must have."""
        return self.task.file.id_column, self.task.file.label_column

    def _first_row(self, lines: Sequence[str]) -> int:
        """Judges the header; the number of the first line that holds a row."""
        form = self._form_fault(lines[0])
        if form is not None:
            raise RefusedError(form, line=1)
        try:
            cells = split_cells(lines[0])
        except CellError as error:
            raise RefusedError(_quote_finding(error.code, lines[0], self.columns), line=1) from None
        verdict = check_header(lines[0], cells, self.columns, self._is_data)
        if verdict is None:
            return 2
        finding, afterwards = verdict
        if afterwards is Afterwards.NOTHING:
            raise RefusedError(finding, line=1)
        self.report.add(finding, line=1)
        return 1 if afterwards is Afterwards.ROWS_FROM_FIRST_LINE else 2

    def _is_data(self, cells: Sequence[str]) -> bool:
        labels = {loose_label(name) for name in self.task.output.names}
        return len(cells) == len(self.columns) and (
            loose_label(cells[1]) in labels or cells[0].strip().isdigit()
        )

    def _row(self, lines: Sequence[str], number: int) -> tuple[Row | None, int]:
        """The row on that line, None if not even its id can be told; and the number of the next line."""
        line = lines[number - 1]
        fault = self._form_fault(line)
        if fault is not None:
            self.report.add(fault, line=number)
            return _row_in_doubt(number, line), number + 1
        try:
            cells = split_cells(line)
        except CellError as error:
            return _row_in_doubt(number, line), self._report_quote(error, lines, number)
        if len(cells) != len(self.columns):
            self.report.add_lazily(partial(_wrong_width, line, cells, self.columns), line=number)
            return _row_in_doubt(number, line), number + 1
        for cell, column in zip(cells, self.columns, strict=True):
            if len(cell) > MAX_CELL:
                self.report.add_lazily(partial(_too_long, cell), line=number, column=column)
                return _row_in_doubt(number, line), number + 1
        return Row(number, cells[0], cells[1]), number + 1

    def _form_fault(self, line: str) -> Finding | None:
        """What is wrong with the line before its cells are looked at."""
        if len(line) > _MAX_LINE:
            return _too_long(line)
        if not line:
            return Finding(
                ProblemCode.BLANK_LINE, "The line is blank. Remove it.", expected=",".join(self.columns)
            )
        character = first_forbidden(line)
        return _forbidden(character, line) if character else None

    def _report_quote(self, error: CellError, lines: Sequence[str], number: int) -> int:
        """Reports the quote; the number of the line to go on with."""
        code, following = error.code, number + 1
        if code is ProblemCode.UNCLOSED_QUOTE and self._closes_on_next_line(lines, number):
            code, following = ProblemCode.LINE_BREAK_IN_CELL, number + 2
        column = self.columns[error.position] if error.position < len(self.columns) else None
        self.report.add(_quote_finding(code, lines[number - 1], self.columns), line=number, column=column)
        return following

    def _closes_on_next_line(self, lines: Sequence[str], number: int) -> bool:
        if number >= min(len(lines), self.max_rows + 1):
            return False
        following = lines[number]
        if "," in following or len(following) > _MAX_LINE:
            return False  # a line with a comma is a row of its own
        try:
            return len(split_cells(f"{lines[number - 1]}\n{following}")) == len(self.columns)
        except CellError:
            return False

    def _too_many_rows(self, number: int) -> RefusedError:
        message = f"The file has more than {self.max_rows:,} rows, far more than ids. Reading stopped here."
        return RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=number)


def _row_in_doubt(number: int, line: str) -> Row:
    """A row that has been reported; its id still counts as answered, lest it be reported as missing too."""
    first = _CELL_END.split(line[:_MAX_LINE], maxsplit=1)[0]
    return Row(number, first.removeprefix('"').removesuffix('"'), None)


def _quote_finding(code: ProblemCode, line: str, columns: tuple[str, str]) -> Finding:
    return Finding(code, _QUOTE_SENTENCES[code], found=visible(line), expected=",".join(columns))


def _wrong_width(line: str, cells: Sequence[str], columns: tuple[str, str]) -> Finding:
    expected = ",".join(columns)
    if len(cells) > len(columns):
        message = (
            f"The row has {len(cells)} cells where {len(columns)} are expected. "
            'If the comma belongs to the label, put the label in quotes: "like, this".'
        )
        return Finding(ProblemCode.LONG_ROW, message, found=visible(line), expected=expected)
    message = f"The row has no comma, so only one cell where {len(columns)} are expected."
    if ";" in line or "\t" in line:
        message += " Its cells seem to be separated by another character."
    return Finding(
        ProblemCode.SHORT_ROW, message + " Write the id, a comma and the label.", visible(line), expected
    )


def _too_long(text: str) -> Finding:
    return Finding(
        ProblemCode.CELL_TOO_LONG,
        f"There are {len(text):,} characters here, and a cell may have {MAX_CELL:,}. "
        "A lost line end or quote may have joined several rows.",
        found=visible(text),
        expected=f"at most {MAX_CELL:,} characters",
    )


def _forbidden(character: str, line: str) -> Finding:
    shown = f"U+{ord(character):04X}"
    if character == "\x00":
        code, sentence = ProblemCode.NUL_CHARACTER, "The line holds a NUL character. Remove it."
    elif character == "\r":
        code = ProblemCode.LONE_CARRIAGE_RETURN
        sentence = (
            "A carriage return stands here without a line feed. Save the file with LF or CRLF line ends."
        )
    elif character in _UNICODE_LINE_BREAKS:
        code = ProblemCode.UNICODE_LINE_BREAK
        sentence = (
            f"The line holds the Unicode line break {shown}. Remove it, or end the line with LF or CRLF."
        )
    else:
        code, sentence = (
            ProblemCode.CONTROL_CHARACTER,
            f"The line holds the control character {shown}. Remove it.",
        )
    at = line.index(character)
    return Finding(code, sentence, found=visible(line[max(0, at - 20) : at + 20]))
