"""JSON lines: one object a line, of which two keys are read."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JsonCell
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.json_object import plain_cells, report_doubled, wrong_type
from catalogue.layouts.json_text import NUMBER, Member, parse_json, plain_members
from catalogue.layouts.text_lines import decode, physical_lines, pieces_of_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, quoted

MAX_LINE = 100_000
_TEXT = rb'"([^"\\\x00-\x1f\x7f]*+)"'
_NUMBER = b"(" + NUMBER.pattern.encode() + b")"


class JsonLines(Layout):
    """One object a line, with the id and the answer under the keys `id_column` and `label_column`."""

    key = "json_lines"
    title = "JSON lines"
    ending = "jsonl"
    is_table = False
    options = ()

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """The rows in file order. A line that is no object is reported, and the next one read."""
        report, max_rows = reading.report, reading.max_rows
        if not isinstance(source, bytes):
            raise TypeError("JSON lines are read from their bytes.")
        lines = report.lines = physical_lines(decode(source, form.encoding), max_rows)
        expected = reading.output.json_cells()
        for number, line in enumerate(lines, start=1):
            if number > max_rows:
                raise RefusedError(
                    Finding(
                        ProblemCode.TOO_MANY_ROWS,
                        f"The file has more than {max_rows:,} rows, far more than ids. Reading stopped here.",
                    ),
                    line=number,
                )
            try:
                members = members_of_line(line, number)
            except RefusedError as error:
                report.refuse(error)
                continue
            row = _row(members, number, form, expected, report)
            if row is not None:
                yield row

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Rows as programs write them: both keys in the order of the first line, nothing else, at most one space."""
        expected, answered = output.json_cells(), form.label_column
        # Equal to a format with nothing further to it, so that what formats learn to ask for is not passed over here.
        plain = FileFormat(form.path, form.id_column, answered, layout=self, also_written=form.also_written)
        if form != plain or not (output.is_one_text or output.has_bounds):
            yield None
            return
        keys = (form.id_column, answered)
        line = _ordinary_line(keys, answered, expected[0])
        if line.match(data) is None:
            keys = (answered, form.id_column)
            line = _ordinary_line(keys, answered, expected[0])
        for piece in pieces_of_lines(data, 0, b"\n"):
            rows = line.findall(piece)
            if len(expected) > 1 or len(rows) != piece.count(b"\n") + 1:
                yield None
                return
            yield OrdinaryRows(piece, dict(zip(keys, map(list, zip(*rows, strict=True)), strict=True)))

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        return "".join(
            json.dumps({part.form.id_column: item, part.form.label_column: value}, ensure_ascii=False) + "\n"
            for item, value in zip(part.ids, part.values, strict=True)
        )


@lru_cache(maxsize=128)
def _ordinary_line(keys: tuple[str, str], answered: str, expected: JsonCell) -> re.Pattern[bytes]:
    """A whole line that holds these keys in this order, each with a text that has no escape, or with a number."""
    values = (_NUMBER if key == answered and expected.is_number else _TEXT for key in keys)
    members = [
        re.escape(json.dumps(key, ensure_ascii=False).encode()) + b" ?: ?" + value
        for key, value in zip(keys, values, strict=True)
    ]
    return re.compile(rb"^\{ ?" + b" ?, ?".join(members) + rb" ?\}\r?$", re.MULTILINE)


def members_of_line(line: str, number: int) -> tuple[Member, ...]:
    """The members of the line's object. RefusedError if it is none."""
    if len(line) <= MAX_LINE and (members := plain_members(line, number)) is not None:
        return members
    if not line.strip():
        raise RefusedError(Finding(ProblemCode.BLANK_LINE, "The line is blank. Remove it."), line=number)
    if len(line) > MAX_LINE:
        raise RefusedError(
            Finding(
                ProblemCode.CELL_TOO_LONG,
                f"The line has {len(line):,} characters; at most {MAX_LINE:,} are read.",
            ),
            line=number,
        )
    node = parse_json(line, number)
    if not isinstance(node.value, tuple):
        raise RefusedError(wrong_type(node, "an object"), line=number)
    return node.value


def _missing_key(key: str) -> Finding:
    return Finding(ProblemCode.JSON_MISSING_KEY, f"The object has no key {quoted(key)}.", expected=key)


def _row(
    members: tuple[Member, ...],
    number: int,
    file: FileFormat,
    expected: tuple[JsonCell, ...],
    report: FileReport,
) -> FileRow | None:
    first: dict[str, Member] = {}
    for member in members:
        if first.setdefault(member.key, member) is not member:
            report_doubled(member, number, report)
    named, answered = first.get(file.id_column), first.get(file.label_column)
    for key, there in ((file.id_column, named), (file.label_column, answered)):
        if there is None:
            kind = (ProblemCode.JSON_MISSING_KEY, "")
            report.add_lazily(partial(_missing_key, key), kind=kind, line=number, column=key)
    if named is None or answered is None:
        return None
    item = plain_cells(named, file.id_column, report)
    cells = plain_cells(answered, file.label_column, report, *expected)
    return FileRow(number, item[0], cells) if item else None
