"""An organiser's file of pairs: items that differ only in the group that they speak of."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.layouts.text_lines import MAX_CELL
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible
from submissions.intake.canonical import ItemIds
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import FindFault, TableColumn, TableRow, TableSchema
from submissions.intake.unknown_ids import ForeignIds

MAX_PAIR_ROWS = 500_000
_LONGEST = {"pair": MAX_CELL, "group": 80, "stratum": 64}
_FEWEST = 2
_FORM = FileFormat("", "id", "group", columns=("pair", "group", "id", "stratum"))


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


def read_pairs(
    data: bytes, *, file_name: str, ids: ItemIds, split: str, first: str = "", second: str = ""
) -> FileRead[PairsFile]:
    """Read a CSV file with the columns pair, group, id and perhaps stratum.

    `first` and `second` name the groups in the order of the comparison; by default that in which they appear.
    Every id must be one of `ids`. An id may serve in several pairs, and once in each.
    """
    pairs = _Pairs(ForeignIds(ids, split), ids, [name for name in (first, second) if name])
    return read_file(partial(pairs.read, data), file_name=file_name)


def _cell_fault(column: str, row: TableRow) -> FindFault | None:
    found, longest = row[column], _LONGEST[column]
    if not found.strip():
        return partial(
            Finding, ProblemCode.PAIR_CELL_EMPTY, f"The cell is empty. Give the {column}.", visible(found)
        )
    return (
        partial(
            Finding,
            ProblemCode.PAIR_CELL_TOO_LONG,
            f"The cell has {len(found)} characters; a {column} may have {longest}.",
            visible(found),
        )
        if len(found) > longest
        else None
    )


@dataclass(slots=True)
class _Pair:
    """One pair as it comes in: the positions of its items by group, and the line of each id."""

    line: int
    stratum: str
    positions: dict[str, list[int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


class _Pairs:
    def __init__(self, foreign: ForeignIds, ids: ItemIds, groups: list[str]) -> None:
        self._foreign = foreign
        self._ids = ids
        self._groups = groups
        self._are_groups_named = bool(groups)
        self._found: set[str] = set()
        self._pairs: dict[str, _Pair] = {}
        self._row_count = 0

    def read(self, data: bytes, report: FileReport) -> PairsFile | None:
        table = TableSchema(
            _FORM,
            (
                *(TableColumn(name, partial(_cell_fault, name)) for name in ("pair", "group")),
                TableColumn("stratum", partial(_cell_fault, "stratum"), is_optional=True),
            ),
            row=lambda row: None,
            max_rows=MAX_PAIR_ROWS,
            faults_beside=self._faults_beside,
        )
        table.read(data, report)
        # Of a line that could not be read nobody knows which pair it would have completed.
        if self._pairs and self._row_count >= len(report.lines) - 1:
            for column, line, finding in self._faults_of_whole():
                report.add(finding, line=line, column=column)
        return self._file() if report.is_clean else None

    def _file(self) -> PairsFile:
        first, second = self._groups
        pairs = (
            ItemPair(name, pair.stratum, tuple(pair.positions[first]), tuple(pair.positions[second]))
            for name, pair in self._pairs.items()
        )
        return PairsFile(first, second, tuple(pairs))

    def _faults_beside(self, row: TableRow) -> Iterator[tuple[str, FindFault]]:
        self._row_count += 1
        group, stratum = row["group"], row["stratum"]
        position = self._ids.index.get(row.id.encode())
        if position is None:
            yield "id", partial(self._foreign.finding, row.id)
        if not self._is_one_of_two(group):
            yield "group", partial(self._third_group, group)
        pair = self._pairs.setdefault(row["pair"], _Pair(row.line, stratum))
        if stratum != pair.stratum:
            yield "stratum", partial(_other_stratum, row, pair)
        first = pair.lines.setdefault(row.id, row.line)
        if first != row.line:
            yield "id", partial(_twice_in_pair, row, first)
        pair.positions.setdefault(group, []).append(-1 if position is None else position)

    def _is_one_of_two(self, group: str) -> bool:
        self._found.add(group)
        if group not in self._groups and len(self._groups) < 2 and not self._are_groups_named:
            self._groups.append(group)
        return group in self._groups

    def _third_group(self, group: str) -> Finding:
        groups = " or ".join(map(quoted, self._groups))
        return Finding(
            ProblemCode.PAIR_GROUPS,
            f"{quoted(group)} is a third group; a file of pairs compares two, here {groups}.",
            visible(group),
            " or ".join(self._groups),
        )

    def _faults_of_whole(self) -> Iterator[tuple[str, int | None, Finding]]:
        for name in self._groups:
            if name not in self._found:
                found = ", ".join(sorted(map(visible, self._found))[:5])
                message = f"No row is of the group {quoted(name)}; the file's groups are {found}."
                yield "group", None, Finding(ProblemCode.PAIR_GROUPS, message, found, name)
        if len(self._groups) < 2:
            message = f"All rows are of the group {quoted(self._groups[0])}. A comparison needs two."
            yield "group", None, Finding(ProblemCode.PAIR_GROUPS, message, self._groups[0])
        else:
            yield from self._one_sided()
        yield from self._too_few()

    def _one_sided(self) -> Iterator[tuple[str, int | None, Finding]]:
        for name, pair in self._pairs.items():
            for group in self._groups:
                if group not in pair.positions and group in self._found:
                    found = " and ".join(map(visible, pair.positions))
                    message = f"The pair {quoted(name)} has no item of the group {quoted(group)}."
                    yield "group", pair.line, Finding(ProblemCode.PAIR_ONE_SIDED, message, found, group)

    def _too_few(self) -> Iterator[tuple[str, int | None, Finding]]:
        rest = "a single pair. A t-test needs two pairs at least."
        places = ("1 pair", "at least 2")
        if len(self._pairs) < _FEWEST:
            yield "pair", None, Finding(ProblemCode.PAIR_TOO_FEW, f"The file has {rest}", *places)
            return
        for stratum, count in Counter(pair.stratum for pair in self._pairs.values()).items():
            if count < _FEWEST:
                line = next(pair.line for pair in self._pairs.values() if pair.stratum == stratum)
                message = f"The stratum {quoted(stratum)} has {rest}"
                yield "stratum", line, Finding(ProblemCode.PAIR_TOO_FEW, message, *places)


def _other_stratum(row: TableRow, pair: _Pair) -> Finding:
    return Finding(
        ProblemCode.PAIR_STRATUM,
        f"This row puts the pair {quoted(row['pair'])} into {quoted(row['stratum'])}, line {pair.line} into "
        f"{quoted(pair.stratum)}. All items of a pair share one stratum.",
        visible(row["stratum"]),
        visible(pair.stratum),
    )


def _twice_in_pair(row: TableRow, first: int) -> Finding:
    return Finding(
        ProblemCode.PAIR_ID_TWICE,
        f"The id {quoted(row.id)} stands in the pair {quoted(row['pair'])} already, on line {first}.",
        visible(row.id),
        "every id once in a pair",
    )
