"""An organiser's starter data: the sentences that breakers may change, with their labels.

A table with the columns id, text and label, and perhaps further ones that a changed sentence keeps, such as the
predicate and the question that a span answers. Commas or tabs separate the cells; the first line tells which.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from benchmarks.spec import Dialect, FileFormat, TaskSpec
from submissions.intake.dialects.cells import CellError, split_cells
from submissions.intake.dialects.faults import quote_finding
from submissions.intake.dialects.header import check_header
from submissions.intake.dialects.table import TableReader
from submissions.intake.gold import id_fault
from submissions.intake.pair_faults import PairLine, contradiction, plain
from submissions.intake.pair_labels import PairCells, PairLabels
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
from submissions.intake.rows import Row
from submissions.intake.rules import RULES
from submissions.intake.text import decode, first_forbidden, physical_lines

COLUMNS = ("id", "text", "label")
MAX_ROWS = 100_000
MAX_FURTHER_COLUMNS = 16
_MAX_COLUMN_NAME = 64


class StarterItem(NamedTuple):
    """A sentence that breakers may change. `further` are its cells in the further columns, in their order."""

    text: str
    label: str
    further: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StarterFile:
    """The starter data of a task: its sentences by their ids, in the order of the file."""

    further_columns: tuple[str, ...]
    items: Mapping[str, StarterItem]

    @property
    def header(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*COLUMNS, *self.further_columns)

    @property
    def pairs(self) -> Mapping[str, tuple[str, str]]:
        """Text and label of every sentence, as `read_minimal_pairs` takes them."""
        return {item: (row.text, row.label) for item, row in self.items.items()}

    @property
    def kept(self) -> Mapping[str, tuple[str, ...]]:
        """The cells in the further columns of every sentence, which its changed sentences keep."""
        return {item: row.further for item, row in self.items.items()}


@dataclass(frozen=True, slots=True)
class StarterResult:
    """Starter data, or None and its first problems; `more` counts the rest."""

    file: StarterFile | None
    problems: tuple[Problem, ...]
    more: int


def read_starter(data: bytes, *, file_name: str, task: TaskSpec) -> StarterResult:
    """Read a file of starter data. Its labels come out as the task lists them.

    Ids are unique, every row has a text, a span stands in its text, and rows that agree in everything else agree in
    their label. Nothing in `data` or `file_name` makes this raise.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span, so that there are no minimal pairs of it.
    """
    report = Report()
    file_report = FileReport(report, file=visible(file_name, 200), task=task.id)
    rows = _Rows(PairLabels(task), file_report)
    try:
        rows.read(data)
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        return StarterResult(None, tuple(report.problems), report.more)
    return StarterResult(StarterFile(rows.columns[len(COLUMNS) :], rows.items), (), 0)


def write_starter(file: StarterFile) -> bytes:
    """The data as CSV, as `read_starter` reads it: LF line ends, quotes where they are needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(file.header)
    writer.writerows((item, row.text, row.label, *row.further) for item, row in file.items.items())
    return out.getvalue().encode()


class _Rows:
    """The rows of one file as they come in."""

    def __init__(self, labels: PairLabels, report: FileReport) -> None:
        self.columns: tuple[str, ...] = COLUMNS
        self.items: dict[str, StarterItem] = {}
        self._labels = labels
        self._report = report
        self._line_of: dict[str, int] = {}
        self._inputs: dict[tuple[str, ...], PairLine] = {}

    def read(self, data: bytes) -> None:
        """Take every row. RefusedError where reading cannot go on."""
        lines = self._report.lines = physical_lines(decode(data), MAX_ROWS + 1)
        dialect = Dialect.TSV if "\t" in lines[0] else Dialect.CSV
        self.columns = _columns(lines[0], dialect, self._labels)
        form = FileFormat("", COLUMNS[0], "label", dialect=dialect, columns=self.columns)
        cells = PairCells(self._labels, self.columns[1:])
        for row in TableReader(form, cells, self._report, MAX_ROWS).read(data):
            if row.cells is None:
                self._line_of.setdefault(row.id, row.line)  # reported already
            else:
                self._take(row, row.cells)

    def _take(self, row: Row, cells: tuple[str, ...]) -> None:
        text, cell, *further = cells
        label = self._labels.read(cell, text)
        is_fine = self._has_fine_id(row)
        if not text.strip():
            message = "The row has no text. Give the sentence."
            self._fault(row, "text", Finding(ProblemCode.TEXT_MISSING, message, visible(text)))
        elif label is None:
            self._report.add_lazily(partial(self._labels.explain, cell), line=row.line, column="label")
        elif is_fine:
            self._compare(row, text, label, further)
            self.items[row.id] = StarterItem(text, label, tuple(further))

    def _has_fine_id(self, row: Row) -> bool:
        code = id_fault(row.id, ())
        before = self._line_of.setdefault(row.id, row.line)
        if code is not None:
            self._fault(row, "id", Finding(code, RULES[code], visible(row.id)))
        elif before != row.line:
            message = (
                f"The id {quoted(row.id)} stands on line {before} already. Every sentence has one of its own."
            )
            self._fault(
                row, "id", Finding(ProblemCode.DUPLICATE_ID, message, visible(row.id), "every id once")
            )
        return code is None and before == row.line

    def _compare(self, row: Row, text: str, label: str, further: Sequence[str]) -> None:
        """Whether an earlier row is the same but for its label."""
        line = PairLine(row.line, row.id, "", "", "", text, label, "")
        other = self._inputs.setdefault((plain(text), *map(plain, further)), line)
        if other.label != label:
            self._fault(row, "label", contradiction(line, other))

    def _fault(self, row: Row, column: str, finding: Finding) -> None:
        self._report.add(finding, line=row.line, column=column)


def _columns(line: str, dialect: Dialect, labels: PairLabels) -> tuple[str, ...]:
    """The names of the columns. RefusedError where they are not the known three and then good names of others."""
    known = FileFormat("", COLUMNS[0], "label", dialect=dialect, columns=COLUMNS)
    try:
        cells = split_cells(line, dialect)
    except CellError as error:
        raise RefusedError(quote_finding(error.code, line, known), line=1) from None
    if tuple(cells[: len(COLUMNS)]) != COLUMNS:
        fault = check_header(line, cells[: len(COLUMNS)], known, lambda first: labels.is_one(first[-1]))
        code = fault[0].code if fault else ProblemCode.HEADER_NAMES
        raise _header_fault(code, f"The first columns are not {', '.join(COLUMNS)}.", line)
    further = cells[len(COLUMNS) :]
    if len(further) > MAX_FURTHER_COLUMNS:
        sentence = f"There are {len(further)} further columns; {MAX_FURTHER_COLUMNS} are allowed."
        raise _header_fault(ProblemCode.HEADER_EXTRA_COLUMN, sentence, line)
    for name in further:
        if not name or name != name.strip() or len(name) > _MAX_COLUMN_NAME or first_forbidden(name):
            sentence = (
                f"{quoted(name)} cannot name a column: give 1 to {_MAX_COLUMN_NAME} printable characters."
            )
            raise _header_fault(ProblemCode.HEADER_NAMES, sentence, line)
    if len({name.casefold() for name in cells}) < len(cells):
        raise _header_fault(ProblemCode.HEADER_DOUBLED_COLUMN, "A column stands in the header twice.", line)
    return tuple(cells)


def _header_fault(code: ProblemCode, sentence: str, line: str) -> RefusedError:
    expected = ",".join(COLUMNS)
    message = (
        f"{sentence} The first line names the columns: {expected}, then those that a changed sentence keeps."
    )
    return RefusedError(Finding(code, message, visible(line), expected), line=1)
