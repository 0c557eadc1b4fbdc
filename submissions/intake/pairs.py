"""An organiser's file of pairs: items that differ only in the group that they speak of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.answers import Answers
from submissions.intake.answers import AnswerReader
from submissions.intake.canonical import ItemIds
from submissions.intake.dialects.table import TableReader
from submissions.intake.foreign import ForeignIds
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
from submissions.intake.text import MAX_CELL

MAX_PAIR_ROWS = 500_000
_LONGEST = {"pair": MAX_CELL, "group": 80, "stratum": 64}
_FEWEST = 2
_PLAIN = FileFormat("", "id", "group", columns=("pair", "group", "id"))
_WITH_STRATUM = replace(_PLAIN, columns=(*_PLAIN.columns, "stratum"))


@dataclass(frozen=True, slots=True)
class ItemPair:
    """Positions of the items on each side of one pair, in the order of the split's ids."""

    name: str
    stratum: str
    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PairsFile:
    """The pairs of one comparison. `stratum` is empty in all of them where the file has no such column."""

    first: str
    second: str
    pairs: tuple[ItemPair, ...]

    @property
    def strata(self) -> tuple[str, ...]:
        """The strata in the order in which they appear; none where the file has no such column."""
        return tuple(dict.fromkeys(pair.stratum for pair in self.pairs if pair.stratum))

    @property
    def item_count(self) -> int:
        """How many different items take part."""
        return len({item for pair in self.pairs for item in (*pair.first, *pair.second)})


@dataclass(frozen=True, slots=True)
class PairsResult:
    """A file of pairs, or None and its first problems; `more` counts the rest."""

    file: PairsFile | None
    problems: tuple[Problem, ...]
    more: int


def read_pairs(
    data: bytes, *, file_name: str, ids: ItemIds, split: str, first: str = "", second: str = ""
) -> PairsResult:
    """Read a CSV file with the columns pair, group, id and perhaps stratum.

    `first` and `second` name the groups in the order of the comparison; by default that in which they appear.
    Every id must be one of `ids`. An id may serve in several pairs, and once in each.
    """
    report = Report()
    pairs = _Pairs(FileReport(report, file=file_name), ForeignIds(ids, split), ids, (first, second))
    try:
        pairs.read(data)
    except RefusedError as error:
        pairs.report.refuse(error)
    if report.total:
        return PairsResult(None, tuple(report.problems), report.more)
    return PairsResult(pairs.file(), (), 0)


class _PairCells(AnswerReader):
    """The cells beside the id: every one must say something, and not at length."""

    @property
    def longest(self) -> int:
        return MAX_CELL

    def value(self, cells: Sequence[str]) -> tuple[str, ...] | None:
        return None if any(self.explain(cells)) else tuple(cells)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        for place, (column, cell) in enumerate(zip(self.columns, cells, strict=True)):
            if not cell.strip() or len(cell) > _LONGEST[column]:
                yield place, column, partial(self._finding, column, cell)

    def _finding(self, column: str, found: str) -> Finding:
        if not found.strip():
            message = f"The cell is empty. Give the {column}."
            return Finding(ProblemCode.PAIR_CELL_EMPTY, message, visible(found))
        message = f"The cell has {len(found)} characters; a {column} may have {_LONGEST[column]}."
        return Finding(ProblemCode.PAIR_CELL_TOO_LONG, message, visible(found))

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return False  # any text could be the name of a pair

    def array(self, values: Iterable[object]) -> Answers:
        raise NotImplementedError("Pairs are no answers.")


@dataclass(slots=True)
class _Side:
    """One pair as it comes in: on which line each of its items stands, for both groups."""

    line: int
    stratum: str
    positions: dict[str, list[int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


class _Pairs:
    """The rows of one file, gathered into pairs."""

    def __init__(self, report: FileReport, foreign: ForeignIds, ids: ItemIds, named: tuple[str, str]) -> None:
        self.report = report
        self._foreign = foreign
        self._ids = ids
        self._groups = [name for name in named if name]
        self._are_groups_named = bool(self._groups)
        self._found: set[str] = set()
        self._pairs: dict[str, _Side] = {}
        self._row_count = 0

    def read(self, data: bytes) -> None:
        """Take every row, then look at the pairs as a whole. RefusedError where reading cannot go on."""
        form = _form_of(data)
        cells = _PairCells(tuple(column for column in form.columns if column != form.id_column))
        for row in TableReader(form, cells, self.report, MAX_PAIR_ROWS).read(data):
            self._take(row, cells)
        # Of a line that could not be read nobody knows which pair it would have completed.
        if self._pairs and self._row_count >= len(self.report.lines) - 1:
            self._check_groups()
            self._check_pairs()
            self._check_numbers()

    def file(self) -> PairsFile:
        """What was read, if there was no problem."""
        first, second = self._groups
        return PairsFile(
            first,
            second,
            tuple(
                ItemPair(name, pair.stratum, tuple(pair.positions[first]), tuple(pair.positions[second]))
                for name, pair in self._pairs.items()
            ),
        )

    def _take(self, row: Row, reader: _PairCells) -> None:
        cells = reader.value(row.cells) if row.cells is not None else None
        if cells is None:
            self.report.add_all(reader.explain(row.cells) if row.cells else (), row.line_of)
            return
        self._row_count += 1
        name, group, stratum = cells if len(cells) > 2 else (*cells, "")
        position = self._ids.index.get(row.id.encode())
        if position is None:
            self.report.add_lazily(partial(self._foreign.finding, row.id), line=row.line, column="id")
        self._check_group(group, row.line)
        pair = self._pairs.setdefault(name, _Side(row.line, stratum))
        if stratum != pair.stratum:
            self._tell_stratum(name, stratum, pair, row.line)
        if row.id in pair.lines:
            self._tell_twice(row, name, pair.lines[row.id])
        pair.lines.setdefault(row.id, row.line)
        pair.positions.setdefault(group, []).append(-1 if position is None else position)

    def _check_group(self, group: str, line: int) -> None:
        self._found.add(group)
        if group in self._groups:
            return
        if len(self._groups) < 2 and not self._are_groups_named:
            self._groups.append(group)
            return
        groups = " or ".join(map(quoted, self._groups))
        message = f"{quoted(group)} is a third group; a file of pairs compares two, here {groups}."
        finding = Finding(ProblemCode.PAIR_GROUPS, message, visible(group), " or ".join(self._groups))
        self.report.add(finding, line=line, column="group")

    def _tell_stratum(self, name: str, stratum: str, pair: _Side, line: int) -> None:
        message = (
            f"This row puts the pair {quoted(name)} into {quoted(stratum)}, line {pair.line} into "
            f"{quoted(pair.stratum)}. All items of a pair share one stratum."
        )
        finding = Finding(ProblemCode.PAIR_STRATUM, message, visible(stratum), visible(pair.stratum))
        self.report.add(finding, line=line, column="stratum")

    def _tell_twice(self, row: Row, name: str, first: int) -> None:
        message = f"The id {quoted(row.id)} stands in the pair {quoted(name)} already, on line {first}."
        finding = Finding(ProblemCode.PAIR_ID_TWICE, message, visible(row.id), "every id once in a pair")
        self.report.add(finding, line=row.line, column="id")

    def _check_groups(self) -> None:
        for name in self._groups:
            if name not in self._found:
                found = ", ".join(sorted(map(visible, self._found))[:5])
                message = f"No row is of the group {quoted(name)}; the file's groups are {found}."
                self.report.add(Finding(ProblemCode.PAIR_GROUPS, message, found, name), column="group")
        if len(self._groups) < 2:
            message = f"All rows are of the group {quoted(self._groups[0])}. A comparison needs two."
            self.report.add(Finding(ProblemCode.PAIR_GROUPS, message, self._groups[0]), column="group")

    def _check_pairs(self) -> None:
        if len(self._groups) < 2:
            return
        for name, pair in self._pairs.items():
            for group in self._groups:
                if group not in pair.positions and group in self._found:
                    found = " and ".join(map(visible, pair.positions))
                    message = f"The pair {quoted(name)} has no item of the group {quoted(group)}."
                    finding = Finding(ProblemCode.PAIR_ONE_SIDED, message, found, group)
                    self.report.add(finding, line=pair.line, column="group")

    def _check_numbers(self) -> None:
        if len(self._pairs) < _FEWEST:
            message = "The file has a single pair. A t-test needs two pairs at least."
            self.report.add(Finding(ProblemCode.PAIR_TOO_FEW, message, "1 pair", "at least 2"), column="pair")
            return
        for stratum, count in Counter(pair.stratum for pair in self._pairs.values()).items():
            if count < _FEWEST:
                line = next(pair.line for pair in self._pairs.values() if pair.stratum == stratum)
                message = (
                    f"The stratum {quoted(stratum)} has a single pair. A t-test needs two pairs at least."
                )
                finding = Finding(ProblemCode.PAIR_TOO_FEW, message, "1 pair", "at least 2")
                self.report.add(finding, line=line, column="stratum")


def _form_of(data: bytes) -> FileFormat:
    """With the column of strata if the header has one, however it is spelt."""
    header = data.partition(b"\n")[0].decode(errors="replace").casefold()
    return _WITH_STRATUM if "stratum" in header or header.count(",") > 2 else _PLAIN
