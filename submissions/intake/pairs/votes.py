"""An organiser's file of votes on contested items: what each of several annotators says of them."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.layouts.text_lines import first_forbidden
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.pairs.pair_faults import PairLabels
from submissions.intake.problem_rules import RULES
from submissions.intake.tables.table_schema import FindFault, FirstLines, TableColumn, TableRow, TableSchema

MAX_VOTES = 100_000
LONGEST_VOTER = 80
_FORM = FileFormat("", "item", "label", columns=("item", "voter", "label"))


class FoundVote(NamedTuple):
    """One annotator's label for one contested item, as the task lists it."""

    item: str
    voter: str
    label: str


def read_votes(
    data: bytes, *, file_name: str, task: TaskSpec, contested: Mapping[str, str | None]
) -> FileRead[list[FoundVote]]:
    """Read a CSV file with the columns item, voter and label.

    `contested` has the text of every item that votes are asked on; a span must be a part of it where it is known. An
    annotator votes once on an item.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span.
    """
    labels = PairLabels(task)
    lines = FirstLines()

    def spoken_of(row: TableRow) -> str:
        text = contested.get(row.id)
        return row["label"] if text is None else text

    def voter(row: TableRow) -> FindFault | None:
        fault = voter_fault(row["voter"])
        if fault is not None:
            return lambda: fault
        return lines.fault((row.id, row["voter"]), row.line, partial(_voted_twice, row))

    table = TableSchema(
        _FORM,
        (
            TableColumn(
                "item",
                lambda row: None if row.id in contested else partial(_not_contested, row.id, contested),
            ),
            TableColumn("voter", voter),
            TableColumn("label", lambda row: labels.fault(row["label"], spoken_of(row))),
        ),
        row=lambda row: FoundVote(row.id, row["voter"], labels.read(row["label"], spoken_of(row)) or ""),
        max_rows=MAX_VOTES,
        looks_like_row=lambda cells: labels.is_one(cells[-1]),
    )
    return read_file(partial(table.read, data), file_name=visible(file_name, 200), task=task.id)


def voter_fault(voter: str) -> Finding | None:
    """What is wrong with the name of an annotator; None if it is fine."""
    if voter.strip() == voter and 0 < len(voter) <= LONGEST_VOTER and not first_forbidden(voter):
        return None
    rule = RULES[ProblemCode.VOTER_NAME]
    return Finding(ProblemCode.VOTER_NAME, f"{quoted(voter)} cannot name a voter. {rule}", visible(voter))


def _not_contested(item: str, contested: Mapping[str, str | None]) -> Finding:
    return Finding(
        ProblemCode.NOT_CONTESTED,
        f"{quoted(item)} is no item whose label is contested and undecided here. Remove the row, or correct "
        "the id.",
        visible(item),
        nearest(item, list(contested)) if contested else "a contested item",
    )


def _voted_twice(row: TableRow, first: int) -> Finding:
    return Finding(
        ProblemCode.VOTER_TWICE,
        f"{quoted(row['voter'])} voted on {quoted(row.id)} on line {first} already. Keep one of the two votes.",
        visible(row["voter"]),
        "one vote on an item",
    )
