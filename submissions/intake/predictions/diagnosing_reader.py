"""The patient reader: accepts every permitted way to write a file, and explains every other one."""

from functools import cached_property, partial
from typing import Any

from benchmarks.spec.item_order import in_public_order
from catalogue.answers import Answers
from catalogue.layouts.form import FileRow, RowReading, Source
from catalogue.layouts.row_ids import parts_of
from catalogue.problems import (
    MAX_PROBLEMS,
    FileReport,
    Finding,
    ProblemCode,
    RefusedError,
    counted,
    quoted,
    visible,
)
from catalogue.suggestions import nearest
from submissions.intake.canonical import FileTarget, explaining_reader
from submissions.intake.unknown_ids import ForeignIds, is_shortened, missing_ids

_SPARE_ROWS = 100
_HEADLINES_COMPARED = 5
# So many foreign rows for each id, beside all ids, are those of a larger set.
_SUPERSET = 0.1


def read_explaining(source: Source, target: FileTarget, report: FileReport) -> Answers | None:
    """The canonical array, shape (len(ids),), aligned to the ids; None where `report` got a problem."""
    answers = _Answers(target, report)
    try:
        if isinstance(source, bytes):
            refuse_far_too_large(source, target)
        task, most = target.task, 2 * len(target.ids) + _SPARE_ROWS
        if isinstance(source, bytes):
            _refuse_full_set(source, target, most)
        ids = () if task.file.layout.has_ids else in_public_order(target.ids.ids)
        reading = RowReading(task.output, answers.reader, report, most, ids=ids, tokens=target.ids.tokens_of)
        for row in task.file.layout.rows(source, task.file, reading):
            answers.take(row)
    except RefusedError as error:
        report.refuse(error)
    else:
        answers.report_missing()
    return answers.reader.array(answers.values) if report.is_clean else None


def refuse_far_too_large(data: bytes, target: FileTarget) -> None:
    """RefusedError for more bytes than any complete answer needs."""
    if len(data) > target.most_bytes:
        raise RefusedError(
            Finding(
                ProblemCode.FILE_TOO_LARGE,
                f"The file has {len(data) / 2**20:.1f} MB, far more than {len(target.ids):,} answers need. "
                "Send the ids and labels only.",
                f"{len(data):,} bytes",
                f"at most {target.most_bytes / 2**20:.1f} MB for this task",
            )
        )


def _refuse_full_set(data: bytes, target: FileTarget, most: int) -> None:
    """RefusedError for a table with far more rows than ids in which all of the ids stand."""
    form = target.task.file
    first = 0 if form.headerless else 1
    row_count = data.rstrip(b"\n").count(b"\n") + 1 - first
    if row_count <= most or not form.layout.is_table or form.has_composite_ids:
        return
    place, mark = form.header.index(form.id_column), form.delimiter.encode()
    wanted = set(target.ids.encoded)
    for line in data.splitlines()[first:]:
        cells = line.split(mark, place + 1)
        if len(cells) > place:
            wanted.discard(cells[place].strip(b'"'))
    if not wanted:
        count = len(target.ids)
        raise RefusedError(
            Finding(
                ProblemCode.TOO_MANY_ROWS,
                f"The file has {counted(row_count, 'row')}, and all {count:,} ids of the split stand among them: this "
                f"looks like the full official set. Keep the rows of these {count:,} ids and remove the others.",
                counted(row_count, "row"),
                counted(count, "row"),
                "full set",
            )
        )


class _Answers:
    def __init__(self, target: FileTarget, report: FileReport) -> None:
        self.reader = explaining_reader(target.task.output, target.task.file)
        self.values: list[Any] = [None] * len(target.ids)
        self._ids = target.ids
        self._output = target.task.output
        self._file = target.task.file
        # The column that an id stands in; in JSON that is the key which holds the answers.
        self._id_place = self._file.layout.id_place(self._file)
        self._foreign = ForeignIds(target.ids, " or ".join(split.split for split in target.splits))
        self._report = report
        self._answered_on: dict[int, int] = {}
        self._compared_left = MAX_PROBLEMS
        self._unknown_count = 0
        self._nameless_count = 0  # rows that were reported, of which nobody can tell whose they are

    def take(self, row: FileRow) -> None:
        position = self._ids.index.get(row.id.encode())
        if row.cells is None:
            if position is not None:
                self._answered_on.setdefault(position, row.line)
            self._nameless_count += position is None
            return
        if position is None:
            if (row.id, *row.cells) == (self._file.id_column, *self.reader.columns):
                repeated = "The header stands here a second time. Remove this line."
                header = visible(self._file.header_line)
                self._report.add(Finding(ProblemCode.HEADER_REPEATED, repeated, header), line=row.line)
                return
            if self._is_header(row):
                self._report.add(_header_of_rows(row), line=row.line)
                return
            self._report_id(row)
        elif position in self._answered_on:
            self._report.add_lazily(
                partial(self._doubled, row.id, self._answered_on[position]),
                kind=(ProblemCode.DUPLICATE_ID, ""),
                line=row.line,
                column=self._id_place,
            )
        else:
            self._answered_on[position] = row.line
        if position is not None and self._ids.tokens and len(row.cells) != len(self._ids.tokens[position]):
            find = partial(_label_count, len(row.cells), len(self._ids.tokens[position]))
            kind = (ProblemCode.TOKEN_COUNT, "")
            self._report.add_lazily(find, kind=kind, line=row.line, column=self.reader.columns[0])
            return
        value = self.reader.value(row.cells)
        if value is None:
            counts = self.reader.count_faults(row.cells)
            self._report.add_all(self.reader.explain(row.cells), row.line_of, counts)
        elif position is not None:
            self.values[position] = value

    def report_missing(self) -> None:
        """Says which items have no answer; where a file may leave out items, these have what stands for none."""
        if (unanswered := self._file.layout.unanswered(self._output, self.reader)) is not None:
            self.values = [unanswered if value is None else value for value in self.values]
            return
        missing = [item for position, item in enumerate(self._ids.ids) if position not in self._answered_on]
        if len(missing) > self._nameless_count:  # else they may be those, and one slip would be told twice
            self._report.add(missing_ids(missing, len(self._ids), "answer"), column=self._id_place)
        elif not missing and self._unknown_count > len(self._ids) * _SUPERSET:
            self._report.remark(
                ProblemCode.UNKNOWN_ID,
                f"All {len(self._ids):,} ids of the split are answered beside them: this looks like the full "
                "official set. Keep the rows of the split's ids and remove the others.",
            )

    def _is_header(self, row: FileRow) -> bool:
        """Whether the first line of a table without header has neither an id nor an answer, and nothing like them."""
        if row.line > 1 or not self._file.headerless or row.cells is None:
            return False
        is_answer = self.reader.value(row.cells) is not None or self.reader.looks_like_answer(row.cells)
        return not is_answer and self._foreign.meant(row.id) is None

    def _report_id(self, row: FileRow) -> None:
        is_composite = self._file.has_composite_ids
        meant = None if is_composite else self._foreign.meant(row.id)
        if meant is not None:
            # Counts as answered, or one slip of a spreadsheet would be told twice per row.
            self._answered_on.setdefault(meant, row.line)
        if is_composite:
            self._report.add(self._foreign_composite(row.id), line=row.line, column=self._id_place)
            return
        self._unknown_count += meant is None
        self._nameless_count += meant is None and is_shortened(row.id)
        find, kind = partial(self._foreign.finding, row.id), self._foreign.kind(row.id, meant)
        self._report.add_lazily(find, kind=kind, line=row.line, column=self._id_place)

    def _foreign_composite(self, found: str) -> Finding:
        """An id of several cells: given too often, half right, or not known at all."""
        cells, times = parts_of(found)
        columns = " and ".join(self._file.id_columns)
        if not all(cells):
            return Finding(ProblemCode.EMPTY_ID, f"A cell of {columns} is empty. Give all.", "", columns)
        shown = " / ".join(map(visible, cells))
        known = self._times_of.get(cells, 0)
        if known:
            return Finding(
                ProblemCode.DUPLICATE_ID,
                f"“{shown}” stands here for the {times}. time; the split has it {known} times.",
                shown,
                f"{counted(known, 'row')} of these cells",
            )
        near = self._first_cells_of.get(cells[1:], [])
        message = f"No item of the split has this {columns}."
        if not near or not self._compared_left:
            return Finding(ProblemCode.UNKNOWN_ID, message, shown, f"{columns} as in the task's own file")
        self._compared_left -= 1
        meant = nearest(cells[0], near[:_HEADLINES_COMPARED])
        rest = " / ".join(map(visible, cells[1:]))
        message += (
            f" The {self._file.id_column} nearest to it, of those that go with {rest}, is {quoted(meant)}."
        )
        return Finding(ProblemCode.UNKNOWN_ID, message, shown, visible(meant))

    @cached_property
    def _times_of(self) -> dict[tuple[str, ...], int]:
        times: dict[tuple[str, ...], int] = {}
        for item in self._ids.ids:
            cells, which = parts_of(item)
            times[cells] = max(which, times.get(cells, 0))
        return times

    @cached_property
    def _first_cells_of(self) -> dict[tuple[str, ...], list[str]]:
        """What stands in the first id column of the items that share the other id cells."""
        first: dict[tuple[str, ...], list[str]] = {}
        for cells in self._times_of:
            first.setdefault(cells[1:], []).append(cells[0])
        return first

    def _doubled(self, found: str, first: int) -> Finding:
        entries = self._report.entries
        place = f"in {quoted(entries[first - 1])}" if entries else f"on line {first}"
        return Finding(
            ProblemCode.DUPLICATE_ID,
            f"The id {quoted(found)} was already answered {place}. Keep one of the two{'' if entries else ' rows'}.",
            visible(found),
            "every id once",
        )


def _header_of_rows(row: FileRow) -> Finding:
    found = visible(" ".join((row.id, *(row.cells or ()))))
    message = (
        "Neither an id nor an answer of this task stands in the first line. If it names the columns, remove it: "
        "files of this task have rows only."
    )
    return Finding(ProblemCode.HEADER_REPEATED, message, found, "a row")


def _label_count(found: int, wanted: int) -> Finding:
    """An answer with more or fewer labels than its item has tokens."""
    tokens, labels = counted(wanted, "token"), counted(found, "label")
    message = f"The item has {tokens}, and the answer has {labels}. Give one for each token, in their order."
    return Finding(ProblemCode.TOKEN_COUNT, message, labels, counted(wanted, "label"))
