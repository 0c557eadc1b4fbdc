"""A table is declared by its columns: that is all a new one needs."""

from collections.abc import Iterator
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.problems import Finding, ProblemCode
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import (
    FindFault,
    FirstLines,
    TableColumn,
    TableRow,
    TableSchema,
)

SIZES = ("small", "large")
FORM = FileFormat("", "id", "size", columns=("shelf", "id", "size"))


def read(text: str, seen: list[tuple[int, str]] | None = None) -> FileRead[list[tuple[str, str, str]]]:
    ids = FirstLines()

    def size_fault(row: TableRow) -> FindFault | None:
        finding = partial(Finding, ProblemCode.UNKNOWN_LABEL, f"{row['size']} is no size.")
        return None if row["size"] in SIZES else finding

    def beside(row: TableRow) -> Iterator[tuple[str, FindFault]]:
        if row["shelf"] == "top" and row["size"] == "large":
            yield "shelf", partial(Finding, ProblemCode.FIXED_CELL, "Nothing large stands there.")

    schema = TableSchema(
        FORM,
        (
            TableColumn("shelf", is_optional=True),
            TableColumn("size", size_fault),
            TableColumn("id", lambda row: ids.id_fault(row.id, row.line, "Keep one.")),
        ),
        row=lambda row: (row.id, row["size"], row["shelf"]),
        max_rows=5,
        faults_beside=beside,
        in_doubt=lambda line, item: (seen if seen is not None else []).append((line, item)),
        looks_like_row=lambda cells: cells[-1] in SIZES,
    )
    return read_file(partial(schema.read, text.encode()), file_name="boxes.csv", task="boxes")


def places(read: FileRead[list[tuple[str, str, str]]]) -> list[tuple[str, int | None, str | None]]:
    assert read.content is None
    return [(problem.code.value, problem.line, problem.column) for problem in read.problems]


def test_rows_come_in_their_order():
    assert read("shelf,id,size\ntop,b,small\n,a,large\n").content == [
        ("b", "small", "top"),
        ("a", "large", ""),
    ]


def test_an_optional_column_may_be_left_out_and_is_empty_then():
    assert read("id,size\nb,small\n").content == [("b", "small", "")]


def test_a_header_that_spells_the_optional_column_otherwise_is_told_with_it():
    (problem,) = read("Shelf,id,size\ntop,b,small\n").problems
    assert (problem.code, problem.expected) == (ProblemCode.HEADER_SPELLING, "shelf,id,size")


def test_faults_are_told_in_the_order_of_the_columns():
    found = read("id,size\na,small\na,huge\n b,small\n")
    assert places(found) == [
        ("unknown_label", 3, "size"),
        ("duplicate_id", 3, "id"),
        ("id_spelling", 4, "id"),
    ]
    assert {problem.task for problem in found.problems} == {"boxes"}


def test_rows_are_looked_at_beside_others_once_their_cells_are_right():
    assert places(read("shelf,id,size\ntop,a,large\ntop,b,huge\n")) == [
        ("fixed_cell", 2, "shelf"), ("unknown_label", 3, "size"),
    ]  # fmt: skip


def test_rows_with_a_fault_are_in_doubt():
    seen: list[tuple[int, str]] = []
    assert places(read("id,size\na,small,more\nb,huge\nc,small\n", seen)) == [
        ("long_row", 2, None), ("unknown_label", 3, "size"),
    ]  # fmt: skip
    assert seen == [(2, "a"), (3, "b")]


def test_a_row_is_no_header():
    assert places(read("a,small\nb,large\n"))[0] == ("header_missing", 1, None)


def test_there_are_no_more_rows_than_are_read():
    assert places(read("id,size\n" + "".join(f"{at},small\n" for at in range(7))))[-1] == (
        "too_many_rows",
        7,
        None,
    )


def test_what_is_told_without_values_keeps_its_place():
    found = read("id,size\na,huge\n").without_values()
    assert [(problem.found, problem.line, problem.column) for problem in found.problems] == [
        (None, 2, "size")
    ]
    assert "huge" not in found.problems[0].message
