"""A set of pairs that was finished elsewhere: a file in the form of the task's gold labels, whose ids pair up.

`558_a` and `558_b` are a pair: their ids agree before the last separator. Where the file has texts beside the labels,
they are read too; cells that hold a hyphen alone, as in files that were stripped of their texts, are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from benchmarks.spec import Dialect, FileFormat, TaskSpec
from submissions.intake.dialects.table import TableReader
from submissions.intake.gold import id_fault
from submissions.intake.layouts import gold_as_written
from submissions.intake.pair_faults import ORIGINAL, plain
from submissions.intake.pair_labels import PairCells, PairLabels
from submissions.intake.problems import (
    FileReport,
    Finding,
    Problem,
    ProblemCode,
    RefusedError,
    Report,
    visible,
)
from submissions.intake.rows import Row
from submissions.intake.rules import RULES, without_values

MAX_ROWS = 50_000
MAX_ID = 200
_NO_TEXT = ("", "-")
_OWN = (ProblemCode.DUPLICATE_ID, ProblemCode.PAIR_INCOMPLETE, ProblemCode.CELL_TOO_LONG)
"""What is said of these repeats nothing that stands in the file."""


class FinishedItem(NamedTuple):
    """An item and the line that it stands on. `label` is as the task lists it; `texts` has a cell per column."""

    id: str
    line: int
    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FinishedPairs:
    """The pairs of a file, original and changed item, in its order; `columns` name their texts, if it has any.

    `repeated` has the further rows of items that stand in the file several times, by their ids: the first is the one
    in `pairs`.
    """

    columns: tuple[str, ...]
    pairs: tuple[tuple[FinishedItem, FinishedItem], ...] = field(repr=False)
    repeated: Mapping[str, tuple[FinishedItem, ...]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class FinishedResult:
    """The pairs of a file, or None and its problems: line, column and rule, never a value of the file."""

    file: FinishedPairs | None
    problems: tuple[Problem, ...]
    more: int


def read_finished_pairs(
    data: bytes, *, file_name: str, task: TaskSpec, may_repeat: bool = False
) -> FinishedResult:
    """Read such a file. With `may_repeat`, ids may stand in several rows, which then have the same texts.

    Nothing in `data` or `file_name` makes this raise.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span, or its gold labels stand in no table.
    """
    if task.gold.dialect not in (Dialect.CSV, Dialect.TSV):
        raise ValueError(f"The gold labels of {task.id} stand in no table.")
    report = Report()
    file_report = FileReport(report, file=visible(file_name, 200), task=task.id)
    rows = _Rows(gold_as_written(task, data), file_report, may_repeat=may_repeat)
    try:
        rows.read(data)
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        return FinishedResult(None, tuple(map(_without_values, report.problems)), report.more)
    return FinishedResult(rows.file(), (), 0)


def _without_values(problem: Problem) -> Problem:
    told = without_values(problem)
    return replace(told, message=problem.message) if problem.code in _OWN else told


class _Cells(PairCells):
    """All cells beside the id, as they stand; those of `label_column` are labels."""

    def __init__(self, labels: PairLabels, columns: tuple[str, ...], label_column: str) -> None:
        super().__init__(labels, columns)
        self._place = columns.index(label_column)

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return self._labels.is_one(cells[self._place])


class _Rows:
    """The rows of one file as they come in."""

    def __init__(self, task: TaskSpec, report: FileReport, *, may_repeat: bool) -> None:
        self._form: FileFormat = task.gold
        self._separator = task.pairs or "_"
        self._labels = PairLabels(task)
        self._report = report
        self._may_repeat = may_repeat
        self._columns = tuple(one for one in self._form.header if one not in self._form.id_columns)
        self._items: dict[str, FinishedItem] = {}
        self._repeated: dict[str, tuple[FinishedItem, ...]] = {}

    def read(self, data: bytes) -> None:
        """Take every row, then see that each has its partner. RefusedError where reading cannot go on."""
        cells = _Cells(self._labels, self._columns, self._form.label_column)
        for row in TableReader(self._form, cells, self._report, MAX_ROWS).read(data):
            if row.cells is not None:
                self._take(row, row.cells)
        if self._report.is_clean:
            self._check_partners()

    def file(self) -> FinishedPairs:
        """What was read, once it is known to be without problems."""
        texts = [column for column in self._columns if column != self._form.label_column]
        kept = [
            at
            for at in range(len(texts))
            if any(item.texts[at].strip() not in _NO_TEXT for item in self._items.values())
        ]

        def shown(item: FinishedItem) -> FinishedItem:
            return item._replace(texts=tuple(item.texts[at] for at in kept))

        pairs = (self._in_order(pair) for pair in self._by_stem().values())
        return FinishedPairs(
            columns=tuple(texts[at] for at in kept),
            pairs=tuple((shown(original), shown(changed)) for original, changed in pairs),
            repeated=self._repeated,
        )

    def _take(self, row: Row, cells: tuple[str, ...]) -> None:
        place = self._columns.index(self._form.label_column)
        texts = (*cells[:place], *cells[place + 1 :])
        sentence = texts[0] if texts and texts[0].strip() not in _NO_TEXT else cells[place]
        label = self._labels.read(cells[place], sentence)
        if label is None:
            find = partial(self._labels.explain, cells[place])
            self._report.add_lazily(find, line=row.line, column=self._form.label_column)
        item = FinishedItem(row.id, row.line, label or "", texts)
        fault = id_fault(row.id, ())
        if fault is not None:
            self._fault(fault, row.line, self._form.id_column)
        elif len(row.id) > MAX_ID:
            message = f"The id has {len(row.id)} characters; at most {MAX_ID} fit."
            self._add(ProblemCode.CELL_TOO_LONG, message, row.line)
        elif row.id in self._items:
            self._take_again(item, self._items[row.id])
        else:
            self._items[row.id] = item

    def _take_again(self, item: FinishedItem, first: FinishedItem) -> None:
        """An id that stands on an earlier line already."""
        same = list(map(plain, item.texts)) == list(map(plain, first.texts))
        if same and self._may_repeat:
            self._repeated[item.id] = (*self._repeated.get(item.id, ()), item)
            return
        where = f"The id stands on line {first.line} already"
        if not same:
            message = f"{where}, with another text. Every item has an id of its own."
        else:
            message = (
                f"{where}. Remove one of the two rows, or have repeated items contested: line {first.line} then counts "
                "until you have decided."
            )
        self._add(ProblemCode.DUPLICATE_ID, message, item.line)

    def _check_partners(self) -> None:
        mark = self._separator
        for stem, items in self._by_stem().items():
            if stem and len(items) == 2:
                continue
            others = "no other item" if len(items) == 1 else f"{len(items) - 1} other items"
            what = (
                f"shares what stands before its last “{mark}” with {others}"
                if stem
                else f"has no stem before “{mark}”"
            )
            message = f"The id {what}; two items make a pair, such as 558{mark}a and 558{mark}b."
            for item in items:
                self._add(ProblemCode.PAIR_INCOMPLETE, message, item.line)

    def _by_stem(self) -> dict[str, list[FinishedItem]]:
        stems: dict[str, list[FinishedItem]] = {}
        for item in self._items.values():
            stems.setdefault(item.id.rpartition(self._separator)[0], []).append(item)
        return stems

    def _in_order(self, pair: Sequence[FinishedItem]) -> tuple[FinishedItem, FinishedItem]:
        """The original, then what was made of it; as in the file where the ids do not tell."""
        first, second = pair
        is_turned = second.id.endswith(self._separator + ORIGINAL)
        return (second, first) if is_turned else (first, second)

    def _fault(self, code: ProblemCode, line: int, column: str) -> None:
        self._report.add(Finding(code, RULES[code]), line=line, column=column)

    def _add(self, code: ProblemCode, message: str, line: int) -> None:
        self._report.add(Finding(code, message), line=line, column=self._form.id_column)
