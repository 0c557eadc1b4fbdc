"""Files of answers that were given elsewhere, read as strictly as predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from labelling.core.answers import Value
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, QuestionKind, UnfitAnswer
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.pairs.votes import voter_fault
from submissions.intake.tables.table_schema import (
    FindFault,
    FirstLines,
    TableColumn,
    TableRow,
    TableSchema,
)

MOST_ANSWERS = 500_000


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """What a worker, named as in the file, says of a unit."""

    unit: str
    worker: str
    value: Value
    note: str


def read_answers(
    data: bytes, *, file_name: str, question: CampaignQuestion, items_of: Mapping[str, Sequence[str]]
) -> FileRead[list[FoundAnswer]]:
    """Read a CSV file with the columns unit, worker, those of the kind of question, and perhaps note.

    These are `label`, `number`, `text`, `best` and `worst`, or `labels` with `|` between them. `items_of` are the
    items of each unit. A worker answers a unit once.
    """
    kind = QUESTION_KINDS[question.kind]
    lines = FirstLines()
    header = ("unit", "worker", *kind.fields)

    def unit_fault(row: TableRow) -> FindFault | None:
        return None if row["unit"] in items_of else partial(_unknown_unit, row["unit"], items_of)

    def worker_fault(row: TableRow) -> FindFault | None:
        fault = voter_fault(row["worker"])
        if fault is not None:
            return lambda: fault
        return lines.fault((row["unit"], row["worker"]), row.line, partial(_answered_twice, row))

    def answer_fault(row: TableRow) -> FindFault | None:
        if row["unit"] not in items_of:
            return None
        try:
            _read(kind, question, row, items_of)
        except UnfitAnswer as unfit:
            return partial(_unfit, str(unfit), row[kind.fields[0]])
        return None

    table = TableSchema(
        FileFormat("", "unit", kind.fields[0], columns=(*header, "note"), more_id_columns=("worker",)),
        (
            TableColumn("unit", unit_fault),
            TableColumn("worker", worker_fault),
            TableColumn(kind.fields[0], answer_fault),
            TableColumn("note", is_optional=True),
        ),
        row=lambda row: FoundAnswer(
            row["unit"], row["worker"], _read(kind, question, row, items_of), row["note"].strip()
        ),
        max_rows=MOST_ANSWERS,
    )
    return read_file(partial(table.read, data), file_name=visible(file_name, 200))


def _read(
    kind: QuestionKind, question: CampaignQuestion, row: TableRow, items_of: Mapping[str, Sequence[str]]
) -> Value:
    sent = {**kind.sent(row.cells), "note": [row["note"]]}
    return kind.read(sent, question, items_of[row["unit"]])


def _unknown_unit(unit: str, items_of: Mapping[str, Sequence[str]]) -> Finding:
    return Finding(
        ProblemCode.UNKNOWN_UNIT,
        f"{quoted(unit)} is no unit of this campaign. Remove the row, or correct the id.",
        visible(unit),
        nearest(unit, list(items_of)),
    )


def _answered_twice(row: TableRow, first: int) -> Finding:
    return Finding(
        ProblemCode.WORKER_TWICE,
        f"{quoted(row['worker'])} has answered {quoted(row['unit'])} on line {first} already. Keep one of the two.",
        visible(row["worker"]),
        "one answer of a worker to a unit",
    )


def _unfit(why: str, found: str) -> Finding:
    return Finding(ProblemCode.UNFIT_ANSWER, why, visible(found), "an answer that the question allows")
