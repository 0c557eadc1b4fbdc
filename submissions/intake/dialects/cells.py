"""From one line to its cells: quoted as RFC 4180 says, or separated by tabs without any quoting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.spec import Dialect
from submissions.intake.problems import ProblemCode

# Possessive, so that a doubled quote is never taken for a closing quote and an opening one.
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')


class CellError(Exception):
    """A cell whose quotes make no sense. `position` counts the cells of the line from 0."""

    def __init__(self, code: ProblemCode, position: int) -> None:
        super().__init__(code)
        self.code = code
        self.position = position


def split_cells(line: str, dialect: Dialect = Dialect.CSV) -> list[str]:
    """The cells of the line. CellError for an unclosed quote, a stray one, or text after a closing one."""
    if '"' not in line or dialect is Dialect.TSV:
        return line.split(dialect.delimiter)
    cells: list[str] = []
    at = 0
    while True:
        cell, at = _cell(line, at, len(cells))
        cells.append(cell)
        if at == len(line):
            return cells
        at += 1


def whole_row(lines: Sequence[str], number: int) -> tuple[str, int]:
    """The CSV row that begins on that line, with the lines that a quoted cell runs on to; and the next row's line.

    Lines count from 1. A quote that is never closed takes in all that follows.
    """
    parts = [lines[number - 1]]
    is_open = parts[0].count('"') % 2 == 1
    while is_open and number + len(parts) <= len(lines):
        parts.append(lines[number + len(parts) - 1])
        is_open = parts[-1].count('"') % 2 == 0
    return "\n".join(parts), number + len(parts)


def _cell(line: str, at: int, position: int) -> tuple[str, int]:
    """The cell that begins at `at`, and the place of the comma or line end after it."""
    if line.startswith('"', at):
        match = _QUOTED.match(line, at)
        if match is None:
            raise CellError(ProblemCode.UNCLOSED_QUOTE, position)
        if match.end() < len(line) and line[match.end()] != ",":
            raise CellError(ProblemCode.TEXT_AFTER_QUOTE, position)
        return match.group(1).replace('""', '"'), match.end()
    end = line.find(",", at)
    end = len(line) if end < 0 else end
    if '"' in line[at:end]:
        raise CellError(ProblemCode.STRAY_QUOTE, position)
    return line[at:end], end
