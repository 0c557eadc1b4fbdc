"""An organiser's training files: labels as strict as gold labels, beside columns of text that differ by task.

Nothing here comes from participants, and none of it is held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from benchmarks.spec import Dialect, TaskSpec
from submissions.intake.answers import answer_reader
from submissions.intake.dialects.cells import CellError, split_cells, whole_row
from submissions.intake.dialects.faults import quote_finding, wrong_width
from submissions.intake.gold import GoldFile, GoldRows, read_gold_file
from submissions.intake.ids import IdMaker
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
from submissions.intake.text import decode, physical_lines

_MOST_LINES = 10_000_000
_TRAIN = "train"

Texts = tuple[str, ...]
"""The cells of an item's columns of text."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingFile:
    """Labelled items. `texts` has one entry per item of `labels`; it is empty where the file has no `text_columns`."""

    labels: GoldFile
    text_columns: tuple[str, ...] = ()
    texts: tuple[Texts, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemTexts:
    """Texts by the id of their item."""

    text_columns: tuple[str, ...]
    of: Mapping[str, Texts]


class TrainingFileRefusedError(Exception):
    """The first problems of a file, and how many `more` there are."""

    def __init__(self, problems: Sequence[Problem], more: int) -> None:
        super().__init__(f"{len(problems) + more} problems")
        self.problems = tuple(problems)
        self.more = more


def read_training_file(data: bytes, *, file_name: str, task: TaskSpec) -> TrainingFile:
    """Read labelled items.

    A table needs the id and label columns of the task's gold format, in any order and any case. Columns that the
    format fixes may be there; every other column is text, of any length and with line breaks where CSV quotes them.
    From JSON only the labels are read.

    Raises
    ------
    TrainingFileRefusedError
        With every fault at its line: an id that is doubled or empty, a label that is none of the task's, a row of
        another width than the header.
    """
    if task.gold.dialect in (Dialect.JSON, Dialect.JSON_LINES):
        read = read_gold_file(data, file_name=file_name, task=task, split=_TRAIN)
        if read.gold is None:
            raise TrainingFileRefusedError(read.problems, read.more)
        return TrainingFile(read.gold)
    with _judged(file_name, task) as report:
        table = _Table(data, task, report)
        answers = table.places(_answer_columns(task))
        rows = GoldRows(task, _TRAIN, report)
        texts: dict[str, Texts] = {}
        for line, item, cells in table.rows():
            rows.take(Row(line, item, ()), tuple(cells[place] for place in answers))
            texts.setdefault(item, table.texts_in(cells))
        if report.is_clean and not rows.values.get(_TRAIN):
            report.add(Finding(ProblemCode.NO_ROWS, RULES[ProblemCode.NO_ROWS]))
    labels = rows.file(_TRAIN)
    columns = table.text_columns
    return TrainingFile(labels, columns, tuple(texts[item] for item in labels.ids.ids) if columns else ())


def read_texts_file(data: bytes, *, file_name: str, task: TaskSpec) -> ItemTexts:
    """Read the texts of items whose labels are to be found, from a table like that of `read_training_file`.

    Columns of labels may be there, whatever they say. Errors are those of `read_training_file`.
    """
    with _judged(file_name, task) as report:
        table = _Table(data, task, report)
        texts: dict[str, Texts] = {}
        for line, item, cells in table.rows():
            if item in texts:
                code = ProblemCode.DUPLICATE_ID
                report.add(Finding(code, RULES[code]), line=line, column=task.gold.id_column)
            texts[item] = table.texts_in(cells)
    return ItemTexts(table.text_columns, texts)


@contextmanager
def _judged(file_name: str, task: TaskSpec) -> Iterator[FileReport]:
    """A report on one file; TrainingFileRefusedError if it holds any problem at the end."""
    report = Report()
    file_report = FileReport(report, file=file_name, task=task.id)
    try:
        yield file_report
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        raise TrainingFileRefusedError(report.problems, report.more)


class _Table:
    """A table whose header names a task's columns among others, in any order."""

    def __init__(self, data: bytes, task: TaskSpec, report: FileReport) -> None:
        self._report = report
        self._lines = report.lines = physical_lines(decode(data, task.gold.encoding), _MOST_LINES)
        self._file = task.gold
        header, self._first_row = self._cells(1)
        self._names = _known_names(header, task)
        if len(set(self._names)) < len(self._names):
            finding = Finding(ProblemCode.HEADER_DOUBLED_COLUMN, RULES[ProblemCode.HEADER_DOUBLED_COLUMN])
            raise RefusedError(finding, line=1)
        self._file = replace(task.gold, columns=self._names)
        self._places_of_id = self.places(self._file.id_columns)
        fixed = dict(self._file.fixed)
        self._fixed = [(place, fixed[name]) for place, name in enumerate(self._names) if name in fixed]
        known = {*self._file.id_columns, *_answer_columns(task), *fixed}
        self._places_of_text = [place for place, name in enumerate(self._names) if name not in known]

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns that are neither id nor label nor the same in every row."""
        return tuple(self._names[place] for place in self._places_of_text)

    def places(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Where the columns stand. RefusedError if one is missing."""
        for column in columns:
            if column not in self._names:
                found = visible(self._file.header_line, limit=200)
                message = (
                    f"The header has no column {quoted(column)}. It must name the id, the text and the label."
                )
                raise RefusedError(Finding(ProblemCode.HEADER_NAMES, message, found, column), line=1)
        return tuple(map(self._names.index, columns))

    def rows(self) -> Iterator[tuple[int, str, list[str]]]:
        """Line, id and cells of every row that has a cell per column; the others are reported."""
        ids = IdMaker(repeats=self._file.repeats)
        number = self._first_row
        while number <= len(self._lines):
            cells, following = self._cells(number)
            if len(cells) == len(self._names):
                self._check_fixed(cells, number)
                yield number, ids.make([cells[place] for place in self._places_of_id]), cells
            else:
                self._report.add(wrong_width(self._lines[number - 1], cells, self._file), line=number)
            number = following

    def texts_in(self, cells: Sequence[str]) -> Texts:
        """The cells of a row that are text."""
        return tuple(cells[place] for place in self._places_of_text)

    def _cells(self, number: int) -> tuple[list[str], int]:
        """The cells of the row that begins on that line, and the number of the line after it."""
        is_csv = self._file.dialect is Dialect.CSV
        row, following = whole_row(self._lines, number) if is_csv else (self._lines[number - 1], number + 1)
        try:
            return split_cells(row, self._file.dialect), following
        except CellError as error:
            finding = quote_finding(error.code, self._lines[number - 1], self._file)
            raise RefusedError(finding, line=number) from None

    def _check_fixed(self, cells: Sequence[str], number: int) -> None:
        for place, text in self._fixed:
            if cells[place] != text:
                message = (
                    f"{quoted(cells[place])} stands where every row of this task's file says {quoted(text)}."
                )
                finding = Finding(ProblemCode.FIXED_CELL, message, visible(cells[place]), text)
                self._report.add(finding, line=number, column=self._names[place])


def _answer_columns(task: TaskSpec) -> tuple[str, ...]:
    return answer_reader(task.output, task.gold).columns


def _known_names(header: Sequence[str], task: TaskSpec) -> tuple[str, ...]:
    """The header, with the columns that the task's format knows by the format's own names."""
    file = task.gold
    if tuple(header) in file.also_headers:
        return file.header
    known = {name.casefold(): name for name in (*file.header, *file.id_columns, *_answer_columns(task))}
    return tuple(known.get(name.strip().casefold(), name) for name in header)
