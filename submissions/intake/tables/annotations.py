"""Two annotators' answers to “was this text transformed correctly?”, read as strictly as predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from submissions.intake.canonical import ItemIds
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import (
    FindFault,
    FirstLines,
    TableColumn,
    TableRow,
    TableSchema,
    doubled_id,
)
from submissions.intake.unknown_ids import ForeignIds

MAX_ANNOTATIONS = 100_000
_ANSWERS = {"y": True, "n": False}
_ANNOTATORS = ("annotator_1", "annotator_2")
_FORM = FileFormat("", "task", "annotator_1", columns=("task", "id", *_ANNOTATORS), more_id_columns=("id",))


@dataclass(frozen=True, slots=True)
class Annotations:
    """What each annotator said of the same samples, in file order; True is yes."""

    first: tuple[bool, ...]
    second: tuple[bool, ...]


def read_annotations(data: bytes, *, file_name: str, ids: Mapping[str, ItemIds]) -> FileRead[Annotations]:
    """Read a CSV file with the columns id, annotator_1, annotator_2 and perhaps task before them.

    `ids` are those of the sets that the samples were taken from, by task. Without a column `task`, an id must
    belong to one of them alone. Every sample stands once, and each annotator says `y` or `n` of it.
    """
    samples = _Samples(ids)
    table = TableSchema(
        _FORM,
        (
            *(TableColumn(name, partial(_answer_fault, name)) for name in _ANNOTATORS),
            TableColumn("task", samples.task_fault, is_optional=True),
            TableColumn("id", samples.id_fault),
        ),
        row=lambda row: tuple(_ANSWERS[row[name]] for name in _ANNOTATORS),
        max_rows=MAX_ANNOTATIONS,
        looks_like_row=lambda cells: all(cell in _ANSWERS for cell in cells[-2:]),
    )

    def read(report: FileReport) -> Annotations | None:
        rows = table.read(data, report)
        return Annotations(*zip(*rows, strict=True)) if report.is_clean else None

    return read_file(read, file_name=file_name)


def _answer_fault(column: str, row: TableRow) -> FindFault | None:
    found = row[column]
    return (
        None
        if found in _ANSWERS
        else partial(
            Finding,
            ProblemCode.NOT_YES_OR_NO,
            f"{quoted(found)} is neither y nor n." if found else "The answer is empty. Give y or n.",
            visible(found),
            "y or n",
        )
    )


class _Samples:
    """The ids of samples, by task, and on which lines they stand."""

    def __init__(self, ids: Mapping[str, ItemIds]) -> None:
        self._ids = ids
        self._foreign = {task: ForeignIds(known, "attacked") for task, known in ids.items()}
        self._lines = FirstLines()

    def task_fault(self, row: TableRow) -> FindFault | None:
        return None if row["task"] in self._ids else partial(self._no_such_task, row["task"])

    def id_fault(self, row: TableRow) -> FindFault | None:
        item, tasks = row["id"], [row["task"]]
        if "task" in row.cells and row["task"] not in self._ids:
            return None  # nobody knows which ids there are
        if "task" not in row.cells:
            tasks = [task for task, known in self._ids.items() if item.encode() in known.index]
        if len(tasks) > 1:
            return partial(_ambiguous, item, tasks)
        if not tasks or item.encode() not in self._ids[tasks[0]].index:
            return partial(self._unknown, tasks[0] if tasks else "", item)
        return self._lines.fault(
            (tasks[0], item), row.line, partial(doubled_id, item, "Keep one of the two.")
        )

    def _no_such_task(self, task: str) -> Finding:
        known = ", ".join(self._ids)
        return Finding(
            ProblemCode.UNKNOWN_TASK,
            f"{quoted(task)} is no task that this attack has a set of; these are {known}.",
            visible(task),
            nearest(task, list(self._ids)),
        )

    def _unknown(self, task: str, item: str) -> Finding:
        if task or len(self._ids) == 1:
            return self._foreign[task or next(iter(self._ids))].finding(item)
        if not item:
            return Finding(ProblemCode.EMPTY_ID, "The id is empty. Give the id of the sample.", "")
        return Finding(
            ProblemCode.UNKNOWN_ID,
            f"{quoted(item)} is an id of no set of this attack; there are sets of {', '.join(self._ids)}.",
            visible(item),
            "an id of one of these sets",
        )


def _ambiguous(item: str, tasks: Sequence[str]) -> Finding:
    return Finding(
        ProblemCode.AMBIGUOUS_ID,
        f"{quoted(item)} is an id of {' and of '.join(tasks)}. Put a column “task” before it that says which.",
        visible(item),
        _FORM.header_line,
    )
