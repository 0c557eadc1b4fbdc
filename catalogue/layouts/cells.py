"""From one line to its cells: quoted as RFC 4180 says, or separated by tabs without any quoting."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from catalogue.problems import Finding, ProblemCode, RefusedError

SEPARATOR_LINE = re.compile('"?sep=([,;|\t])"?', re.IGNORECASE)
"""The first line that spreadsheets read and write, which is no row: it says what separates the cells."""
DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "vertical bar"}
"""What can separate the cells of a table, in the order in which it is looked for, with its name."""
# Possessive, so that a doubled quote is never taken for a closing quote and an opening one.
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')


def is_quoted_as_csv(cell: str) -> bool:
    """Whether a whole cell stands in quotes, with a quote in it that is doubled."""
    return '""' in cell[1:-1] and bool(_QUOTED.fullmatch(cell))


class CellError(Exception):
    """A cell whose quotes make no sense. `position` counts the cells of the line from 0."""

    def __init__(self, code: ProblemCode, position: int) -> None:
        super().__init__(code)
        self.code = code
        self.position = position


def split_cells(line: str, delimiter: str, *, has_quotes: bool | None = None) -> list[str]:
    """The cells of the line; tabs know no quotes unless it is said. CellError for a quote unclosed, stray, or with text
    behind it.
    """
    if '"' not in line or not (delimiter != "\t" if has_quotes is None else has_quotes):
        return line.split(delimiter)
    cells: list[str] = []
    at = 0
    while True:
        cell, at = _cell(line, at, len(cells), delimiter)
        cells.append(cell)
        if at == len(line):
            return cells
        at += 1


class WholeRow(NamedTuple):
    """A row with all the lines that its quoted cells run on to: the first of them, the cells, and the text."""

    line: int
    cells: tuple[str, ...]
    text: str


def whole_rows(
    lines: Sequence[str],
    explain: Callable[[ProblemCode, str], Finding],
    delimiter: str = ",",
    *,
    has_quotes: bool | None = None,
) -> Iterator[WholeRow]:
    """The rows of a table whose quoted cells may run over any number of lines; a quote never closed takes in the rest.

    Tabs know no quotes unless it is said.

    Behind a wrong quote nobody can tell where the next row begins: RefusedError with what `explain` says of the fault
    and of the row's first line.
    """
    number, knows_quotes = 1, delimiter != "\t" if has_quotes is None else has_quotes
    while number <= len(lines):
        end = number
        is_open = knows_quotes and lines[number - 1].count('"') % 2 == 1
        while is_open and end < len(lines):
            end += 1
            is_open = lines[end - 1].count('"') % 2 == 0
        text = "\n".join(lines[number - 1 : end])
        try:
            yield WholeRow(number, tuple(split_cells(text, delimiter, has_quotes=knows_quotes)), text)
        except CellError as error:
            raise RefusedError(explain(error.code, lines[number - 1]), line=number) from None
        number = end + 1


def _cell(line: str, at: int, position: int, delimiter: str) -> tuple[str, int]:
    """The cell that begins at `at`, and the place of the delimiter or line end after it."""
    if line.startswith('"', at):
        match = _QUOTED.match(line, at)
        if match is None:
            raise CellError(ProblemCode.UNCLOSED_QUOTE, position)
        if match.end() < len(line) and line[match.end()] != delimiter:
            raise CellError(ProblemCode.TEXT_AFTER_QUOTE, position)
        return match.group(1).replace('""', '"'), match.end()
    end = line.find(delimiter, at)
    end = len(line) if end < 0 else end
    if '"' in line[at:end]:
        raise CellError(ProblemCode.STRAY_QUOTE, position)
    return line[at:end], end
