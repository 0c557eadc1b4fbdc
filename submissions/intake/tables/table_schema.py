"""A table declared by its columns. What is read of it is one value a row, or problems with line and column."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from benchmarks.spec import FileFormat
from catalogue.layouts.table_rows import TableReader
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible
from submissions.intake.problem_rules import rule_finding
from submissions.intake.tables.gold import id_fault

R = TypeVar("R")

# Finds out what is wrong. It is called only for problems that will be listed.
FindFault = Callable[[], Finding]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its id and its cells by column. A column that the file has not is empty."""

    line: int
    id: str
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


class FirstLines(dict[Hashable, int]):
    """On which line each key of a table stood first."""

    def fault(self, key: Hashable, line: int, explain: Callable[[int], Finding]) -> FindFault | None:
        """What is wrong with a key that stands on that line; `explain` takes the earlier line that has it too."""
        first = self.setdefault(key, line)
        return None if first == line else partial(explain, first)

    def id_fault(self, item: str, line: int, advice: str) -> FindFault | None:
        """What is wrong with an id on that line: how it is written, or that it stands there a second time."""
        code = id_fault(item, ())
        doubled = self.fault(item, line, partial(doubled_id, item, advice))
        return partial(rule_finding, code, visible(item)) if code else doubled


def doubled_id(item: str, advice: str, first: int) -> Finding:
    return Finding(
        ProblemCode.DUPLICATE_ID,
        f"The id {quoted(item)} stands on line {first} already. {advice}",
        visible(item),
        "every id once",
    )


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table. `fault` finds out what is wrong with its cell in a row; None from it: the cell is right."""

    name: str
    fault: Callable[[TableRow], FindFault | None] = lambda row: None
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class TableSchema(Generic[R]):
    """How a table is written, what its cells must be, and what becomes of a row.

    Parameters
    ----------
    form
        Its header with all columns, ids, and what separates the cells.
    columns
        Those that are judged, in the order in which their faults are told.
    row
        Makes the value of a row without a fault.
    faults_beside
        The faults, column by column, of a row whose cells are right, beside the rows before it.
    in_doubt
        Takes line and id of a row that has a fault.
    looks_like_row
        Whether cells, stripped of spaces, are those of a row and none of a header.
    """

    form: FileFormat
    columns: tuple[TableColumn, ...]
    row: Callable[[TableRow], R]
    max_rows: int
    faults_beside: Callable[[TableRow], Iterable[tuple[str, FindFault]]] = lambda row: ()
    in_doubt: Callable[[int, str], object] = lambda line, item: None
    looks_like_row: Callable[[Sequence[str]], bool] = lambda cells: False

    def read(self, data: bytes, report: FileReport) -> list[R]:
        """Rows without a fault, in their order; faults go to `report`. RefusedError where reading cannot go on."""
        form = self._form_of(data)
        columns = [column for column in self.columns if column.name in form.header]
        rows = []
        for row in TableReader(form, form.header, self.looks_like_row, report, self.max_rows).read(data):
            if row.cells is None:
                if row.id:
                    self.in_doubt(row.line, row.id)
                continue
            judged = TableRow(row.line, row.id, dict(zip(form.header, row.cells, strict=True)))
            in_cells = [(column.name, fault) for column in columns if (fault := column.fault(judged))]
            faults = in_cells or [*self.faults_beside(judged)]
            for name, fault in faults:
                report.add_lazily(fault, line=row.line, column=name)
            if faults:
                self.in_doubt(row.line, row.id)
            else:
                rows.append(self.row(judged))
        return rows

    def _form_of(self, data: bytes) -> FileFormat:
        """The form with those optional columns that the header names, however it spells them, or has room for."""
        optional = {column.name for column in self.columns if column.is_optional}
        header = data.partition(b"\n")[0].decode(errors="replace").casefold()
        is_full = header.count(",") >= len(self.form.header) - 1 or any(name in header for name in optional)
        if is_full or not optional:
            return self.form
        first, *more = (name for name in self.form.id_columns if name not in optional)
        columns = tuple(name for name in self.form.header if name not in optional)
        return replace(self.form, id_column=first, more_id_columns=tuple(more), columns=columns)
