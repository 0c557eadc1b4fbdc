"""Tables, CSV and TSV: from lines to rows; every fault of form is reported on the way."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from catalogue.layouts.cells import CellError, is_quoted_as_csv, split_cells
from catalogue.layouts.form import FileFormat, FileRow
from catalogue.layouts.header import IN_QUOTES, Afterwards, check_header, unquoted
from catalogue.layouts.line_faults import (
    NO_ROWS,
    character_code,
    far_too_many,
    fixed_cell,
    forbidden,
    json_for_table,
    quote_finding,
    quoted_as_csv,
    too_long,
    width_code,
    wrong_width,
)
from catalogue.layouts.other_files import looks_like_json
from catalogue.layouts.row_ids import IdMaker
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden, physical_lines
from catalogue.problems import FileReport, Find, Finding, ProblemCode, RefusedError, visible

# Long enough for two cells of the longest kind with every character a doubled quote.
LONGEST_ROW = 5 * MAX_CELL
_MOST_LINES_OF_A_ROW = 4


class TableReader:
    """Reads one file's rows, and of each the cells of `columns`, which have at most `most_characters` if that is much.

    `looks_like_row` is asked of such cells, stripped of spaces: whether they are a row's and none of a header.
    `max_rows` bounds the work that a hostile file can cause.
    """

    def __init__(
        self,
        file: FileFormat,
        columns: tuple[str, ...],
        looks_like_row: Callable[[Sequence[str]], bool],
        report: FileReport,
        max_rows: int,
        most_characters: int = MAX_CELL,
    ) -> None:
        self.file, self.report, self.max_rows = file, report, max_rows
        self._most_of = {column: max(MAX_CELL, most_characters) for column in columns}
        self.looks_like_row = looks_like_row
        self._ids = IdMaker(repeats=file.repeats, loose=len(file.loose_columns))
        place = file.header.index
        self._places_of_id = tuple(map(place, file.id_columns))
        self._place_of_id = None if file.has_composite_ids else self._places_of_id[0]
        self._places = tuple(map(place, columns))
        self._place_of_cluster = place(file.cluster_column) if file.cluster_column else None
        self._places_of_groups = tuple(map(place, file.group_columns))
        beside = (file.cluster_column, *file.group_columns, *(name for name, _ in file.fixed))
        compared = {*file.id_columns, *columns, *beside}
        self._places_compared = [
            place(name) for name in file.header if name in compared - {*file.loose_columns}
        ]
        self._fixed = [(place(column), column, text) for column, text in file.fixed]
        beyond = sum(self._most_of.values()) - MAX_CELL * len(columns)
        self._longest_line = max(LONGEST_ROW, MAX_CELL * len(file.header)) + beyond

    def read(self, data: bytes) -> Iterator[FileRow]:
        lines = physical_lines(decode(data, self.file.encoding), self.max_rows + 1)
        self.report.lines = lines
        number = self._first_row(lines)
        if number > len(lines):
            raise RefusedError(NO_ROWS)
        while number <= len(lines):
            if number > self.max_rows + 1:
                raise far_too_many(self.max_rows, "rows", line=number)
            row, number = self._row(lines, number)
            if row is not None:
                yield row

    def _first_row(self, lines: Sequence[str]) -> int:
        """Judges the header, or that there is none; the number of the first line that holds a row."""
        if self.file.headerless:
            return self._first_row_without_header(lines[0])
        if looks_like_json(lines[0]):
            raise RefusedError(json_for_table(self.file, lines[0]), line=1)
        form = self._form_fault(lines[0])
        if form is not None:
            _, find = form
            raise RefusedError(find(), line=1)
        try:
            cells = self._cells(lines[0])
        except CellError as error:
            raise RefusedError(quote_finding(error.code, lines[0], self.file), line=1) from None
        verdict = check_header(lines[0], cells, self.file, self._is_data)
        if verdict is None:
            return 2
        finding, afterwards = verdict
        if afterwards is Afterwards.NOTHING:
            raise RefusedError(finding, line=1)
        self.report.add(finding, line=1)
        return 1 if afterwards is Afterwards.ROWS_FROM_FIRST_LINE else 2

    def _first_row_without_header(self, line: str) -> int:
        names = [cell.strip().strip('"').casefold() for cell in line.split(self.file.delimiter)]
        if names != [name.casefold() for name in self.file.header]:
            cells = line.split(self.file.delimiter)
            if (
                not self.file.layout.has_quotes
                and unquoted(cells) != cells
                and self._is_data(unquoted(cells))
            ):
                finding = Finding(ProblemCode.STRAY_QUOTE, IN_QUOTES, visible(line), "cells without quotes")
                raise RefusedError(finding, line=1)
            return 1
        message = "The first line names the columns, but files of this task have rows only. Remove the line."
        self.report.add(Finding(ProblemCode.HEADER_REPEATED, message, visible(line), "a row"), line=1)
        return 2

    def _is_data(self, cells: Sequence[str]) -> bool:
        if len(cells) != len(self.file.header):
            return False
        loose = [cell.strip() for cell in cells]
        answer = tuple(loose[place] for place in self._places)
        return self.looks_like_row(answer) or loose[self._places_of_id[0]].isdigit()

    def _row(self, lines: Sequence[str], number: int) -> tuple[FileRow | None, int]:
        """The row on that line, None if not even its id can be told; and the number of the next line."""
        line = lines[number - 1]
        fault = self._form_fault(line)
        if fault is not None and not self._is_about_texts(line):
            code, find = fault
            self.report.add_lazily(find, kind=(code, ""), line=number)
            return self._row_in_doubt(number, line), number + 1
        line, following = self._with_line_breaks(lines, number)
        try:
            cells = self._cells(line)
        except CellError as error:
            return self._row_in_doubt(number, line), self._report_quote(error, lines, number)
        if (shape := self._shape_fault(line, cells)) is not None:
            code, find = shape
            self.report.add_lazily(find, kind=(code, ""), line=number)
            return self._row_in_doubt(number, line), following
        if (wrong := self._cell_fault(line, cells)) is not None:
            column, code, find = wrong
            self.report.add_lazily(find, kind=(code, ""), line=number, column=column)
            return self._row_in_doubt(number, line), following
        if self._place_of_id is None:
            item = self._ids.make([cells[place] for place in self._places_of_id])
        else:
            item = cells[self._place_of_id]
        for place, column, text in self._fixed:
            if cells[place] != text:
                find, kind = partial(fixed_cell, cells[place], text), (ProblemCode.FIXED_CELL, "")
                self.report.add_lazily(find, kind=kind, line=number, column=column)
        answer = tuple([cells[place] for place in self._places])
        cluster = "" if self._place_of_cluster is None else cells[self._place_of_cluster]
        groups = tuple([cells[place] for place in self._places_of_groups])
        return FileRow(number, item, answer, (), cluster, groups=groups), following

    def _with_line_breaks(self, lines: Sequence[str], number: int) -> tuple[str, int]:
        """The line together with those that a quoted cell of it runs on to, and the number of the next line."""
        line, following = lines[number - 1], number + 1
        if not self.file.line_breaks or line.count('"') % 2 == 0:
            return line, following
        for end in range(number + 1, min(number + _MOST_LINES_OF_A_ROW, len(lines), self.max_rows + 1) + 1):
            part = lines[end - 1]
            if len(part) > self._longest_line or first_forbidden(part, self.file.encoding):
                break
            line += "\n" + part
            if line.count('"') % 2 == 0:
                return line, end + 1
        return lines[number - 1], following

    def _cells(self, line: str) -> list[str]:
        """The cells of a line. CellError where quotes make no sense."""
        return split_cells(line, self.file.delimiter, has_quotes=self.file.layout.has_quotes)

    def _form_fault(self, line: str) -> tuple[ProblemCode, Find] | None:
        if len(line) > self._longest_line:
            return ProblemCode.CELL_TOO_LONG, partial(too_long, line)
        if not line:
            return ProblemCode.BLANK_LINE, self._blank
        character = first_forbidden(line, self.file.encoding)
        return (character_code(character), partial(forbidden, character, line)) if character else None

    def _shape_fault(self, line: str, cells: Sequence[str]) -> tuple[ProblemCode, Find] | None:
        if not any(map(str.strip, cells)):
            return ProblemCode.BLANK_LINE, self._empty
        if len(cells) != len(self.file.header):
            return width_code(cells, self.file), partial(wrong_width, line, cells, self.file)
        return None

    def _cell_fault(self, line: str, cells: Sequence[str]) -> tuple[str, ProblemCode, Find] | None:
        """The first cell, by its column, that is too long, or whose quotes would be taken for its own."""
        if len(line) > MAX_CELL:
            for cell, column in zip(cells, self.file.header, strict=True):
                most = self._most_of.get(column, MAX_CELL)
                if len(cell) > most:
                    return column, ProblemCode.CELL_TOO_LONG, partial(too_long, cell, most)
        if '""' in line and not self.file.layout.has_quotes:
            for place in self._places:
                if is_quoted_as_csv(cells[place]):
                    find = partial(quoted_as_csv, cells[place])
                    return self.file.header[place], ProblemCode.STRAY_QUOTE, find
        return None

    def _is_about_texts(self, line: str) -> bool:
        """True if characters that no cell may hold stand in nothing but texts that are sent back as they came."""
        if not line or len(line) > LONGEST_ROW or len(self._places_compared) == len(self.file.header):
            return False
        try:
            cells = self._cells(line)
        except CellError:
            return False
        return len(cells) == len(self.file.header) and not any(
            first_forbidden(cells[place], self.file.encoding) for place in self._places_compared
        )

    def _blank(self) -> Finding:
        expected = visible(self.file.header_line, limit=200)
        return Finding(ProblemCode.BLANK_LINE, "The line is blank. Remove it.", expected=expected)

    def _empty(self) -> Finding:
        message = (
            "All cells of the row are empty, as spreadsheets write rows that were cleared. Remove the line."
        )
        return Finding(ProblemCode.BLANK_LINE, message, expected=visible(self.file.header_line, limit=200))

    def _row_in_doubt(self, number: int, line: str) -> FileRow | None:
        """A row that has been reported; its id still counts as answered, lest it be reported as missing too.

        Where no id can be told it is empty; None where there is nothing at all.
        """
        start = line[: self._longest_line]
        cells = start.split(self.file.delimiter)
        if len(cells) == 1:
            cells = start.replace(";", "\t").split("\t")
        if not start.replace(self.file.delimiter, "").strip():
            return None
        if len(cells) <= max(self._places_of_id):
            return FileRow(number, "", None)
        bare = [cells[place].removeprefix('"').removesuffix('"') for place in self._places_of_id]
        return FileRow(number, self._ids.make(bare), None)

    def _report_quote(self, error: CellError, lines: Sequence[str], number: int) -> int:
        """Reports the quote; the number of the line to go on with."""
        code, following = error.code, number + 1
        if code is ProblemCode.UNCLOSED_QUOTE and self._closes_on_next_line(lines, number):
            code, following = ProblemCode.LINE_BREAK_IN_CELL, number + 2
        header = self.file.header
        self.report.add_lazily(
            partial(quote_finding, code, lines[number - 1], self.file),
            kind=(code, ""),
            line=number,
            column=header[error.position] if error.position < len(header) else None,
        )
        return following

    def _closes_on_next_line(self, lines: Sequence[str], number: int) -> bool:
        if number >= min(len(lines), self.max_rows + 1):
            return False
        following = lines[number]
        if self.file.delimiter in following or len(following) > self._longest_line:
            return False  # a line with a delimiter is a row of its own
        try:
            return len(self._cells(f"{lines[number - 1]}\n{following}")) == len(self.file.header)
        except CellError:
            return False
