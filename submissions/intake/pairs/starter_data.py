"""An organiser's starter data: the sentences that breakers may change, with their labels.

A table with the columns id, text and label, and perhaps further ones that a changed sentence keeps, such as the
predicate and the question that a span answers. Commas or tabs separate the cells; the first line tells which.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.layouts import CSV, TSV, Layout
from catalogue.layouts.cells import CellError, split_cells
from catalogue.layouts.header import check_header, judge_free_columns
from catalogue.layouts.line_faults import quote_finding
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, visible
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.pairs.minimal_pairs import COLUMNS as PAIR_COLUMNS
from submissions.intake.pairs.minimal_pairs import layout_of_pairs
from submissions.intake.pairs.pair_faults import (
    CHANGED,
    PairIds,
    PairLabels,
    PairLine,
    contradiction,
    plain,
    text_fault,
)
from submissions.intake.tables.table_schema import FindFault, FirstLines, TableColumn, TableRow, TableSchema

COLUMNS = ("id", "text", "label")
MAX_ROWS = 100_000


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
        return (*COLUMNS, *self.further_columns)

    @property
    def pairs(self) -> Mapping[str, tuple[str, str]]:
        """Text and label of every sentence, as `read_minimal_pairs` takes them."""
        return {item: (row.text, row.label) for item, row in self.items.items()}

    @property
    def kept(self) -> Mapping[str, tuple[str, ...]]:
        """The cells in the further columns of every sentence, which its changed sentences keep."""
        return {item: row.further for item, row in self.items.items()}


def read_starter(data: bytes, *, file_name: str, task: TaskSpec) -> FileRead[StarterFile]:
    """Read a file of starter data. Its labels come out as the task lists them.

    Ids are unique, every row has a text, a span stands in its text, and rows that agree in everything else agree in
    their label. Nothing in `data` or `file_name` makes this raise.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span, so that there are no minimal pairs of it.
    """
    read = partial(_read, data, PairLabels(task))
    return read_file(read, file_name=visible(file_name, 200), task=task.id)


def write_starter(file: StarterFile) -> bytes:
    """The data as CSV, as `read_starter` reads it: LF line ends, quotes where they are needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(file.header)
    writer.writerows((item, row.text, row.label, *row.further) for item, row in file.items.items())
    return out.getvalue().encode()


def _read(data: bytes, labels: PairLabels, report: FileReport) -> StarterFile:
    lines = report.lines = physical_lines(decode(data), MAX_ROWS + 1)
    layout = TSV if "\t" in lines[0] else CSV
    columns = _columns(lines[0], layout, labels)
    further = columns[len(COLUMNS) :]
    ids = FirstLines()
    inputs: dict[tuple[str, ...], PairLine] = {}

    def faults_beside(row: TableRow) -> Iterator[tuple[str, FindFault]]:
        label = labels.read(row["label"], row["text"])
        line = PairLine(row.line, row.id, "", "", "", row["text"], label, "")
        other = inputs.setdefault((plain(row["text"]), *(plain(row[name]) for name in further)), line)
        if other.label != label:
            yield "label", partial(contradiction, line, other)

    table = TableSchema(
        FileFormat("", "id", "label", layout=layout, columns=columns),
        (
            TableColumn(
                "id", lambda row: ids.id_fault(row.id, row.line, "Every sentence has one of its own.")
            ),
            TableColumn("text", text_fault),
            TableColumn(
                "label", lambda row: labels.fault(row["label"], row["text"]) if row["text"].strip() else None
            ),
        ),
        row=lambda row: (
            row.id,
            StarterItem(
                row["text"],
                labels.read(row["label"], row["text"]) or "",
                tuple(row[name] for name in further),
            ),
        ),
        max_rows=MAX_ROWS,
        faults_beside=faults_beside,
        in_doubt=lambda line, item: ids.setdefault(item, line),  # reported already
        looks_like_row=lambda cells: labels.is_one(cells[2]),
    )
    return StarterFile(further, dict(table.read(data, report)))


def _columns(line: str, layout: Layout, labels: PairLabels) -> tuple[str, ...]:
    """The names of the columns. RefusedError where they are not the known three and then good names of others."""
    known = FileFormat("", COLUMNS[0], "label", layout=layout, columns=COLUMNS)
    try:
        cells = split_cells(line, layout.delimiter)
    except CellError as error:
        raise RefusedError(quote_finding(error.code, line, known), line=1) from None
    if tuple(cells[: len(COLUMNS)]) != COLUMNS:
        fault = check_header(line, cells[: len(COLUMNS)], known, lambda first: labels.is_one(first[-1]))
        code = fault[0].code if fault else ProblemCode.HEADER_NAMES
        raise _header_fault(code, f"The first columns are not {', '.join(COLUMNS)}.", line)
    free_fault = judge_free_columns(cells, len(COLUMNS), "further columns")
    if free_fault is not None:
        raise _header_fault(*free_fault, line)
    return tuple(cells)


def _header_fault(code: ProblemCode, sentence: str, line: str) -> RefusedError:
    expected = ",".join(COLUMNS)
    return RefusedError(
        Finding(
            code,
            f"{sentence} The first line names the columns: {expected}, then those that a changed sentence keeps.",
            visible(line),
            expected,
        ),
        line=1,
    )


def pairs_template(task: TaskSpec, starter: StarterFile, rows: int) -> str:
    """The header and rows of the first sentences, each as it stands in the starter data: still to be changed."""
    ids = PairIds(task.pairs)
    begun = (
        (ids.id_of(ids.root(item), CHANGED), item, row.text, "", "", "")
        for item, row in islice(starter.items.items(), rows)
    )
    if not layout_of_pairs(task).has_quotes:
        return "".join(
            "\t".join(cell.replace("\t", " ") for cell in row) + "\n" for row in (PAIR_COLUMNS, *begun)
        )
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((PAIR_COLUMNS, *begun))
    return out.getvalue()
