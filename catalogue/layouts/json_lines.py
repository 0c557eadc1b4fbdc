"""JSON lines: one object a line, of which two keys are read."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JSON_TEXT, JsonCell, JsonShape
from catalogue.gold_column import SeenFile
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.json_forms.columns import columns_of_objects, looks_like_objects
from catalogue.layouts.json_forms.quick import WHOLE_NUMBER, quick_row
from catalogue.layouts.json_object import answer_cells, plain_cells, report_doubled, report_type, wrong_type
from catalogue.layouts.json_text import NUMBER, Member, Node, NumberText, members_at_once, parse_json
from catalogue.layouts.line_faults import far_too_many
from catalogue.layouts.text_lines import decode, physical_lines, pieces_of_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible

MAX_LINE = 100_000
_OF_COLUMNS = re.compile(r'\{(?:"[^"]*": ?\{[^{}]*\}(?:, ?|(?=\})))++\}')  # and no id, which is no object
_TEXT = rb'"([^"\\\x00-\x1f\x7f]*+)"'
_NUMBER = b"(" + NUMBER.pattern.encode() + b")"
_GROUP = JsonCell(is_number=False, expected="a text, a number or null")
_WHOLE = JsonCell(is_number=True, expected="a whole number without quotes")


class JsonLines(Layout):
    """One object a line, with the id and the answer under the keys `id_column` and `label_column`.

    `answer.label` is the key `label` of the object under `answer`, where the line has no key of that very name.
    """

    key = "json_lines"
    title = "JSON lines"
    ending = "jsonl"
    is_table = False
    may_be_shared = True
    has_lists = True
    note = "JSON, "
    each_item = "one line"
    options: ClassVar[tuple[str, ...]] = ("numeric_ids", "labels_as", "group_columns", "empty_labels")
    can_be_seen = True

    def looks_like(self, lines: Sequence[str]) -> bool:
        return looks_like_objects(lines)

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        of_lines = (
            (number, members_or_report(line, number, report)) for number, line in enumerate(lines, start=1)
        )
        return columns_of_objects((number, members) for number, members in of_lines if members is not None)

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """The rows in file order. A line that is no object is reported, and the next one read."""
        quick = quick_row(form, reading.output)
        has_groups = reading.is_gold and form.group_columns
        for number, line in numbered_lines(source, form, reading):
            if not has_groups and (ordinary := quick(line)) is not None:
                yield FileRow(number, *ordinary)
            elif (members := members_or_report(line, number, reading.report)) is not None:
                yield row_of_members(members, number, form, reading)
            elif line.strip():
                yield FileRow(number, "", None)

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Rows as programs write them: both keys in the order of the first line, nothing else, at most one space.

        Where no pattern describes a row, each is read by itself.
        """
        expected, answered = output.json_cells(), form.label_column
        # Equal to a format with nothing further to it, so that what formats learn to ask for is not passed over here.
        plain = FileFormat(form.path, form.id_column, answered, layout=self, also_written=form.also_written)
        if form != plain or not (output.is_one_text or output.has_bounds):
            yield from _rows_one_by_one(data, form, output)
            return
        keys = (form.id_column, answered)
        line = _ordinary_line(keys, answered, expected[0])
        if line.match(data) is None:
            keys = (answered, form.id_column)
            line = _ordinary_line(keys, answered, expected[0])
        if line.match(data) is None:
            yield from _rows_one_by_one(data, form, output)
            return
        for piece in pieces_of_lines(data, 0, b"\n"):
            rows = line.findall(piece)
            if len(expected) > 1 or len(rows) != piece.count(b"\n") + 1:
                yield None
                return
            yield OrdinaryRows(piece, dict(zip(keys, map(list, zip(*rows, strict=True)), strict=True)))

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        form = parts[0].form
        return "".join(
            json.dumps(
                nested({form.id_column: int(item) if form.numeric_ids else item} | answered),
                ensure_ascii=False,
            )
            + "\n"
            for item, answered in answers_by_id(parts)
        )


def answers_by_id(parts: Sequence[AnsweredPart]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each id with the keys of its answers and these, of all parts; the parts have the same ids."""
    first, *others = parts
    found = [dict(zip(part.ids, part.values, strict=True)) for part in others]
    for item, value in zip(first.ids, first.values, strict=True):
        values = [(first, value)] + [
            (part, of_part[item]) for part, of_part in zip(others, found, strict=True) if item in of_part
        ]
        answered: dict[str, Any] = {}
        for part, one in values:
            answered |= one if part.is_whole_line else {part.form.label_column: part.form.json_value(one)}
        yield item, answered


def _rows_one_by_one(data: bytes, form: FileFormat, output: AnswerKind) -> Iterator[OrdinaryRows | None]:
    """Pieces of rows with the cells of each; tokens are held against those of their items elsewhere."""
    quick = quick_row(form, output)
    for piece in pieces_of_lines(data, 0, b"\n"):
        try:
            lines = piece.decode().split("\n")
        except UnicodeDecodeError:
            yield None
            return
        rows = [quick(line.removesuffix("\r")) for line in lines] if not output.has_tokens else [None]
        read = [row for row in rows if row is not None]
        if len(read) < len(rows):
            yield None
            return
        ids = [row.item.encode() for row in read]
        yield OrdinaryRows(piece, {form.id_column: ids}, [row.cells for row in read])


@lru_cache(maxsize=128)
def _ordinary_line(keys: tuple[str, str], answered: str, expected: JsonCell) -> re.Pattern[bytes]:
    """A whole line that holds these keys in this order, each with a text that has no escape, or with a number."""
    values = (_NUMBER if key == answered and expected.is_number else _TEXT for key in keys)
    members = [
        re.escape(json.dumps(key, ensure_ascii=False).encode()) + b" ?: ?" + value
        for key, value in zip(keys, values, strict=True)
    ]
    return re.compile(rb"^\{ ?" + b" ?, ?".join(members) + rb" ?\}\r?$", re.MULTILINE)


def object_lines(
    source: Source, form: FileFormat, reading: RowReading, longest: int
) -> Iterator[tuple[int, tuple[Member, ...]]]:
    """The number and the members of every line that is an object; any other is reported."""
    for number, line in numbered_lines(source, form, reading):
        members = members_or_report(line, number, reading.report, longest)
        if members is not None:
            yield number, members


def numbered_lines(source: Source, form: FileFormat, reading: RowReading) -> Iterator[tuple[int, str]]:
    """The lines with their numbers from 1. RefusedError at the first that is too many."""
    report, max_rows = reading.report, reading.max_rows
    if not isinstance(source, bytes):
        raise TypeError("JSON lines are read from their bytes.")
    lines = report.lines = physical_lines(decode(source, form.encoding), max_rows)
    if (fault := _whole_fault(lines)) is not None:
        raise RefusedError(fault, line=1)
    for number, line in enumerate(lines, start=1):
        if number > max_rows:
            raise far_too_many(max_rows, "rows", line=number)
        yield number, line


def _whole_fault(lines: Sequence[str]) -> Finding | None:
    """What is wrong with a file as a whole, where no line of it can be right; None where some can."""
    first, expected = lines[0].strip(), 'an object on every line, such as {"id": …}'
    if first.startswith("["):
        message = (
            "The file is one list in JSON. Write each of its objects on a line of its own, without brackets."
        )
        return Finding(ProblemCode.JSON_NOT_BY_LINES, message, visible(first), expected)
    if first == "{" or (
        first.startswith("{") and len(lines) > 1 and not any("}" in line for line in lines[:2])
    ):
        message = (
            "An object runs over several lines here. Write each object on one line, without line breaks."
        )
        return Finding(ProblemCode.JSON_NOT_BY_LINES, message, visible(first), expected)
    if len(lines) == 1 and _OF_COLUMNS.fullmatch(first):
        message = (
            "The file is one object with a key for each column, as pandas writes it: use to_json(..., "
            'orient="records", lines=True).'
        )
        return Finding(ProblemCode.JSON_NOT_BY_LINES, message, visible(first), expected)
    if not any(line.lstrip().startswith("{") for line in lines):
        message = "No line of the file holds an object in JSON. Write one on every line, with the id and the answer."
        return Finding(ProblemCode.JSON_NOT_BY_LINES, message, visible(first), expected)
    return None


def members_or_report(
    line: str, number: int, report: FileReport, longest: int = MAX_LINE
) -> tuple[Member, ...] | None:
    """The members of the line's object; None if it is none, which is reported."""
    try:
        return members_of_line(line, number, longest)
    except RefusedError as error:
        report.refuse(error)
        return None


def members_of_line(line: str, number: int, longest: int = MAX_LINE) -> tuple[Member, ...]:
    """The members of the line's object. RefusedError if it is none."""
    if len(line) <= longest and (members := members_at_once(line, number)) is not None:
        return members
    if not line.strip():
        raise RefusedError(Finding(ProblemCode.BLANK_LINE, "The line is blank. Remove it."), line=number)
    if len(line) > longest:
        raise RefusedError(
            Finding(
                ProblemCode.CELL_TOO_LONG,
                f"The line has {len(line):,} characters; at most {longest:,} are read.",
            ),
            line=number,
        )
    node = parse_json(line, number)
    if not isinstance(node.value, tuple):
        raise RefusedError(wrong_type(node, "an object"), line=number)
    return node.value


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """An object with these values, where the points of their keys lead through objects."""
    whole: dict[str, Any] = {}
    for path, value in values.items():
        *outer, key = path.split(".")
        place = whole
        for name in outer:
            place = place.setdefault(name, {})
        place[key] = value
    return whole


def missing_key(key: str) -> Finding:
    """That an object has not the key which is read."""
    return Finding(ProblemCode.JSON_MISSING_KEY, f"The object has no key {quoted(key)}.", expected=key)


def row_of_members(
    members: tuple[Member, ...], number: int, file: FileFormat, reading: RowReading
) -> FileRow:
    """The row that an object is; its id is empty if it cannot be told."""
    output, report, first = reading.output, reading.report, dict[str, Member]()
    read = (file.id_column, file.label_column)
    for member in members:
        if first.setdefault(member.key, member) is not member:
            report_doubled(member, first[member.key].line, report, member.key if member.key in read else None)
    named, answered = (first.get(key) or _inner(first, key, report, key) for key in read)
    if output.json_shape is JsonShape.FRAME:  # its keys are keys of the line
        answered = Member(file.label_column, number, Node(tuple(first.values()), number))
    if named is None:
        _report_missing(file.id_column, number, report)
    cells, lines = _answer(answered, number, file, reading)
    if named is None:
        return FileRow(number, "", None)
    item = plain_cells(named, file.id_column, report, _WHOLE if file.numeric_ids else JSON_TEXT)
    if item and file.numeric_ids and not WHOLE_NUMBER.fullmatch(item[0]):
        report_type(named.value, _WHOLE.expected, file.id_column, report)
        item = None
    groups = _groups(first, number, file, report) if reading.is_gold else ()
    if item:
        return FileRow(number, item[0], cells, lines, groups=groups)
    # The row has been reported; its id still counts as answered, lest it be reported as missing too.
    meant = named.value.value
    text = meant.text if isinstance(meant, NumberText) else meant
    return FileRow(number, text if isinstance(text, str) else "", None)


def _answer(
    answered: Member | None, number: int, file: FileFormat, reading: RowReading
) -> tuple[tuple[str, ...] | None, tuple[int, ...]]:
    """The cells of an answer, and on which lines they stand if not all on that of the row."""
    if reading.is_gold and file.empty_labels and (answered is None or answered.value.value in (None, "")):
        return ("",), ()
    if answered is None:
        _report_missing(file.label_column, number, reading.report)
        return None, ()
    output = reading.output
    cells, lines = answer_cells(answered, file, reading.report, output, file.json_cells(output))
    if cells and not lines and answered.value.line != number:  # of an object over several lines
        lines = (answered.value.line,) * len(cells)
    return cells, lines


def _report_missing(key: str, number: int, report: FileReport) -> None:
    kind = (ProblemCode.JSON_MISSING_KEY, "")
    report.add_lazily(partial(missing_key, key), kind=kind, line=number, column=key)


def _groups(
    members: Mapping[str, Member], number: int, file: FileFormat, report: FileReport
) -> tuple[str, ...]:
    """The groups that an item is in, one for each key; empty for none, and for what is reported."""
    groups = []
    for key in file.group_columns:
        member = members.get(key) or _inner(members, key, report, key)
        if member is None:
            _report_missing(key, number, report)
        elif isinstance(member.value.value, NumberText):
            groups.append(member.value.value.text)
            continue
        elif member.value.value is not None and (found := plain_cells(member, key, report, _GROUP)):
            groups += found
            continue
        groups.append("")
    return tuple(groups)


def member_at(
    members: Sequence[Member], path: str, report: FileReport, column: str | None = None
) -> Member | None:
    """The member of that key, or that the key's points lead to through objects; None if there is none.

    What stands there twice is reported in the `column`, by default the path.
    """
    first: dict[str, Member] = {}
    for member in members:
        if first.setdefault(member.key, member) is not member and member.key in (path, path.split(".")[0]):
            report_doubled(member, first[member.key].line, report, column or path)
    return first.get(path) or _inner(first, path, report, column or path)


def _inner(members: Mapping[str, Member], path: str, report: FileReport, column: str) -> Member | None:
    key, point, rest = path.partition(".")
    outer = members.get(key)
    if not point or outer is None or not isinstance(outer.value.value, tuple):
        return None
    return member_at(outer.value.value, rest, report, column)
