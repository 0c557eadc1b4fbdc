"""Answers of several parts in tables: the parts of one in a cell of their own, or all in one cell."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from catalogue.answers import AnswerKind
from catalogue.answers.reading import AnswerReader, JsonShape, looks_like_list
from catalogue.answers.structured.json_list import WrongListError
from catalogue.layouts.form import FileFormat, FileRow, RowReading
from catalogue.problems import Finding, ProblemCode, quoted, visible


def cells_of_parts(output: AnswerKind, parts: Sequence[str]) -> tuple[str, ...]:
    """The cells of an answer with these parts, as its reader takes them."""
    return tuple(parts) if output.json_shape is JsonShape.MANY else (f"[{','.join(parts)}]",)


def is_part(output: AnswerKind, answers: AnswerReader, cells: Sequence[str]) -> bool:
    """Whether these cells look like one part of an answer."""
    try:
        return answers.looks_like_answer(cells_of_parts(output, [output.part(cells)]))
    except WrongListError:
        return False


def are_parts(output: AnswerKind, answers: AnswerReader, separator: str, cells: Sequence[str]) -> bool:
    """Whether a cell looks like parts of an answer with the separator between them."""
    return all(is_part(output, answers, (text.strip(),)) for text in cells[0].split(separator))


def parted(cell: str, separator: str, output: AnswerKind) -> tuple[str, ...]:
    """The cells of an answer whose parts all stand in one cell; an empty one has none, and blanks around a part are no
    part of it.

    Raises
    ------
    WrongListError
        If nothing stands where a part must be, or something that is none.
    """
    if looks_like_list(cell) and cell not in output.labels:
        message = f"This is a list as Python or JSON writes it. Write its parts with {quoted(separator)} between them."
        expected = f"parts with {separator} between them, without brackets and quotes"
        raise WrongListError(Finding(ProblemCode.UNKNOWN_LABEL, message, visible(cell), expected))
    # Any number of blanks is one: nobody sees how many there are, nor one behind the last part.
    sign = None if separator.isspace() else separator
    texts = [text.strip() for text in cell.split(sign)] if cell.strip() else []
    if "" in texts:
        message = (
            f"Nothing stands on one side of a {quoted(separator)} in {quoted(cell)}. Write {quoted(separator)} between "
            "two parts of the answer, and none before the first or behind the last."
        )
        raise WrongListError(
            Finding(ProblemCode.EMPTY_LABEL, message, visible(cell), f"parts with {separator} between them")
        )
    return cells_of_parts(output, [output.part((text,)) for text in texts])


def answers_in(
    rows: Iterable[tuple[str, ...]], form: FileFormat, output: AnswerKind
) -> Iterator[tuple[str, ...] | WrongListError]:
    """The cells of each answer of a table as its reader takes them, or what is wrong with them."""
    for cells in rows:
        try:
            yield parted(cells[0], form.separator, output) if form.separator else cells
        except WrongListError as wrong:
            yield wrong


def parted_rows(rows: Iterable[FileRow], separator: str, reading: RowReading) -> Iterator[FileRow]:
    """The rows of a table with the parts of each answer told apart; a cell that has none is reported."""
    for row in rows:
        try:
            cells = row.cells and parted(row.cells[0], separator, reading.output)
        except WrongListError as wrong:
            column = reading.answers.columns[0]
            reading.report.add_lazily(wrong.find, kind=wrong.kind, line=row.line, column=column)
            cells = None
        yield row._replace(cells=cells)


def parted_cells(cells: Iterable[bytes], separator: str, output: AnswerKind) -> list[tuple[str, ...]] | None:
    """The same of a whole column of cells in UTF-8; None where one of them is wrong. Each text is looked at once."""
    known: dict[bytes, tuple[str, ...]] = {}
    found = list(cells)
    try:
        for cell in set(found):
            known[cell] = parted(cell.decode(), separator, output)
    except (UnicodeDecodeError, WrongListError):
        return None
    return [known[cell] for cell in found]


def in_one_cell(value: Any, separator: str) -> str:
    """An answer, as `AnswerKind.written` has it, in one cell; a text that is no list is the cell itself.

    Raises
    ------
    ValueError
        If a part has the separator in it.
    """
    if isinstance(value, str) and not value.startswith("["):
        return value
    texts: list[str] = json.loads(value) if isinstance(value, str) else value
    if any(separator in text for text in texts):
        raise ValueError(f"no part of an answer can have {separator!r} in it: {texts!r:.200}")
    return separator.join(texts)
