"""One answer a line and no id: the n-th line answers the n-th item."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JsonShape
from catalogue.gold_column import GoldColumn, SeenFile
from catalogue.layouts.cells import CellError, split_cells
from catalogue.layouts.delimited import UNREAD
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.header import Afterwards, check_header
from catalogue.layouts.line_faults import (
    character_code,
    forbidden,
    quote_finding,
    width_code,
    wrong_width,
)
from catalogue.layouts.many_lines.parts import are_parts, cells_of_parts, in_one_cell, parted_rows
from catalogue.layouts.text_lines import decode, first_forbidden, physical_lines, pieces_of_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, counted, visible

_BETWEEN_CELLS = "\t,;|"
_UNUSUAL = re.compile(b"^\xef\xbb\xbf|[\x00-\x09\x0b-\x1f\x7f]")


class OneALine(Layout):
    """Lines of answers in the order in which the ids are public; those of a gold file are the numbers from 1.

    A line is an answer, or where the file has `columns` a row of them, below a header unless it is `headerless`.
    """

    key = "one_a_line"
    title = "One answer a line"
    ending = "txt"
    each_item = "one line, without an id,"
    row_order = " in the order of the ids"
    has_quotes = True
    is_table = False
    has_ids = False
    can_be_seen = True
    options = ("empty_labels", "columns", "headerless", "delimiter", "separator")
    default_id_column = "line"
    default_label_column = "label"

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        rows = self._rows(source, form, reading)
        return parted_rows(rows, form.separator, reading) if form.separator else rows

    def _rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        report, ids, most = reading.report, reading.ids, reading.max_rows
        if not isinstance(source, bytes):
            raise TypeError("Lines are read from their bytes.")
        report.lines = _lines(source, form, reading)
        lines: list[str | None] = [*report.lines]
        if form.columns and not form.headerless and _is_header(lines[0] or "", form, reading):
            lines[0] = None
        count = sum(line is not None for line in lines)
        if ids and count > len(ids):
            lines = self._without_surplus(lines, form, reading)
        elif not ids and count > most:
            raise RefusedError(_too_many(count, most), line=most + 1)
        at = 0
        for number, line in enumerate(lines, start=1):
            if line is None:
                continue
            item = ids[at] if ids else str(number)
            at += 1
            is_fine = _is_fine(line, number, form, reading)
            yield FileRow(number, item, _cells(line, number, form, reading) if is_fine else None)
        if at < len(ids):
            report.add(_too_few(at, len(ids)), line=len(lines) + 1)
            # What is missing has been reported at once.
            yield from (FileRow(len(lines) + 1, item, None) for item in ids[at:])

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Lines without control characters, where each is one cell."""
        if form.columns or output.json_shape is not JsonShape.ONE or _UNUSUAL.search(data):
            yield None
            return
        for piece in pieces_of_lines(data, 0, b"\n"):
            yield OrdinaryRows(piece, {form.label_column: piece.split(b"\n")})

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Lines that nothing parts into as many cells each, none of them blank, and that begin no object or list."""
        if not lines or lines[0].lstrip().startswith(("{", "[")):
            return False
        return all(map(str.strip, lines)) and not any(map(partial(_are_rows, lines), _BETWEEN_CELLS))

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        numbers = range(1, len(lines) + 1)
        ids = GoldColumn("line", tuple(map(str, numbers)))
        return SeenFile((ids, GoldColumn("label", tuple(lines))), tuple(numbers), ("line",))

    def _without_surplus(
        self, lines: list[str | None], form: FileFormat, reading: RowReading
    ) -> list[str | None]:
        """The lines, None for each that is reported as one too many: blank ones, or the name of the column above."""
        kept = list(lines)
        ids, report = reading.ids, reading.report
        first = lines[0]
        is_one_more = sum(line is not None for line in lines) == len(ids) + 1
        is_name = first and first.strip().casefold() == form.label_column.casefold()
        if first and (is_name or (is_one_more and not _looks_like_answer(first, form, reading))):
            message = "The first line names the column, but every line of this file is an answer. Remove it."
            report.add(Finding(ProblemCode.HEADER_REPEATED, message, visible(first), "an answer"), line=1)
            kept[0] = None
        for place, line in enumerate(lines):
            if line is not None and not line.strip() and not _is_answer_if_blank(form, reading):
                report.add(_blank(), line=place + 1, column=form.label_column)
                kept[place] = None
        answers = [place for place, line in enumerate(kept) if line is not None]
        if len(answers) > len(ids):
            surplus = answers[len(ids)]
            report.add(_too_many(len(answers), len(ids)), line=surplus + 1)
            del kept[surplus:]
        return kept

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        if separator := part.form.separator:
            part = replace(part, values=[in_one_cell(value, separator) for value in part.values])
        if part.form.columns:
            return _rows_of(part)
        if any(isinstance(value, list) or "\n" in str(value) for value in part.values):
            raise ValueError(
                f"{part.form.path} has no way to write several texts, or one that runs over lines."
            )
        lines = [str(value) for value in part.values]
        return "".join(f"{line}\n" for line in lines)

    def id_place(self, form: FileFormat) -> str:
        return form.label_column


def _is_header(line: str, form: FileFormat, reading: RowReading) -> bool:
    """Whether the first line is no answer; what is wrong with it is reported. RefusedError where no row can be read."""
    try:
        cells = split_cells(line, form.delimiter)
    except CellError as error:
        raise RefusedError(quote_finding(error.code, line, form), line=1) from None
    verdict = check_header(line, cells, form, lambda _: _looks_like_answer(line, form, reading))
    if verdict is None:
        return True
    finding, afterwards = verdict
    if afterwards is Afterwards.NOTHING:
        raise RefusedError(finding, line=1)
    reading.report.add(finding, line=1)
    return afterwards is Afterwards.ROWS


def _looks_like_answer(line: str, form: FileFormat, reading: RowReading) -> bool:
    cells = [cell.strip() for cell in (line.split(form.delimiter) if form.columns else [line])]
    if form.columns and len(cells) != len(form.columns):
        return False
    answers = reading.answers
    if form.columns:
        cells = [cells[form.columns.index(name)] for name in answers.columns]
    if form.separator:
        return are_parts(reading.output, answers, form.separator, cells)
    return answers.looks_like_answer(cells)


def _cells(line: str, number: int, form: FileFormat, reading: RowReading) -> tuple[str, ...] | None:
    """The cells of the answer on a line; None where the line is no row of the columns, which is reported."""
    if not form.columns:
        return (line,)
    try:
        cells = split_cells(line, form.delimiter, has_quotes=True)
    except CellError as error:
        reading.report.add_lazily(
            partial(quote_finding, error.code, line, form), kind=(error.code, ""), line=number
        )
        return None
    if len(cells) != len(form.columns):
        find, kind = partial(wrong_width, line, cells, form), (width_code(cells, form), "")
        reading.report.add_lazily(find, kind=kind, line=number)
        return None
    return tuple(cells[form.columns.index(name)] for name in reading.answers.columns)


def _rows_of(part: AnsweredPart) -> str:
    """The lines of answers in columns, with those that nobody compares filled in."""
    out, form = io.StringIO(), part.form
    written = csv.writer(out, delimiter=form.delimiter, lineterminator="\n")
    if not form.headerless:
        written.writerow(form.columns)
    for value in part.values:
        cells = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
        named = dict(zip(part.columns, cells, strict=True))
        written.writerow([named.get(name, UNREAD) for name in form.columns])
    return out.getvalue()


def _are_rows(lines: Sequence[str], delimiter: str) -> bool:
    """Whether most lines have as many cells, two or more; commas of sentences part them into any number."""
    widths = Counter(_width(line, delimiter) for line in lines)
    return any(2 * count > len(lines) for width, count in widths.items() if width > 1)


def _width(line: str, delimiter: str) -> int:
    """How many cells the line has; what stands in quotes as in CSV is one."""
    try:
        return len(split_cells(line, delimiter))
    except CellError:
        return line.count(delimiter) + 1


def _lines(source: bytes, form: FileFormat, reading: RowReading) -> list[str]:
    """The lines of the file; blank ones at its end are answers only as far as there are items for them.

    Those of a gold file, which says how many items there are, are empty lists where lines hold lists, and no texts.
    """
    keeps_blank = _may_be_blank(form, reading)
    try:
        text = decode(source, form.encoding)
    except RefusedError as error:
        place = form.label_column if error.line else None
        raise RefusedError(error.finding, line=error.line, column=place) from None
    lines = physical_lines(text, reading.max_rows, keeps_blank=keeps_blank)
    most = len(reading.ids) or (len(lines) if form.separator else 1)
    while _is_answer_if_blank(form, reading) and len(lines) > most and not lines[-1]:
        lines.pop()
    return lines


def _is_fine(line: str, number: int, form: FileFormat, reading: RowReading) -> bool:
    """True unless the form of the line is wrong; it is then reported."""
    answers = reading.answers
    character = first_forbidden(line, form.encoding)
    if not line.strip() and not _may_be_blank(form, reading):
        code, find = ProblemCode.BLANK_LINE, _blank
    elif len(line) > answers.most_characters:
        code, find = ProblemCode.CELL_TOO_LONG, partial(_too_long, line, answers.most_characters)
    elif character:
        code, find = character_code(character), partial(forbidden, character, line)
    else:
        return True
    reading.report.add_lazily(find, kind=(code, ""), line=number, column=form.label_column)
    return False


def _may_be_blank(form: FileFormat, reading: RowReading) -> bool:
    return _is_answer_if_blank(form, reading) or (reading.is_gold and bool(form.empty_labels))


def _is_answer_if_blank(form: FileFormat, reading: RowReading) -> bool:
    """Whether a blank line is an answer: an empty text, or a list without any part."""
    if form.separator:
        return reading.answers.value(cells_of_parts(reading.output, ())) is not None
    return reading.answers.may_be_empty


def _too_long(line: str, most: int) -> Finding:
    message = f"The line has {len(line):,} characters; an answer may have {most:,}."
    return Finding(ProblemCode.CELL_TOO_LONG, message, visible(line))


def _blank() -> Finding:
    message = (
        "The line is blank, and every line is the answer to one item. Write the answer, or remove the line."
    )
    return Finding(ProblemCode.BLANK_LINE, message, expected="an answer")


def _too_few(found: int, count: int) -> Finding:
    items = counted(count, "item")
    message = f"The file ends after {counted(found, 'answer')}; the task has {items}. Write a line for each, in order."
    return Finding(ProblemCode.MISSING_IDS, message, counted(found, "answer"), counted(count, "answer"))


def _too_many(found: int, most: int) -> Finding:
    message = (
        f"From here on lines answer nothing: the file has more than {most:,}. Write one line for each item."
    )
    return Finding(
        ProblemCode.TOO_MANY_ROWS,
        message,
        f"{counted(found, 'answer')} or more",
        counted(most, "answer"),
    )
