"""A table of ids, labels and whatever else an organiser has beside them, before anybody said what it is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from benchmarks.spec import TaskSpec
from catalogue.layouts import CSV, TSV, Layout
from catalogue.layouts.cells import WholeRow, whole_rows
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden, physical_lines
from catalogue.problems import FileReport, ProblemCode, RefusedError
from submissions.intake.canonical import answer_reader
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.problem_rules import rule_finding
from submissions.intake.tables.gold import id_fault

MAX_LABELLED_ROWS = 200_000
MAX_COLUMNS = 100
_DELIMITERS = "\t;|"


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """The cells of a table with a header. `lines[i]` is the physical line that `rows[i]` begins on."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    lines: tuple[int, ...] = field(repr=False)
    layout: Layout = CSV

    def column(self, name: str) -> list[str]:
        """All cells below a name of the header."""
        place = self.header.index(name)
        return [row[place] for row in self.rows]


def read_labelled(data: bytes, *, file_name: str) -> FileRead[LabelledTable]:
    """Read a table (UTF-8) whose first line names its columns: CSV with quotes as RFC 4180 has them, or TSV.

    It is TSV where the first line has tabs and no commas.

    Every row has a cell per column; no line is blank; a quoted cell may run over several lines. Problems name line and
    rule, never a value of the file.
    """
    return read_file(partial(_table, data), file_name=file_name).without_values()


def check_labelled(
    table: LabelledTable, *, task: TaskSpec, id_column: str, label_columns: tuple[str, ...], file_name: str
) -> FileRead[LabelledTable]:
    """The table, if these columns can be the ids and gold labels of a task; else what keeps them from it.

    Ids are there, each once. Every answer is one that the task allows, written as a cell of a file can hold it.
    Problems name line, column and rule, never a value of the file.
    """
    reader = answer_reader(task.output, task.gold)

    def read(report: FileReport) -> LabelledTable:
        seen: set[str] = set()
        answers = zip(*(table.column(name) for name in label_columns), strict=True)
        for item, cells, line in zip(table.column(id_column), answers, table.lines, strict=True):
            fault = id_fault(item, seen)
            if fault is not None:
                report.add(rule_finding(fault), line=line, column=id_column)
            seen.add(item)
            in_cells = ((name, _cell_fault(cell)) for name, cell in zip(label_columns, cells, strict=True))
            column, code = next(((name, code) for name, code in in_cells if code), ("", None))
            if code is not None:
                report.add(rule_finding(code), line=line, column=column)
            elif reader.value(cells) is None:
                report.add_all(reader.explain(cells), partial(_same_line, line))
        return table

    return read_file(read, file_name=file_name).without_values()


def _table(data: bytes, report: FileReport) -> LabelledTable:
    lines = physical_lines(decode(data), 10 * MAX_LABELLED_ROWS)
    layout: Layout = TSV if "\t" in lines[0] and "," not in lines[0] else CSV
    found = whole_rows(lines, lambda code, line: rule_finding(code), layout.delimiter)
    first = next(found)
    header = first.cells if first.text.strip() else ()
    fault = _header_fault(header)
    if fault is not None:
        raise RefusedError(rule_finding(fault), line=1)
    rows: list[WholeRow] = []
    for row in found:
        if len(rows) >= MAX_LABELLED_ROWS:
            raise RefusedError(rule_finding(ProblemCode.TOO_MANY_ROWS), line=row.line)
        if not row.text.strip():
            report.add(rule_finding(ProblemCode.BLANK_LINE), line=row.line)
        elif len(row.cells) != len(header):
            code = ProblemCode.LONG_ROW if len(row.cells) > len(header) else ProblemCode.SHORT_ROW
            report.add(rule_finding(code), line=row.line)
        rows.append(row)
    if not rows:
        raise RefusedError(rule_finding(ProblemCode.NO_ROWS))
    return LabelledTable(header, tuple(row.cells for row in rows), tuple(row.line for row in rows), layout)


def _same_line(line: int, cell: int) -> int:
    return line


def _cell_fault(cell: str) -> ProblemCode | None:
    rules = (
        (not cell.strip(), ProblemCode.EMPTY_LABEL),
        (cell != cell.strip(), ProblemCode.LABEL_SPACING),
        (len(cell) > MAX_CELL, ProblemCode.CELL_TOO_LONG),
        (first_forbidden(cell), ProblemCode.CONTROL_CHARACTER),
    )
    return next((code for is_broken, code in rules if is_broken), None)


def _header_fault(header: Sequence[str]) -> ProblemCode | None:
    is_alone = len(header) < 2
    rules = (
        (
            is_alone and any(mark in name for name in header for mark in _DELIMITERS),
            ProblemCode.HEADER_DELIMITER,
        ),
        (is_alone, ProblemCode.HEADER_NAMES),
        (len(header) > MAX_COLUMNS, ProblemCode.HEADER_EXTRA_COLUMN),
        (
            any(not name or len(name) > MAX_CELL or first_forbidden(name) for name in header),
            ProblemCode.HEADER_NAMES,
        ),
        (any(name != name.strip() for name in header), ProblemCode.HEADER_SPELLING),
        (len(set(header)) < len(header), ProblemCode.HEADER_DOUBLED_COLUMN),
    )
    return next((code for is_broken, code in rules if is_broken), None)
