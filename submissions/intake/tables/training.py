"""An organiser's training files: labels as strict as gold labels, beside columns of text that differ by task.

Nothing here comes from participants, and none of it is held out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.spec import TaskSpec
from catalogue.layouts.cells import WholeRow, whole_rows
from catalogue.layouts.form import FileRow
from catalogue.layouts.line_faults import fixed_cell, quote_finding, wrong_width
from catalogue.layouts.row_ids import IdMaker
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.problems import (
    FileReport,
    Finding,
    ProblemCode,
    RefusedError,
    quoted,
    visible,
)
from submissions.intake.canonical import answer_reader
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.problem_rules import rule_finding
from submissions.intake.tables.gold import GoldFile, GoldRows, read_gold_file

_MOST_LINES = 10_000_000
_TRAIN = "train"

# The cells of an item's columns of text.
Texts = tuple[str, ...]


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


def read_training_file(data: bytes, *, file_name: str, task: TaskSpec) -> FileRead[TrainingFile]:
    """Read labelled items.

    A table needs the id and label columns of the task's gold format, in any order and any case. Columns that the
    format fixes may be there; every other column is text, of any length and with line breaks where CSV quotes them.
    From JSON only the labels are read.

    Problems have every fault at its line: an id that is doubled or empty, a label that is none of the task's, a row
    of another width than the header.
    """
    task = replace(task, output=task.output.alone)  # what is learnt from has one label each
    if not task.gold.layout.is_table:
        gold = read_gold_file(data, file_name=file_name, task=task, split=_TRAIN)
        content = TrainingFile(gold.content.gold) if gold.content else None
        return FileRead(content, gold.problems, gold.more)

    def read(report: FileReport) -> TrainingFile | None:
        table = _Table(data, task, report)
        answers = table.places(_answer_columns(task))
        rows = GoldRows(task, _TRAIN, report)
        texts: dict[str, Texts] = {}
        for item, row in table.rows():
            rows.take(FileRow(row.line, item, ()), tuple(row.cells[place] for place in answers))
            texts.setdefault(item, table.texts_in(row))
        if report.is_clean and not rows.values.get(_TRAIN):
            report.add(rule_finding(ProblemCode.NO_ROWS))
        if not report.is_clean:
            return None
        labels, columns = rows.file(_TRAIN), table.text_columns
        return TrainingFile(labels, columns, tuple(texts[item] for item in labels.ids.ids) if columns else ())

    return read_file(read, file_name=file_name, task=task.id)


def read_texts_file(data: bytes, *, file_name: str, task: TaskSpec) -> FileRead[ItemTexts]:
    """Read the texts of items whose labels are to be found, from a table like that of `read_training_file`.

    Columns of labels may be there, whatever they say. Problems are those of `read_training_file`.
    """

    def read(report: FileReport) -> ItemTexts:
        table = _Table(data, task, report)
        texts: dict[str, Texts] = {}
        for item, row in table.rows():
            if item in texts:
                report.add(rule_finding(ProblemCode.DUPLICATE_ID), line=row.line, column=task.gold.id_column)
            texts[item] = table.texts_in(row)
        return ItemTexts(table.text_columns, texts)

    return read_file(read, file_name=file_name, task=task.id)


class _Table:
    """A table whose header names a task's columns among others, in any order."""

    def __init__(self, data: bytes, task: TaskSpec, report: FileReport) -> None:
        self._report = report
        self._lines = report.lines = physical_lines(decode(data, task.gold.encoding), _MOST_LINES)
        self._file = task.gold
        self._rows = whole_rows(
            self._lines,
            lambda code, line: quote_finding(code, line, self._file),
            self._file.delimiter,
            has_quotes=self._file.layout.has_quotes,
        )
        names = _known_names(next(self._rows).cells, task)
        if len(set(names)) < len(names):
            raise RefusedError(rule_finding(ProblemCode.HEADER_DOUBLED_COLUMN), line=1)
        self._file = replace(task.gold, columns=names)
        self._places_of_id = self.places(self._file.id_columns)
        fixed = dict(self._file.fixed)
        self._fixed = [(place, fixed[name]) for place, name in enumerate(names) if name in fixed]
        known = {*self._file.id_columns, *_answer_columns(task), *fixed}
        self._places_of_text = [place for place, name in enumerate(names) if name not in known]

    @property
    def text_columns(self) -> tuple[str, ...]:
        return tuple(self._file.header[place] for place in self._places_of_text)

    def places(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Where the columns stand. RefusedError if one is missing."""
        for column in columns:
            if column not in self._file.header:
                found = visible(self._file.header_line, limit=200)
                raise RefusedError(
                    Finding(
                        ProblemCode.HEADER_NAMES,
                        f"The header has no column {quoted(column)}. It must name the id, the text and the label.",
                        found,
                        column,
                    ),
                    line=1,
                )
        return tuple(map(self._file.header.index, columns))

    def rows(self) -> Iterator[tuple[str, WholeRow]]:
        """Id and cells of every row that has a cell per column; the others are reported."""
        ids = IdMaker(repeats=self._file.repeats, loose=len(self._file.loose_columns))
        for row in self._rows:
            if len(row.cells) == len(self._file.header):
                self._check_fixed(row)
                yield ids.make([row.cells[place] for place in self._places_of_id]), row
            else:
                self._report.add(wrong_width(self._lines[row.line - 1], row.cells, self._file), line=row.line)

    def texts_in(self, row: WholeRow) -> Texts:
        return tuple(row.cells[place] for place in self._places_of_text)

    def _check_fixed(self, row: WholeRow) -> None:
        for place, text in self._fixed:
            found = row.cells[place]
            if found != text:
                self._report.add(fixed_cell(found, text), line=row.line, column=self._file.header[place])


def _answer_columns(task: TaskSpec) -> tuple[str, ...]:
    return answer_reader(task.output.gold, task.gold).columns


def _known_names(header: Sequence[str], task: TaskSpec) -> tuple[str, ...]:
    """The header, with the columns that the task's format knows by the format's own names."""
    file = task.gold
    if tuple(header) in file.also_headers:
        return file.header
    known = {name.casefold(): name for name in (*file.header, *file.id_columns, *_answer_columns(task))}
    return tuple(known.get(name.strip().casefold(), name) for name in header)
