"""An organiser's gold file: read as strictly as predictions, and told about without a word of its content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.spec.model import TaskSpec
from submissions.intake.canonical import Codes, ItemIds, code_dtype
from submissions.intake.labels import Labels
from submissions.intake.problems import FileReport, Finding, Problem, ProblemCode, RefusedError, Report
from submissions.intake.rows import Row, RowReader
from submissions.intake.rules import RULES, without_values

MAX_GOLD_ROWS = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class GoldFile:
    """The split's ids in file order, and its label codes aligned to them."""

    ids: ItemIds
    codes: Codes


@dataclass(frozen=True, slots=True)
class GoldResult:
    """A gold file, or None and its problems: line, column and rule, never a value that stands in the file."""

    gold: GoldFile | None
    problems: tuple[Problem, ...]
    more: int


def read_gold_file(data: bytes, *, file_name: str, task: TaskSpec) -> GoldResult:
    """Read `ID,Label` rows whose ids are not known beforehand; they become the split's public ids."""
    report = Report()
    file_report = FileReport(report, file=file_name, task=task.id)
    labels = Labels(task.output.names)
    codes: dict[str, int] = {}
    try:
        for row in RowReader(task, file_report, MAX_GOLD_ROWS).read(data):
            if row.label is not None:
                _take(row, codes, labels, task, file_report)
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        return GoldResult(None, tuple(map(without_values, report.problems)), report.more)
    gold = GoldFile(ItemIds(tuple(codes)), np.array(list(codes.values()), dtype=code_dtype(task.output)))
    return GoldResult(gold, (), 0)


def _take(row: Row, codes: dict[str, int], labels: Labels, task: TaskSpec, report: FileReport) -> None:
    code = labels.code_of.get(row.label or "")
    if code is None:
        report.add_lazily(
            partial(labels.explain, row.label or ""), line=row.line, column=task.file.label_column
        )
    fault = _id_fault(row.id, codes)
    if fault is not None:
        report.add(Finding(fault, RULES[fault]), line=row.line, column=task.file.id_column)
    if code is not None:
        codes[row.id] = code


def _id_fault(item: str, codes: dict[str, int]) -> ProblemCode | None:
    if not item:
        return ProblemCode.EMPTY_ID
    if item != item.strip():
        return ProblemCode.ID_SPELLING
    return ProblemCode.DUPLICATE_ID if item in codes else None
