"""The first line of a table."""

from collections.abc import Callable, Sequence
from enum import Enum, auto

from catalogue.layouts.cells import DELIMITERS, SEPARATOR_LINE
from catalogue.layouts.form import FileFormat
from catalogue.layouts.text_lines import first_forbidden
from catalogue.problems import Finding, ProblemCode, quoted, visible

MAX_FREE_COLUMNS = 16
_MAX_COLUMN_NAME = 64


IN_QUOTES = (
    "The cells stand in quotes, which would be part of ids and labels here. Export the file without quotes, as pandas "
    "does with to_csv(..., quoting=csv.QUOTE_NONE)."
)


class Afterwards(Enum):
    """What is worth reading once the header is known to be wrong."""

    NOTHING = auto()
    ROWS = auto()
    ROWS_FROM_FIRST_LINE = auto()


def check_header(
    line: str, cells: Sequence[str], file: FileFormat, is_data: Callable[[Sequence[str]], bool]
) -> tuple[Finding, Afterwards] | None:
    """What is wrong with the header, and how to go on; None if nothing is.

    `is_data` says whether cells look like a row rather than like names of columns.
    """
    if tuple(cells) in (file.header, *file.also_headers):
        return None
    expected = visible(file.header_line, limit=200)
    code, sentence, afterwards = _judge(line, cells, file, is_data)
    return Finding(
        code,
        f"{sentence} The first line must be exactly “{expected}”.",
        found=visible(line),
        expected=expected,
    ), afterwards


def _judge(
    line: str, cells: Sequence[str], file: FileFormat, is_data: Callable[[Sequence[str]], bool]
) -> tuple[ProblemCode, str, Afterwards]:
    if SEPARATOR_LINE.fullmatch(line):
        sentence = "The first line says what separates the cells, as spreadsheets write it. Remove the line."
        return ProblemCode.HEADER_NAMES, sentence, Afterwards.NOTHING
    columns, separator = file.header, file.delimiter
    folded = [cell.strip().casefold() for cell in cells]
    wanted = [column.casefold() for column in columns]
    delimiter = next((name for mark, name in DELIMITERS.items() if mark in line and mark != separator), None)
    if len(cells) == 1 and delimiter:
        return (
            ProblemCode.HEADER_DELIMITER,
            f"The columns are separated by {delimiter}s; export the file with {DELIMITERS[separator]}s.",
            Afterwards.NOTHING,
        )
    if not file.layout.has_quotes and folded != wanted == unquoted(folded):
        return ProblemCode.STRAY_QUOTE, IN_QUOTES, Afterwards.NOTHING
    if folded == wanted:
        return (
            ProblemCode.HEADER_SPELLING,
            "The column names have another case or spaces around them.",
            Afterwards.ROWS,
        )
    if sorted(folded) == sorted(wanted):
        return ProblemCode.HEADER_ORDER, "The columns stand in the wrong order.", Afterwards.NOTHING
    if is_data(cells):
        return (
            ProblemCode.HEADER_MISSING,
            "The first line looks like an answer: the header is missing.",
            Afterwards.ROWS_FROM_FIRST_LINE,
        )
    if len(set(folded)) < len(folded):
        return ProblemCode.HEADER_DOUBLED_COLUMN, "A column stands in the header twice.", Afterwards.NOTHING
    if set(wanted) < set(folded):
        return ProblemCode.HEADER_EXTRA_COLUMN, _extra_columns(cells, wanted), Afterwards.NOTHING
    afterwards = Afterwards.ROWS if len(cells) == len(columns) else Afterwards.NOTHING
    return ProblemCode.HEADER_NAMES, _other_names(cells, columns, folded, wanted), afterwards


def _other_names(
    cells: Sequence[str], columns: Sequence[str], folded: Sequence[str], wanted: Sequence[str]
) -> str:
    """Which column is missing or called otherwise, where there is but one."""
    missing = [name for name, loose in zip(columns, wanted, strict=True) if loose not in folded]
    others = [cell for cell, loose in zip(cells, folded, strict=True) if loose not in wanted]
    if len(missing) != 1 or len(others) > 1:
        return "The columns have other names."
    (name,) = missing
    return (
        f"{quoted(others[0])} stands there in place of {quoted(name)}."
        if others
        else f"The column {quoted(name)} is missing."
    )


def unquoted(cells: Sequence[str]) -> list[str]:
    """The cells without the quotes around them; those that have none stay."""
    return [cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell for cell in cells]


def _extra_columns(cells: Sequence[str], wanted: list[str]) -> str:
    if not cells[0]:
        return "There is an unnamed extra column, as pandas writes its index: use to_csv(..., index=False)."
    extra = [cell for cell in cells if cell.strip().casefold() not in wanted]
    if not extra[0].strip():
        return (
            "There is a column without a name, as spreadsheets write empty columns: delete it in every line."
        )
    return f"Remove the extra column {quoted(extra[0])}."


def judge_free_columns(header: Sequence[str], known: int, what: str) -> tuple[ProblemCode, str] | None:
    """What is wrong with the columns behind the first `known`, whose names are free: a code and a sentence."""
    free = header[known:]
    if len(free) > MAX_FREE_COLUMNS:
        return (
            ProblemCode.HEADER_EXTRA_COLUMN,
            f"There are {len(free)} {what}; {MAX_FREE_COLUMNS} are allowed.",
        )
    for name in free:
        if not name or name != name.strip() or len(name) > _MAX_COLUMN_NAME or first_forbidden(name):
            return (
                ProblemCode.HEADER_NAMES,
                f"{quoted(name)} cannot name a column: give 1 to {_MAX_COLUMN_NAME} printable characters.",
            )
    if len({name.casefold() for name in header}) < len(header):
        return ProblemCode.HEADER_DOUBLED_COLUMN, "A column stands in the header twice."
    return None
