"""An organiser's file of published figures: one value a line, read as strictly as predictions."""

import math
import re
from collections.abc import Iterator
from functools import partial

from benchmarks.spec import BenchmarkSpec, FileFormat, ReportedRow, RowKind
from benchmarks.spec.averages import ends_of
from benchmarks.spec.loader import is_day
from benchmarks.spec.protocol import ATTACK_MEASURES
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import FindFault, FirstLines, TableColumn, TableRow, TableSchema

MAX_PUBLISHED_ROWS = 20_000
_LONGEST = 200
_KINDS = {"": RowKind.REPORTED, "reported": RowKind.REPORTED, "human": RowKind.HUMAN}
_RANK = re.compile(r"[1-9][0-9]{0,4}")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
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
    lines = _Lines(spec)
    table = TableSchema(
        _FORM,
        (
            *(TableColumn(name, partial(_text_fault, name)) for name in ("system", "source")),
            TableColumn("date", _date_fault),
            TableColumn("kind", _kind_fault),
            TableColumn("column", lines.column_fault),
            TableColumn("value", lines.value_fault),
            TableColumn("rank", _rank_fault),
        ),
        row=lambda row: row,
        max_rows=MAX_PUBLISHED_ROWS,
        faults_beside=lines.faults_beside,
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
    """What the benchmark has columns for, and which lines came before."""

    def __init__(self, spec: BenchmarkSpec) -> None:
        self._spec = spec
        self._columns = spec.reported_columns
        self._known = set(self._columns)
        self._values = FirstLines()
        self._of_row: dict[tuple[str, str], TableRow] = {}

    def column_fault(self, row: TableRow) -> FindFault | None:
        return None if row["column"] in self._known else partial(self._no_such_column, row["column"])

    def value_fault(self, row: TableRow) -> FindFault | None:
        found = row["value"]
        if not _NUMBER.fullmatch(found):
            message = f"{quoted(found)} is no number. Write it as 0.735."
            return partial(Finding, ProblemCode.NOT_A_NUMBER, message, visible(found), "a number")
        low, high = self._ends(row["column"])
        if not math.isfinite(float(found)) or not low <= float(found) <= high:
            range_ = f"a number from {low:g} to {high:g}" if math.isfinite(high) else "a finite number"
            message = f"{quoted(found)} is not on the scale of this column; expected {range_}."
            if high == 1:
                message += " A percentage is written as a share: 73.5 % is 0.735."
            return partial(Finding, ProblemCode.NUMBER_OUT_OF_RANGE, message, visible(found), range_)
        return None

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

    def _ends(self, column: str) -> tuple[float, float]:
        """The range of a column; without bounds where it is none, or of a measure that has none."""
        if column not in self._known or column in ATTACK_MEASURES:
            return -math.inf, math.inf
        place, _, metric = column.partition(":")
        return ends_of(self._spec, place.partition("@")[0], metric)

    def _no_such_column(self, column: str) -> Finding:
        closest = nearest(column, self._columns)
        message = (
            f"{quoted(column)} is no column of {self._spec.title}. Nearest: {quoted(closest)}. A column is the id of a "
            "task or an average, of another metric “id:metric”, of another split “id@split”."
        )
        return Finding(ProblemCode.PUBLISHED_COLUMN, message, visible(column), closest)


def _text_fault(column: str, row: TableRow) -> FindFault | None:
    found = row[column]
    if found.strip() == found and found.isprintable() and 0 < len(found) <= _LONGEST:
        return None
    message = f"The {column} has {len(found)} characters; expected 1 to {_LONGEST} printable ones, no spaces around."
    return partial(Finding, ProblemCode.PUBLISHED_TEXT, message, visible(found), f"the {column}")


def _date_fault(row: TableRow) -> FindFault | None:
    found = row["date"]
    message = f"{quoted(found)} is no day. Write it as 2018-06-05, or leave the cell empty."
    return (
        None
        if is_day(found)
        else partial(Finding, ProblemCode.PUBLISHED_DATE, message, visible(found), "YYYY-MM-DD")
    )


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
