"""A table of ids, labels and whatever else an organiser has beside them, before anybody said what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.spec import TaskSpec
from submissions.intake.answers import answer_reader
from submissions.intake.dialects.cells import CellError, split_cells, whole_row
from submissions.intake.gold import id_fault
from submissions.intake.problems import FileReport, Finding, Problem, ProblemCode, RefusedError, Report
from submissions.intake.rules import RULES, without_values
from submissions.intake.text import MAX_CELL, decode, first_forbidden, physical_lines

MAX_LABELLED_ROWS = 200_000
MAX_COLUMNS = 100
_DELIMITERS = "\t;|"


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """The cells of a CSV file with a header. `lines[i]` is the physical line that `rows[i]` begins on."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    lines: tuple[int, ...] = field(repr=False)

    def column(self, name: str) -> list[str]:
        """All cells below a name of the header."""
        place = self.header.index(name)
        return [row[place] for row in self.rows]


@dataclass(frozen=True, slots=True)
class LabelledResult:
    """A table, or None and its problems: line, column and rule, never a value that stands in the file."""

    table: LabelledTable | None
    problems: tuple[Problem, ...]
    more: int


def read_labelled(data: bytes, *, file_name: str) -> LabelledResult:
    """Read a CSV file (UTF-8, commas, quotes as RFC 4180 has them) whose first line names its columns.

    Every row has a cell per column; no line is blank; a quoted cell may run over several lines.
    """
    report = Report()
    file_report = FileReport(report, file=file_name)
    try:
        table = _table(physical_lines(decode(data), 10 * MAX_LABELLED_ROWS), file_report)
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        return LabelledResult(None, tuple(map(without_values, report.problems)), report.more)
    return LabelledResult(table, (), 0)


def check_labelled(
    table: LabelledTable, *, task: TaskSpec, id_column: str, label_columns: tuple[str, ...], file_name: str
) -> tuple[tuple[Problem, ...], int]:
    """What keeps these columns from being the ids and gold labels of a task: the first problems, and how many more.

    Ids are there, each once. Every answer is one that the task allows, written as a cell of a file can hold it.
    """
    report = Report()
    file_report = FileReport(report, file=file_name)
    reader = answer_reader(task.output, task.gold)
    seen: set[str] = set()
    answers = zip(*(table.column(name) for name in label_columns), strict=True)
    for item, cells, line in zip(table.column(id_column), answers, table.lines, strict=True):
        fault = id_fault(item, seen)
        if fault is not None:
            file_report.add(_finding(fault), line=line, column=id_column)
        seen.add(item)
        for column, cell in zip(label_columns, cells, strict=True):
            code = _cell_fault(cell)
            if code is not None:
                file_report.add(_finding(code), line=line, column=column)
                break
        else:
            if reader.value(cells) is None:
                for _, column, find in reader.explain(cells):
                    file_report.add_lazily(find, line=line, column=column)
    return tuple(map(without_values, report.problems)), report.more


def _table(lines: list[str], report: FileReport) -> LabelledTable:
    following = _rows(lines)
    header = next(following)[1]
    _check_header(header)
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    for number, cells in following:
        if len(rows) >= MAX_LABELLED_ROWS:
            raise RefusedError(_finding(ProblemCode.TOO_MANY_ROWS), line=number)
        _check_row(cells, len(header), number, report)
        rows.append(cells)
        numbers.append(number)
    if not rows:
        raise RefusedError(_finding(ProblemCode.NO_ROWS))
    return LabelledTable(header, tuple(rows), tuple(numbers))


def _finding(code: ProblemCode) -> Finding:
    return Finding(code, RULES[code])


def _cell_fault(cell: str) -> ProblemCode | None:
    if not cell.strip():
        return ProblemCode.EMPTY_LABEL
    if cell != cell.strip():
        return ProblemCode.LABEL_SPACING
    if len(cell) > MAX_CELL:
        return ProblemCode.CELL_TOO_LONG
    return ProblemCode.CONTROL_CHARACTER if first_forbidden(cell) else None


def _rows(lines: list[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each row with the line it begins on; a blank line has no cells."""
    number = 1
    while number <= len(lines):
        text, following = whole_row(lines, number)
        try:
            yield number, tuple(split_cells(text)) if text.strip() else ()
        except CellError as error:  # behind a wrong quote nobody can tell where the next row begins
            raise RefusedError(_finding(error.code), line=number) from None
        number = following


def _check_header(header: tuple[str, ...]) -> None:
    code = _header_fault(header)
    if code is not None:
        raise RefusedError(_finding(code), line=1)


def _header_fault(header: tuple[str, ...]) -> ProblemCode | None:
    if len(header) < 2:
        is_other = any(mark in name for name in header for mark in _DELIMITERS)
        return ProblemCode.HEADER_DELIMITER if is_other else ProblemCode.HEADER_NAMES
    if len(header) > MAX_COLUMNS:
        return ProblemCode.HEADER_EXTRA_COLUMN
    if any(not name or len(name) > MAX_CELL or first_forbidden(name) for name in header):
        return ProblemCode.HEADER_NAMES
    if any(name != name.strip() for name in header):
        return ProblemCode.HEADER_SPELLING
    if max(Counter(header).values()) > 1:
        return ProblemCode.HEADER_DOUBLED_COLUMN
    return None


def _check_row(cells: tuple[str, ...], wanted: int, number: int, report: FileReport) -> None:
    if not cells:
        report.add(_finding(ProblemCode.BLANK_LINE), line=number)
    elif len(cells) != wanted:
        code = ProblemCode.LONG_ROW if len(cells) > wanted else ProblemCode.SHORT_ROW
        report.add(_finding(code), line=number)
