"""An organiser's gold file: read as strictly as predictions, and told about without a word of its content."""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import TaskSpec
from catalogue.answers import Answers
from catalogue.answers.structured.accepted import AcceptedReader
from catalogue.item_groups import GroupColumns, ItemGroups, groups_at
from catalogue.item_lines import Tokens
from catalogue.layouts.form import FileRow, RowReading
from catalogue.layouts.text_lines import MAX_CELL, first_forbidden
from catalogue.problems import FileReport, ProblemCode
from submissions.intake.canonical import ItemIds, explaining_reader, gold_as_written
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.gzipped import is_gzip, unpacked
from submissions.intake.predictions.log_archive import put_together
from submissions.intake.problem_rules import rule_finding

MAX_GOLD_ROWS = 1_000_000
_MOST_BYTES = 100 * 2**20


@dataclass(frozen=True, slots=True, eq=False)
class GoldFile:
    """The ids of a split's scored items in file order, and their canonical gold labels aligned to them.

    `clusters`, where the file says which items belong together: per item the number of its cluster, from 0. `groups`
    are those of each column that the definition names. `unscored` are the ids of items that are asked for as well and
    have no label.
    """

    ids: ItemIds
    codes: Answers
    clusters: NDArray[np.uint32] | None = None
    groups: GroupColumns = field(default_factory=dict)
    unscored: tuple[str, ...] = ()

    @property
    def asked(self) -> ItemIds:
        """The ids of all items that are asked for, the scored ones first."""
        return ItemIds((*self.ids.ids, *self.unscored)) if self.unscored else self.ids

    def in_order(self, ids: ItemIds, places: Sequence[int]) -> "GoldFile":
        """The gold labels of these ids, each of which stands at its place here."""
        at = np.array(places, dtype=np.intp)
        clusters = None if self.clusters is None else self.clusters[at]
        return GoldFile(ids, self.codes[at], clusters, groups_at(self.groups, at), self.unscored)


@dataclass(frozen=True, slots=True)
class GoldFiles:
    """The gold labels of the split that was asked for, and `others`: the splits that share its file, by their ids.

    Such are the equity rows of a test file.
    """

    gold: GoldFile
    others: tuple[tuple[str, GoldFile], ...] = ()


def read_gold_file(
    data: bytes, *, file_name: str, task: TaskSpec, split: str = "test"
) -> FileRead[GoldFiles]:
    """Read a gold file of the task's own format; its ids are not known beforehand and become the split's.

    Problems name line, column and rule, never a value of the file.
    """

    def read(report: FileReport) -> GoldFiles | None:
        content = unpacked(data, _MOST_BYTES) if is_gzip(data) else data
        if (piece := put_together(content, task.gold, MAX_GOLD_ROWS, _MOST_BYTES)) is not None:
            content, report.entries = piece.data, piece.entries
        rows = GoldRows(gold_as_written(task, content), split, report)
        rows.read(content)
        if report.is_clean and not rows.values.get(split):
            report.add(rule_finding(ProblemCode.NO_ROWS))
        if not report.is_clean:
            return None
        files = {name: rows.file(name) for name in rows.values}
        return GoldFiles(files.pop(split), tuple(files.items()))

    return read_file(read, file_name=file_name, task=task.id).without_values()


class GoldRows:
    """The rows of one gold file, parted into the splits that share it."""

    def __init__(self, task: TaskSpec, split: str, report: FileReport) -> None:
        self._task = task
        self._split = split
        self._report = report
        self._reader = explaining_reader(task.output.gold, task.gold)
        self._id_column = task.gold.layout.id_place(task.gold)
        self._never_right = set(task.output.never_right if task.output.is_one_label else ())
        self.values: dict[str, dict[str, Any]] = {}
        self._unscored: dict[str, dict[str, None]] = defaultdict(dict)
        self._clusters: dict[str, str] = {}
        self._groups: dict[str, tuple[str, ...]] = {}
        self._tokens: dict[str, Tokens] = {}

    def read(self, data: bytes) -> None:
        """Take every row. RefusedError where reading cannot go on."""
        task = self._task
        reading = RowReading(task.output.gold, self._reader, self._report, MAX_GOLD_ROWS, is_gold=True)
        for row in task.gold.layout.rows(data, task.gold, reading):
            if row.cells is not None:
                self.take(row, row.cells)

    def file(self, split: str) -> GoldFile:
        """What was read for that split."""
        values = self.values[split]
        clusters = self._numbered(values) if self._task.gold.cluster_column else None
        tokens = [self._tokens[item] for item in values] if self._task.output.has_tokens else ()
        groups = {
            column: ItemGroups.of_cells([self._groups[item][place] for item in values])
            for place, column in enumerate(self._task.gold.group_columns)
        }
        ids, codes = ItemIds(tuple(values), tokens), self._reader.array(values.values())
        return GoldFile(ids, codes, clusters, groups, tuple(self._unscored[split]))

    def _numbered(self, ids: Iterable[str]) -> NDArray[np.uint32]:
        """Clusters counted from 0 as they come; an item that names none is one by itself."""
        numbers: dict[tuple[str, bool], int] = {}
        named = ((self._clusters[item] or item, bool(self._clusters[item])) for item in ids)
        return np.array([numbers.setdefault(name, len(numbers)) for name in named], dtype=np.uint32)

    def take(self, row: FileRow, cells: tuple[str, ...]) -> None:
        """Take one row; its id and label are checked."""
        claimed = self._task.split_of(row.id)
        split = claimed.id if claimed else self._split
        values, unscored = self.values.setdefault(split, {}), self._unscored[split]
        if self._task.gold.is_unscored(cells):
            fault = id_fault(row.id, values) or id_fault(row.id, unscored)
            if fault is not None:
                self._report.add(rule_finding(fault), line=row.line, column=self._id_column)
            unscored.setdefault(row.id)
            return
        value = self._reader.value(cells)
        if value is None:
            self._report.add_all(self._reader.explain(cells), row.line_of, self._reader.count_faults(cells))
        elif self._never_right and self._is_never_right(value):
            self._report.add(
                rule_finding(ProblemCode.UNKNOWN_LABEL), line=row.line, column=self._reader.columns[0]
            )
        fault = id_fault(row.id, values) or id_fault(row.id, unscored)
        if row.id in values and isinstance(self._reader, AcceptedReader):
            fault = self._add_accepted(values, row.id, value)
        if fault is not None:
            self._report.add(rule_finding(fault), line=row.line, column=self._id_column)
        values.setdefault(row.id, value)
        self._clusters.setdefault(row.id, row.cluster)
        self._groups.setdefault(row.id, row.groups)
        if self._task.output.has_tokens:
            self._tokens.setdefault(row.id, row.tokens or ("",) * len(cells))

    def _add_accepted(self, values: dict[str, Any], item: str, value: Any) -> ProblemCode | None:
        """Take a further row of an item as a further accepted answer; the fault if it says nothing new."""
        before = values[item]
        if value is None or before is None:  # reported already
            return None
        both = self._reader.joined(before, value) if isinstance(self._reader, AcceptedReader) else None
        values[item] = both or before
        return None if both else ProblemCode.DUPLICATE_ID

    def _is_never_right(self, value: Any) -> bool:
        kind = self._task.output.gold
        (text,) = kind.texts(kind.array([value]))
        return not self._never_right.isdisjoint(kind.accepted_texts(text))


def id_fault(item: str, known: Container[str]) -> ProblemCode | None:
    """What is wrong with a new item's id, where `known` are those before it; None if it is fine."""
    if not item:
        return ProblemCode.EMPTY_ID
    if item != item.strip():
        return ProblemCode.ID_SPELLING
    if len(item) > MAX_CELL:
        return ProblemCode.CELL_TOO_LONG
    if first_forbidden(item):
        return ProblemCode.CONTROL_CHARACTER
    return ProblemCode.DUPLICATE_ID if item in known else None
