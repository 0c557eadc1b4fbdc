"""Two annotators' answers to “was this text transformed correctly?”, read as strictly as predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.answers import Answers
from submissions.intake.answers import AnswerReader
from submissions.intake.canonical import ItemIds
from submissions.intake.dialects.table import TableReader
from submissions.intake.foreign import ForeignIds
from submissions.intake.ids import parts_of
from submissions.intake.nearest import nearest
from submissions.intake.problems import (
    Fault,
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

MAX_ANNOTATIONS = 100_000
_ANSWERS = {"y": True, "n": False}
_COLUMNS = ("id", "annotator_1", "annotator_2")
_PLAIN = FileFormat("", "id", "annotator_1", columns=_COLUMNS)
_WITH_TASK = FileFormat("", "task", "annotator_1", columns=("task", *_COLUMNS), more_id_columns=("id",))


@dataclass(frozen=True, slots=True)
class Annotations:
    """What each annotator said of the same samples, in file order; True is yes."""

    first: tuple[bool, ...]
    second: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class AnnotationsResult:
    """Annotations, or None and the first problems of their file; `more` counts the rest."""

    annotations: Annotations | None
    problems: tuple[Problem, ...]
    more: int


def read_annotations(data: bytes, *, file_name: str, ids: Mapping[str, ItemIds]) -> AnnotationsResult:
    """Read a CSV file with the columns id, annotator_1, annotator_2 and perhaps task before them.

    `ids` are those of the sets that the samples were taken from, by task. Without a column `task`, an id must
    belong to one of them alone. Every sample stands once, and each annotator says `y` or `n` of it.
    """
    report = Report()
    rows = _Rows(FileReport(report, file=file_name), ids)
    try:
        rows.read(data)
    except RefusedError as error:
        rows.report.refuse(error)
    if report.total:
        return AnnotationsResult(None, tuple(report.problems), report.more)
    first, second = zip(*rows.answers, strict=True)
    return AnnotationsResult(Annotations(first, second), (), 0)


class _YesOrNo(AnswerReader):
    """`y` or `n` from each annotator."""

    @property
    def longest(self) -> int:
        return len(self.columns)

    def value(self, cells: Sequence[str]) -> tuple[bool, ...] | None:
        return None if any(self.explain(cells)) else tuple(_ANSWERS[cell] for cell in cells)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        for place, (column, cell) in enumerate(zip(self.columns, cells, strict=True)):
            if cell not in _ANSWERS:
                yield place, column, partial(self._finding, cell)

    def _finding(self, found: str) -> Finding:
        message = f"{quoted(found)} is neither y nor n." if found else "The answer is empty. Give y or n."
        return Finding(ProblemCode.NOT_YES_OR_NO, message, visible(found), "y or n")

    def array(self, values: Iterable[object]) -> Answers:
        raise NotImplementedError("Annotations are no answers.")


class _Rows:
    """The rows of one file."""

    def __init__(self, report: FileReport, ids: Mapping[str, ItemIds]) -> None:
        self.report = report
        self.answers: list[tuple[bool, ...]] = []
        self._ids = ids
        self._foreign = {task: ForeignIds(known, "attacked") for task, known in ids.items()}
        self._line_of: dict[tuple[str, str], int] = {}

    def read(self, data: bytes) -> None:
        """Take every row. RefusedError where reading cannot go on."""
        form = _form_of(data)
        reader = _YesOrNo(_COLUMNS[1:])
        for row in TableReader(form, reader, self.report, MAX_ANNOTATIONS).read(data):
            if row.cells is None:
                continue
            self.report.add_all(reader.explain(row.cells), row.line_of)
            self._check_id(row, has_task=form is _WITH_TASK)
            value = reader.value(row.cells)
            if value is not None:
                self.answers.append(value)

    def _check_id(self, row: Row, *, has_task: bool) -> None:
        if has_task:
            (task, item), _ = parts_of(row.id)
            if task not in self._ids:
                self.report.add_lazily(partial(self._no_such_task, task), line=row.line, column="task")
                return
        else:
            item = row.id
            tasks = [task for task, known in self._ids.items() if item.encode() in known.index]
            if len(tasks) > 1:
                self.report.add_lazily(partial(_ambiguous, item, tasks), line=row.line, column="id")
                return
            task = tasks[0] if tasks else ""
        self._check_item(row, task, item)

    def _check_item(self, row: Row, task: str, item: str) -> None:
        if not task or item.encode() not in self._ids[task].index:
            self.report.add_lazily(partial(self._unknown, task, item), line=row.line, column="id")
        elif (task, item) in self._line_of:
            message = f"The id {quoted(item)} stands on line {self._line_of[task, item]} already. Keep one of the two."
            finding = Finding(ProblemCode.DUPLICATE_ID, message, visible(item), "every id once")
            self.report.add(finding, line=row.line, column="id")
        else:
            self._line_of[task, item] = row.line

    def _no_such_task(self, task: str) -> Finding:
        known = ", ".join(self._ids)
        message = f"{quoted(task)} is no task that this attack has a set of; these are {known}."
        return Finding(ProblemCode.UNKNOWN_TASK, message, visible(task), nearest(task, list(self._ids)))

    def _unknown(self, task: str, item: str) -> Finding:
        if task or len(self._ids) == 1:
            return self._foreign[task or next(iter(self._ids))].finding(item)
        if not item:
            return Finding(ProblemCode.EMPTY_ID, "The id is empty. Give the id of the sample.", "")
        message = (
            f"{quoted(item)} is an id of no set of this attack; there are sets of {', '.join(self._ids)}."
        )
        return Finding(ProblemCode.UNKNOWN_ID, message, visible(item), "an id of one of these sets")


def _ambiguous(item: str, tasks: Sequence[str]) -> Finding:
    message = (
        f"{quoted(item)} is an id of {' and of '.join(tasks)}. Put a column “task” before it that says which."
    )
    return Finding(ProblemCode.AMBIGUOUS_ID, message, visible(item), _WITH_TASK.header_line)


def _form_of(data: bytes) -> FileFormat:
    """With the column of tasks if the header has one, however it is spelt."""
    header = data.partition(b"\n")[0].decode(errors="replace").casefold()
    return _WITH_TASK if "task" in header or header.count(",") > len(_COLUMNS) - 1 else _PLAIN
