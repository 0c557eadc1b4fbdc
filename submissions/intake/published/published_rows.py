"""An organiser's file of published figures: one value a line, read as strictly as predictions."""

import re
from collections.abc import Iterator
from functools import partial

from benchmarks.spec import BenchmarkSpec, FileFormat, ReportedRow, RowKind
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.published.published_cells import (
    MAX_PUBLISHED_ROWS,
    PublishedColumns,
    date_fault,
    text_fault,
)
from submissions.intake.tables.table_schema import FindFault, FirstLines, TableColumn, TableRow, TableSchema

_KINDS = {"": RowKind.REPORTED, "reported": RowKind.REPORTED, "human": RowKind.HUMAN}
_RANK = re.compile(r"[1-9][0-9]{0,4}")
_FORM = FileFormat(
    "", "system", "value", columns=("system", "source", "date", "kind", "column", "value", "rank")
)


def read_published_rows(
    data: bytes, *, file_name: str, spec: BenchmarkSpec
) -> FileRead[tuple[ReportedRow, ...]]:
    """Read a CSV file with the columns system, source, date, kind, column, value, rank.

    Each line is one value of one system, in a column that `reported` rows of the definition may have too, on the scale
    of boards. `date`, `kind` and `rank` may be empty. Lines of one system and one source become one row.
    """
    known = PublishedColumns(spec)
    table = TableSchema(
        _FORM,
        (
            TableColumn("system", lambda row: text_fault("system", row["system"])),
            TableColumn("source", lambda row: text_fault("source", row["source"])),
            TableColumn("date", lambda row: date_fault(row["date"])),
            TableColumn("kind", _kind_fault),
            TableColumn("column", lambda row: _column_fault(known, row["column"])),
            TableColumn("value", lambda row: known.value_fault(row["column"], row["value"])),
            TableColumn("rank", _rank_fault),
        ),
        row=lambda row: row,
        max_rows=MAX_PUBLISHED_ROWS,
        faults_beside=_Lines().faults_beside,
    )

    def read(report: FileReport) -> tuple[ReportedRow, ...] | None:
        rows = table.read(data, report)
        return _together(rows) if report.is_clean else None

    return read_file(read, file_name=file_name)


def _together(lines: list[TableRow]) -> tuple[ReportedRow, ...]:
    """One row for each system and source, in the order in which they come."""
    by_name: dict[tuple[str, str], list[TableRow]] = {}
    for line in lines:
        by_name.setdefault((line["system"], line["source"]), []).append(line)
    return tuple(
        ReportedRow(
            system,
            _KINDS[own[0]["kind"]],
            source,
            {line["column"]: float(line["value"]) for line in own},
            {line["column"]: int(line["rank"]) for line in own if line["rank"]},
            own[0]["date"],
        )
        for (system, source), own in by_name.items()
    )


class _Lines:
    """Which lines came before."""

    def __init__(self) -> None:
        self._values = FirstLines()
        self._of_row: dict[tuple[str, str], TableRow] = {}

    def faults_beside(self, row: TableRow) -> Iterator[tuple[str, FindFault]]:
        """A value that stands there already, and a date or kind that an earlier line of the row has otherwise."""
        name = row["system"], row["source"]
        key = (*name, row["column"])
        if doubled := self._values.fault(key, row.line, partial(_twice, row)):
            yield "column", doubled
        first = self._of_row.setdefault(name, row)
        for column in ("date", "kind"):
            if row[column] != first[column]:
                yield column, partial(_differs, column, row, first)


def _column_fault(known: PublishedColumns, column: str) -> FindFault | None:
    return None if column in known else partial(known.no_such, column)


def _kind_fault(row: TableRow) -> FindFault | None:
    found = row["kind"]
    message = f"{quoted(found)} is no kind of published row. Write reported or human; empty means reported."
    return (
        None
        if found in _KINDS
        else partial(Finding, ProblemCode.PUBLISHED_KIND, message, visible(found), "reported or human")
    )


def _rank_fault(row: TableRow) -> FindFault | None:
    found = row["rank"]
    message = f"{quoted(found)} is no rank. Write a whole number from 1 on, or leave the cell empty."
    return (
        None
        if not found or _RANK.fullmatch(found)
        else partial(Finding, ProblemCode.PUBLISHED_RANK, message, visible(found), "a whole number from 1")
    )


def _twice(row: TableRow, first: int) -> Finding:
    return Finding(
        ProblemCode.PUBLISHED_TWICE,
        f"Line {first} gives {quoted(row['system'])} a value in this column already, from the same source. "
        "Keep one of the two.",
        visible(row["column"]),
        "every column once",
    )


def _differs(column: str, row: TableRow, first: TableRow) -> Finding:
    return Finding(
        ProblemCode.PUBLISHED_DIFFERS,
        f"Line {first.line} gives {quoted(row['system'])} from this source the {column} {quoted(first[column])}, this "
        f"one {quoted(row[column])}. Lines of one row share it.",
        visible(row[column]),
        visible(first[column]),
    )
