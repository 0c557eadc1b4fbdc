"""The table of another leaderboard: one system a line, with its date, its team and a column for each score."""

import re
from collections.abc import Iterator
from functools import partial

from benchmarks.spec import BenchmarkSpec, ReportedRow, RowKind
from catalogue.layouts.json_lines import members_of_line
from catalogue.layouts.json_object import report_doubled, wrong_type
from catalogue.layouts.json_text import Node, NumberText
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.published.published_cells import (
    MAX_PUBLISHED_ROWS,
    PublishedColumns,
    date_fault,
    text_fault,
)
from submissions.intake.tables.labelled import LabelledTable, labelled_table
from submissions.intake.tables.table_schema import FindFault, FirstLines

EARLIER = "earlier leaderboard"
"""What a row's source is called where the table has no column for it."""
MOST_FAULTS = 1_000
_NEEDED = ("system", "team", "date")
_LINKS = ("paper", "code")
_ABOUT = (*_NEEDED, "source", *_LINKS)
_ADDRESS = re.compile(r"https?://[^\s\"'<>\\]{3,480}")


def read_moved_table(
    data: bytes, *, file_name: str, spec: BenchmarkSpec, source: str = EARLIER
) -> FileRead[tuple[ReportedRow, ...]]:
    """Read a CSV or TSV file with a header, or JSON Lines: `system`, `team`, `date` and a column for each score.

    Scores stand below the keys that `reported` rows of the definition have, on the scale of boards; where a cell is
    empty there is none. `source`, `paper` and `code` may be there. Up to 1,000 faults are listed, each with its line
    and column.
    """

    def read(report: FileReport) -> tuple[ReportedRow, ...] | None:
        is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
        table = _objects(data, report) if is_json else labelled_table(data, False, report)
        scores = _scores(table, spec, report)
        rows = [*_Rows(PublishedColumns(spec), scores, source, report).of(table)]
        return tuple(rows) if report.is_clean else None

    return read_file(read, file_name=file_name, most=MOST_FAULTS)


def _scores(table: LabelledTable, spec: BenchmarkSpec, report: FileReport) -> dict[str, str]:
    """The columns of scores with their keys; a task may be named by its title too. What cannot be told is reported."""
    known = PublishedColumns(spec)
    titles = {part.title.casefold(): part.id for part in (*spec.tasks, *spec.averages)}
    scores: dict[str, str] = {}
    for name in table.header:
        if name in _ABOUT:
            continue
        key = name if name in known else titles.get(name.casefold(), "")
        if not key:
            report.add_lazily(partial(known.no_such, name, _ABOUT), line=1, column=name)
        elif key in scores.values():
            report.add(_same_column(name, key), line=1, column=name)
        else:
            scores[name] = key
    missing = [name for name in _NEEDED if name not in table.header]
    if missing:
        raise RefusedError(
            Finding(
                ProblemCode.HEADER_MISSING,
                f"The table has no column {', '.join(missing)}. It needs system, team and date, beside a column for "
                "each score.",
                visible(", ".join(table.header)),
                ", ".join(missing),
            ),
            line=1,
        )
    if not scores and report.is_clean:
        message = "The table has no column of scores. Name it by the id of a task or of an average."
        raise RefusedError(Finding(ProblemCode.PUBLISHED_COLUMN, message, None, "a task"), line=1)
    return scores


class _Rows:
    """Lines of the table as reported rows; `scores` are the columns of scores with their keys."""

    def __init__(
        self, known: PublishedColumns, scores: dict[str, str], source: str, report: FileReport
    ) -> None:
        self._known, self._scores, self._source, self._report = known, scores, source, report
        self._names = FirstLines()

    def of(self, table: LabelledTable) -> Iterator[ReportedRow]:
        """The rows without a fault; faults are reported."""
        for count, (line, cells) in enumerate(zip(table.lines, table.rows, strict=True), start=1):
            if count > MAX_PUBLISHED_ROWS:
                message = f"The file has more than {MAX_PUBLISHED_ROWS:,} rows. Reading stopped here."
                raise RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=line)
            if len(cells) != len(table.header):
                continue  # reported with the table
            row = dict(zip(table.header, cells, strict=True))
            faults = [*self._faults(row)] or [*self._faults_beside(row, line)]
            for column, fault in faults:
                self._report.add_lazily(fault, line=line, column=column)
            if not faults:
                yield self._row(row)

    def _row(self, row: dict[str, str]) -> ReportedRow:
        values = {key: float(row[name]) for name, key in self._scores.items() if row[name]}
        return ReportedRow(
            row["system"],
            RowKind.REPORTED,
            row.get("source") or self._source,
            values,
            date=row["date"],
            team=row["team"],
            paper_url=row.get("paper", ""),
            code_url=row.get("code", ""),
            moved_in=True,
        )

    def _faults(self, row: dict[str, str]) -> Iterator[tuple[str, FindFault]]:
        told = {
            "system": text_fault("system", row["system"]),
            "team": text_fault("team", row["team"]),
            "date": date_fault(row["date"], may_be_empty=False),
            "source": text_fault("source", row["source"]) if row.get("source") else None,
            **{name: _link_fault(row[name]) for name in _LINKS if row.get(name)},
            **{
                name: self._known.value_fault(key, row[name])
                for name, key in self._scores.items()
                if row[name]
            },
        }
        yield from ((column, fault) for column, fault in told.items() if fault)
        if self._scores and not any(row[name] for name in self._scores):
            message = "The row has no score in any column. Give one, or take the row out."
            yield (
                next(iter(self._scores)),
                partial(Finding, ProblemCode.PUBLISHED_EMPTY, message, None, "a score"),
            )

    def _faults_beside(self, row: dict[str, str], line: int) -> Iterator[tuple[str, FindFault]]:
        """A row that stands there already: claims tell rows apart by system, team and date."""
        name = tuple(row[key] for key in _NEEDED)
        if doubled := self._names.fault(name, line, partial(_twice, row)):
            yield "system", doubled


def _objects(data: bytes, report: FileReport) -> LabelledTable:
    """JSON Lines as a table: the header has every key in the order in which they come, and null is an empty cell."""
    lines = physical_lines(decode(data), MAX_PUBLISHED_ROWS)
    report.lines = lines
    header: dict[str, None] = {}
    rows: list[tuple[int, dict[str, str]]] = []
    for number, line in enumerate(lines, start=1):
        cells: dict[str, str] = {}
        try:
            for member in members_of_line(line, number):
                if member.key in cells:
                    report_doubled(member, number, report, member.key)
                cells[member.key] = _cell(member.value, member.key, report)
        except RefusedError as error:
            report.refuse(error)
            continue
        header |= dict.fromkeys(cells)
        rows.append((number, cells))
    names = tuple(header)
    table = tuple(tuple(cells.get(name, "") for name in names) for _, cells in rows)
    return LabelledTable(names, table, tuple(line for line, _ in rows))


def _cell(node: Node, column: str, report: FileReport) -> str:
    value = node.value
    if isinstance(value, NumberText):
        return value.text
    if value is None or isinstance(value, str):
        return value or ""
    report.add(wrong_type(node, "a text or a number"), line=node.line, column=column)
    return ""


def _link_fault(found: str) -> FindFault | None:
    message = f"{quoted(found)} is no link. Write the whole address, beginning with https:// or http://."
    if _ADDRESS.fullmatch(found):
        return None
    return partial(Finding, ProblemCode.PUBLISHED_LINK, message, visible(found), "https://…")


def _same_column(name: str, key: str) -> Finding:
    message = f"{quoted(name)} means {quoted(key)}, which another column holds already. Keep one of the two."
    return Finding(ProblemCode.HEADER_DOUBLED_COLUMN, message, visible(name), "every column once")


def _twice(row: dict[str, str], first: int) -> Finding:
    return Finding(
        ProblemCode.PUBLISHED_TWICE,
        f"Line {first} has {quoted(row['system'])} of {quoted(row['team'])} on {row['date']} already. Keep one of the "
        "two, or tell them apart by their names.",
        visible(row["system"]),
        "every system once a day",
    )
