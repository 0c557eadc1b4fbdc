"""The patient reader: accepts every permitted way to write a file, and explains every other one."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from submissions.intake.canonical import Codes, SplitTarget, code_dtype
from submissions.intake.labels import Labels
from submissions.intake.nearest import as_ranges, loose_id
from submissions.intake.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible
from submissions.intake.rows import Row, RowReader

_SPARE_ROWS = 100
_UNANSWERED = -1


def read_explaining(data: bytes, target: SplitTarget, report: FileReport) -> Codes | None:
    """The label codes, shape (len(ids),), aligned to the ids; None where `report` got a problem."""
    if len(data) > target.most_bytes:
        report.add(_far_too_large(len(data), target))
        return None
    answers = _Answers(target, report)
    reader = RowReader(target.task, report, max_rows=2 * len(target.ids) + _SPARE_ROWS)
    try:
        for row in reader.read(data):
            answers.take(row)
    except RefusedError as error:
        report.refuse(error)
    else:
        answers.report_missing()
    if not report.is_clean:
        return None
    return np.array(answers.codes, dtype=code_dtype(target.task.output))


def _far_too_large(size: int, target: SplitTarget) -> Finding:
    message = (
        f"The file has {size / 2**20:.1f} MB, far more than {len(target.ids):,} answers need. "
        "Send the ids and labels only."
    )
    expected = f"at most {target.most_bytes / 2**20:.1f} MB for this task"
    return Finding(ProblemCode.FILE_TOO_LARGE, message, f"{size:,} bytes", expected)


class _Answers:
    """The answers of one file as they come in, row by row."""

    def __init__(self, target: SplitTarget, report: FileReport) -> None:
        self.codes = [_UNANSWERED] * len(target.ids)
        self._ids = target.ids
        self._labels = Labels(target.task.output.names)
        self._columns = (target.task.file.id_column, target.task.file.label_column)
        self._split = target.split
        self._report = report
        self._answered_on: dict[int, int] = {}
        self._loose_ids: dict[str, int] | None = None

    def take(self, row: Row) -> None:
        """Note the row's answer, or report what is wrong with its id and its label."""
        position = self._ids.index.get(row.id.encode())
        if row.label is None:
            if position is not None:
                self._answered_on.setdefault(position, row.line)
            return
        if position is None:
            if (row.id, row.label) == self._columns:
                self._report.add(self._repeated_header(), line=row.line)
                return
            self._report_id(row)
        elif position in self._answered_on:
            self._report.add_lazily(
                partial(self._doubled, row.id, self._answered_on[position]),
                line=row.line,
                column=self._columns[0],
            )
        else:
            self._answered_on[position] = row.line
        code = self._labels.code_of.get(row.label)
        if code is None:
            self._report.add_lazily(
                partial(self._labels.explain, row.label), line=row.line, column=self._columns[1]
            )
        elif position is not None:
            self.codes[position] = code

    @cached_property
    def _all_ids(self) -> str:
        return as_ranges(self._ids.ids, limit=3)

    def report_missing(self) -> None:
        """One problem for all ids without an answer."""
        missing = [item for position, item in enumerate(self._ids.ids) if position not in self._answered_on]
        if missing:
            self._report.add_lazily(partial(self._missing, missing), column=self._columns[0])

    def _report_id(self, row: Row) -> None:
        if self._loose_ids is None:
            self._loose_ids = {loose_id(item): position for position, item in enumerate(self._ids.ids)}
        meant = self._loose_ids.get(loose_id(row.id)) if row.id else None
        if meant is not None:
            # Counts as answered, or one slip of a spreadsheet would be told twice per row.
            self._answered_on.setdefault(meant, row.line)
        self._report.add_lazily(partial(self._foreign, row.id, meant), line=row.line, column=self._columns[0])

    def _foreign(self, found: str, meant: int | None) -> Finding:
        expected = self._all_ids
        if not found:
            return Finding(ProblemCode.EMPTY_ID, "The id is empty. Give the id of the item.", "", expected)
        if meant is not None:
            exact = self._ids.ids[meant]
            message = (
                f"{quoted(found)} is not an id of this task, but {quoted(exact)} is. Write ids exactly so."
            )
            return Finding(ProblemCode.ID_SPELLING, message, visible(found), exact)
        message = (
            f"{quoted(found)} is not an id of this task's {self._split} split, whose ids are {expected}."
        )
        return Finding(ProblemCode.UNKNOWN_ID, message, visible(found), expected)

    def _doubled(self, found: str, first: int) -> Finding:
        message = f"The id {quoted(found)} was already answered on line {first}. Keep one of the two rows."
        return Finding(ProblemCode.DUPLICATE_ID, message, visible(found), "every id once")

    def _missing(self, missing: list[str]) -> Finding:
        ranges = as_ranges(missing)
        have = "1 id has" if len(missing) == 1 else f"{len(missing):,} ids have"
        message = f"{have} no answer: {ranges}. Add a row for each."
        found = f"{len(self._ids) - len(missing):,} of {len(self._ids):,} ids"
        return Finding(ProblemCode.MISSING_IDS, message, found, ranges)

    def _repeated_header(self) -> Finding:
        header = ",".join(self._columns)
        return Finding(
            ProblemCode.HEADER_REPEATED,
            "The header stands here a second time. Remove this line.",
            found=header,
        )
