"""A set of pairs that was finished elsewhere: a file in the form of the task's gold labels, whose ids pair up.

`558_a` and `558_b` are a pair: their ids agree before the last separator. Where the file has texts beside the labels,
they are read too; cells that hold a hyphen alone, as in files that were stripped of their texts, are none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from benchmarks.spec import TaskSpec
from catalogue.problems import FileReport, Finding, Problem, ProblemCode, visible
from submissions.intake.canonical import gold_as_written
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.pairs.pair_faults import ORIGINAL, PairLabels, plain
from submissions.intake.problem_rules import RULES, without_values
from submissions.intake.tables.gold import id_fault
from submissions.intake.tables.table_schema import FindFault, TableColumn, TableRow, TableSchema

MAX_ROWS = 50_000
MAX_ID = 200
_NO_TEXT = ("", "-")
# What is said of these repeats nothing that stands in the file.
_OWN = (ProblemCode.DUPLICATE_ID, ProblemCode.PAIR_INCOMPLETE, ProblemCode.CELL_TOO_LONG)


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


def read_finished_pairs(
    data: bytes, *, file_name: str, task: TaskSpec, may_repeat: bool = False
) -> FileRead[FinishedPairs]:
    """Read such a file. With `may_repeat`, ids may stand in several rows, which then have the same texts.

    Problems name line, column and rule, never a value of the file. Nothing in `data` or `file_name` makes this raise.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span, or its gold labels stand in no table.
    """
    if not task.gold.layout.is_table:
        raise ValueError(f"The gold labels of {task.id} stand in no table.")
    rows = _Rows(gold_as_written(task, data), may_repeat=may_repeat)
    read = read_file(partial(rows.read, data), file_name=visible(file_name, 200), task=task.id)
    return replace(read, problems=tuple(map(_without_values, read.problems)))


def _without_values(problem: Problem) -> Problem:
    bare = without_values(problem)
    return replace(bare, message=problem.message) if problem.code in _OWN else bare


class _Rows:
    def __init__(self, task: TaskSpec, *, may_repeat: bool) -> None:
        self._form = task.gold
        self._separator = task.pairs or "_"
        self._labels = PairLabels(task)
        self._may_repeat = may_repeat
        known = (*self._form.id_columns, self._form.label_column)
        self._text_columns = [name for name in self._form.header if name not in known]
        self._items: dict[str, FinishedItem] = {}
        self._repeated: dict[str, tuple[FinishedItem, ...]] = {}

    def read(self, data: bytes, report: FileReport) -> FinishedPairs | None:
        place = self._form.header.index(self._form.label_column)
        table = TableSchema(
            self._form,
            (
                TableColumn(self._form.label_column, self._label_fault),
                TableColumn(self._form.id_column, self._id_fault),
            ),
            row=lambda row: None,
            max_rows=MAX_ROWS,
            looks_like_row=lambda cells: self._labels.is_one(cells[place]),
        )
        table.read(data, report)
        if report.is_clean:
            for item, message in self._without_partner():
                report.add(
                    Finding(ProblemCode.PAIR_INCOMPLETE, message), line=item.line, column=self._form.id_column
                )
        return self._file() if report.is_clean else None

    def _file(self) -> FinishedPairs:
        kept = [
            at
            for at in range(len(self._text_columns))
            if any(item.texts[at].strip() not in _NO_TEXT for item in self._items.values())
        ]

        def shown(item: FinishedItem) -> FinishedItem:
            return item._replace(texts=tuple(item.texts[at] for at in kept))

        pairs = (self._in_order(pair) for pair in self._by_stem().values())
        return FinishedPairs(
            columns=tuple(self._text_columns[at] for at in kept),
            pairs=tuple((shown(original), shown(changed)) for original, changed in pairs),
            repeated=self._repeated,
        )

    def _sentence_of(self, row: TableRow) -> str:
        first = next((row[name] for name in self._text_columns), "")
        return row[self._form.label_column] if first.strip() in _NO_TEXT else first

    def _label_fault(self, row: TableRow) -> FindFault | None:
        return self._labels.fault(row[self._form.label_column], self._sentence_of(row))

    def _id_fault(self, row: TableRow) -> FindFault | None:
        code = id_fault(row.id, ())
        if code is not None:
            return partial(Finding, code, RULES[code])
        if len(row.id) > MAX_ID:
            return partial(
                Finding,
                ProblemCode.CELL_TOO_LONG,
                f"The id has {len(row.id)} characters; at most {MAX_ID} fit.",
            )
        texts = tuple(row[name] for name in self._text_columns)
        label = self._labels.read(row[self._form.label_column], self._sentence_of(row)) or ""
        item = FinishedItem(row.id, row.line, label, texts)
        first = self._items.setdefault(row.id, item)
        return None if first is item else self._repetition_fault(item, first)

    def _repetition_fault(self, item: FinishedItem, first: FinishedItem) -> FindFault | None:
        advice = (
            f". Remove one of the two rows, or have repeated items contested: line {first.line} then counts until you "
            "have decided."
        )
        if list(map(plain, item.texts)) != list(map(plain, first.texts)):
            advice = ", with another text. Every item has an id of its own."
        elif self._may_repeat:
            self._repeated[item.id] = (*self._repeated.get(item.id, ()), item)
            return None
        return partial(
            Finding, ProblemCode.DUPLICATE_ID, f"The id stands on line {first.line} already{advice}"
        )

    def _without_partner(self) -> Iterator[tuple[FinishedItem, str]]:
        mark = self._separator
        for stem, items in self._by_stem().items():
            others = "no other item" if len(items) == 1 else f"{len(items) - 1} other items"
            what = (
                f"shares what stands before its last “{mark}” with {others}"
                if stem
                else f"has no stem before “{mark}”"
            )
            message = f"The id {what}; two items make a pair, such as 558{mark}a and 558{mark}b."
            if not stem or len(items) != 2:
                yield from ((item, message) for item in items)

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
