"""An organiser's file of votes on contested items: what each of several annotators says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.answers import Answers
from submissions.intake.answers import AnswerReader
from submissions.intake.dialects.table import TableReader
from submissions.intake.nearest import nearest
from submissions.intake.pair_labels import PairLabels
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
from submissions.intake.rules import RULES
from submissions.intake.text import first_forbidden

MAX_VOTES = 100_000
LONGEST_VOTER = 80
_COLUMNS = ("item", "voter", "label")
_FORM = FileFormat("", "item", "label", columns=_COLUMNS)


class FoundVote(NamedTuple):
    """One annotator's label for one contested item, as the task lists it."""

    item: str
    voter: str
    label: str


@dataclass(frozen=True, slots=True)
class VotesResult:
    """The votes of a file in its order, none of them if there is any problem; `more` counts what is not listed."""

    votes: tuple[FoundVote, ...]
    problems: tuple[Problem, ...]
    more: int


def read_votes(
    data: bytes, *, file_name: str, task: TaskSpec, contested: Mapping[str, str | None]
) -> VotesResult:
    """Read a CSV file with the columns item, voter and label.

    `contested` has the text of every item that votes are asked on; a span must be a part of it where it is known. An
    annotator votes once on an item.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span.
    """
    report = Report()
    rows = _Rows(FileReport(report, file=visible(file_name, 200), task=task.id), PairLabels(task), contested)
    try:
        rows.read(data)
    except RefusedError as error:
        rows.report.refuse(error)
    if report.total:
        return VotesResult((), tuple(report.problems), report.more)
    return VotesResult(tuple(rows.votes), (), 0)


def voter_fault(voter: str) -> Finding | None:
    """What is wrong with the name of an annotator; None if it is fine."""
    if voter.strip() == voter and 0 < len(voter) <= LONGEST_VOTER and not first_forbidden(voter):
        return None
    rule = RULES[ProblemCode.VOTER_NAME]
    return Finding(ProblemCode.VOTER_NAME, f"{quoted(voter)} cannot name a voter. {rule}", visible(voter))


class _Cells(AnswerReader):
    """Voter and label as they stand: a label is judged with the text of its item."""

    def __init__(self, labels: PairLabels) -> None:
        super().__init__(_COLUMNS[1:])
        self._labels = labels

    @property
    def longest(self) -> int:
        raise NotImplementedError("Votes are no answers.")

    def value(self, cells: Sequence[str]) -> tuple[str, ...]:
        return tuple(cells)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        return iter(())

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return self._labels.is_one(cells[1])

    def array(self, values: Iterable[object]) -> Answers:
        raise NotImplementedError("Votes are no answers.")


class _Rows:
    """The rows of one file."""

    def __init__(self, report: FileReport, labels: PairLabels, contested: Mapping[str, str | None]) -> None:
        self.report = report
        self.votes: list[FoundVote] = []
        self._labels = labels
        self._contested = contested
        self._line_of: dict[tuple[str, str], int] = {}

    def read(self, data: bytes) -> None:
        """Take every row. RefusedError where reading cannot go on."""
        for row in TableReader(_FORM, _Cells(self._labels), self.report, MAX_VOTES).read(data):
            if row.cells is not None:
                self._take(row, *row.cells)

    def _take(self, row: Row, voter: str, cell: str) -> None:
        text = self._contested.get(row.id)
        label = self._labels.read(cell, cell if text is None else text)
        if row.id not in self._contested:
            self.report.add_lazily(partial(self._not_contested, row.id), line=row.line, column="item")
        finding = voter_fault(voter) or self._repeated(row, voter)
        if finding is not None:
            self.report.add(finding, line=row.line, column="voter")
        if label is None:
            self.report.add_lazily(partial(self._labels.explain, cell), line=row.line, column="label")
        self.votes.append(FoundVote(row.id, voter, label or ""))

    def _not_contested(self, item: str) -> Finding:
        message = (
            f"{quoted(item)} is no item whose label is contested and undecided here. Remove the row, or correct "
            "the id."
        )
        expected = nearest(item, list(self._contested)) if self._contested else "a contested item"
        return Finding(ProblemCode.NOT_CONTESTED, message, visible(item), expected)

    def _repeated(self, row: Row, voter: str) -> Finding | None:
        first = self._line_of.setdefault((row.id, voter), row.line)
        if first == row.line:
            return None
        message = (
            f"{quoted(voter)} voted on {quoted(row.id)} on line {first} already. Keep one of the two votes."
        )
        return Finding(ProblemCode.VOTER_TWICE, message, visible(voter), "one vote on an item")
