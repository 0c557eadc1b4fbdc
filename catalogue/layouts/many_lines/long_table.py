"""Long tables: a row for each part of an answer, which is a list: a span, a tuple, a label."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, groupby, repeat
from operator import itemgetter
from typing import Any, ClassVar

from catalogue.answers import AnswerKind
from catalogue.answers.reading import AnswerReader, JsonShape
from catalogue.answers.structured.json_list import WrongListError
from catalogue.layouts.delimited import CSV, TSV, UNREAD, Delimited
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.line_faults import too_long
from catalogue.layouts.many_lines.parts import cells_of_parts, is_part
from catalogue.layouts.table_rows import TableReader
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible

_MOST_LINES = 10_000_000
_Row = tuple[bytes, str, tuple[bytes, ...]]
_ID = itemgetter(0)
_NOTHING = OrdinaryRows(b"", {})


@dataclass(slots=True)
class _Parts:
    """What the rows of one item say: its parts, and on which line each stands; nothing of use if `is_in_doubt`.

    `empty` are the lines of rows that name no part. What its first row says of its cluster and groups, all say.
    """

    line: int
    cluster: str = ""
    groups: tuple[str, ...] = ()
    parts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    is_in_doubt: bool = False


class LongTable(Layout):
    """A table in which an answer has a row for each of its parts, wherever these rows stand.

    A row whose cells of the answer are all empty says that there is nothing, and so does a file of predictions of an
    item that it leaves out. A gold file has such a row for each item without a part, for its rows say which there are.
    """

    is_table = False
    has_lists = True
    has_row_for_each_part = True
    each_item = "a row for each part of the answer"
    left_out = "An item that a file leaves out has nothing."
    options: ClassVar[tuple[str, ...]] = (
        "columns",
        "also_headers",
        "headerless",
        "cluster_column",
        "group_columns",
    )
    table: ClassVar[Delimited]

    def unfit(self, output: AnswerKind) -> str:
        if output.columns_of_part("label"):
            return ""
        return f"{output.phrase} is read from other dialects; {self.key} holds lists of labels, ranges and tuples"

    def answer_columns(self, output: AnswerKind, label_column: str) -> tuple[str, ...]:
        return output.columns_of_part(label_column)

    def unanswered(self, output: AnswerKind, answers: AnswerReader) -> Any:
        return answers.value(cells_of_parts(output, []))

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """A row for each item, in the order in which they first stand there."""
        if not isinstance(source, bytes):
            raise TypeError("A table is read from its bytes.")
        output, answers = reading.output, reading.answers
        columns = output.columns_of_part(form.label_column)
        most = min(_MOST_LINES, reading.max_rows * answers.most_lines)
        items: dict[str, _Parts] = {}
        table = TableReader(
            form, columns, partial(is_part, output, answers), reading.report, most, answers.most_characters
        )
        for row in table.read(source):
            found = items.setdefault(row.id, _Parts(row.line, row.cluster, row.groups))
            if row.cells is None:
                found.is_in_doubt = True
                continue
            if not found.is_in_doubt and (fault := _other_beside(found, row, form)) is not None:
                column, finding = fault
                reading.report.add(finding, line=row.line, column=column)
                found.is_in_doubt = True
            if any(row.cells):
                _take(found, row, columns, output, reading.report)
            else:
                found.empty.append(row.line)
        for item, found in items.items():
            for line in found.empty if found.parts else found.empty[1:]:
                reading.report.add(_nothing_and_something(item), line=line, column=columns[0])
                found.is_in_doubt = True
            if sum(map(len, found.parts)) > answers.most_characters and output.json_shape is JsonShape.WHOLE:
                find = partial(too_long, ", ".join(found.parts), answers.most_characters)
                reading.report.add_lazily(find, kind=(ProblemCode.CELL_TOO_LONG, ""), line=found.line)
                found.is_in_doubt = True
            cells = None if found.is_in_doubt else cells_of_parts(output, found.parts)
            lines = tuple(found.lines) if len(found.lines) == len(cells or ()) else ()
            yield FileRow(found.line, item, cells, lines, found.cluster, groups=found.groups)

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """The answers of items whose rows all stand together and without a fault, as programs write them."""
        answers = output.reader(form.label_column)
        begun: list[_Row] = []  # an item whose rows may go on in the next piece
        for piece in self.table.ordinary_rows(data, form, output):
            rows = _rows_of(piece, form, output) if piece else None
            if piece is None or rows is None or len(begun) > answers.most_lines:
                yield None
                return
            items = [list(of_item) for _, of_item in groupby(chain(begun, rows), _ID)]
            begun = items.pop()
            yield _answered(items, form, output, answers, piece)
        yield _answered([begun], form, output, answers, _NOTHING)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        form, columns = part.form, part.columns
        rows = [
            {form.id_column: item} | cells
            for item, value in zip(part.ids, part.values, strict=True)
            for cells in _written(value, columns)
        ]
        return self.table.write(
            [
                replace(
                    part,
                    form=replace(
                        form, id_column=form.header[0], label_column=form.header[-1], layout=self.table
                    ),
                    ids=[row.get(form.header[0], UNREAD) for row in rows],
                    columns=form.header[1:],
                    values=[[str(row.get(name, UNREAD)) for name in form.header[1:]] for row in rows],
                )
            ]
        )


class LongCsv(LongTable):
    """Cells separated by commas or by the file's own `delimiter`, quoted as RFC 4180 says."""

    key = "long_csv"
    title = "CSV with a row for each part"
    ending = "csv"
    has_quotes = True
    task_ending = ".csv"
    options = (*LongTable.options, "delimiter")
    table = CSV


class LongTsv(LongTable):
    """Cells separated by tabs; a quote is a character like any other."""

    key = "long_tsv"
    title = "TSV with a row for each part"
    ending = "tsv"
    note = "tabs between the cells, "
    delimiter = "\t"
    table = TSV


LONG_CSV = LongCsv()
LONG_TSV = LongTsv()


def _rows_of(piece: OrdinaryRows, form: FileFormat, output: AnswerKind) -> "Iterator[_Row] | None":
    """Id, part and what is said beside it of each row, no part where its cells are empty; None where one is wrong."""
    ids, *beside = (
        piece.columns[name]
        for name in (form.id_column, *filter(None, (form.cluster_column, *form.group_columns)))
    )
    cells = list(
        zip(*(piece.columns[name] for name in output.columns_of_part(form.label_column)), strict=True)
    )
    try:
        parts = {row: output.part([cell.decode() for cell in row]) if any(row) else "" for row in set(cells)}
    except (UnicodeDecodeError, WrongListError):
        return None
    return zip(
        ids, map(parts.__getitem__, cells), zip(*beside, strict=True) if beside else repeat(()), strict=False
    )


def _answered(
    items: Sequence[Sequence[_Row]],
    form: FileFormat,
    output: AnswerKind,
    answers: AnswerReader,
    piece: OrdinaryRows,
) -> OrdinaryRows | None:
    """The answer of each item of these rows; None where two rows contradict each other, or together are too much."""
    found: list[tuple[str, ...]] = []
    for rows in items:
        parts = [part for _, part, _ in rows]
        if len(rows) > 1 and not (all(parts) and len({beside for _, _, beside in rows}) == 1):
            return None
        if output.json_shape is JsonShape.WHOLE and sum(map(len, parts)) > answers.most_characters:
            return None
        found.append(cells_of_parts(output, [part for part in parts if part]))
    ids = [rows[0][0] for rows in items]
    return OrdinaryRows(piece.data, {**piece.columns, form.id_column: ids}, found)


def _take(
    found: _Parts, row: FileRow, columns: Sequence[str], output: AnswerKind, report: FileReport
) -> None:
    """Add the part that a row says; what is wrong with it is reported where it stands."""
    try:
        found.parts.append(output.part(row.cells or ()))
        found.lines.append(row.line)
    except WrongListError as wrong:
        column = columns[wrong.place]
        report.add_lazily(wrong.find, kind=wrong.kind, line=row.line, column=column)
        found.is_in_doubt = True


def _other_beside(found: _Parts, row: FileRow, form: FileFormat) -> tuple[str, Finding] | None:
    """Where a row says something else of the item's cluster or groups than its first one does: the column, and that."""
    names = (form.cluster_column, *form.group_columns)
    pairs = zip(names, (found.cluster, *found.groups), (row.cluster, *row.groups), strict=True)
    for name, first, here in pairs:
        if first != here:
            message = (
                f"{quoted(here)} stands here for {quoted(row.id)}, and {quoted(first)} on line {found.line}. All rows "
                "of an item say the same there."
            )
            return name, Finding(ProblemCode.FIXED_CELL, message, visible(here), visible(first))
    return None


def _nothing_and_something(item: str) -> Finding:
    """A row that says that an item has nothing, beside other rows of the item."""
    message = f"This row names nothing, and another row is of {quoted(item)} too. Remove it, or fill it."
    return Finding(ProblemCode.EMPTY_LABEL, message, expected="only one row where there is nothing")


def _written(value: Any, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The cells of each row of an answer, by their columns: one row of empty ones where it has no part."""
    parts = json.loads(value) if isinstance(value, str) else value
    rows = []
    for part in parts or [[""] * len(columns)]:
        cells = list(part.values()) if isinstance(part, dict) else part
        rows.append(dict(zip(columns, cells if isinstance(cells, list) else [cells], strict=True)))
    return rows
