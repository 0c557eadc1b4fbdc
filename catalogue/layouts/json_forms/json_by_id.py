"""One JSON object from id to answer, or to an object that holds the answer under a key."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from catalogue.answers.reading import JsonShape
from catalogue.gold_column import SeenFile
from catalogue.layouts.form import AnsweredPart, FileFormat, FileRow, Layout, RowReading, Source
from catalogue.layouts.json_forms.columns import columns_of_objects
from catalogue.layouts.json_forms.quick import JsonPairs, read_at
from catalogue.layouts.json_lines import JsonLines, answers_by_id, nested, row_of_members
from catalogue.layouts.json_object import wrong_type
from catalogue.layouts.json_text import Member, Node, parse_json
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError

_ITSELF = "answer"  # what stands beside an id is the answer, unless a definition names a key in it
_KEY = r'"(?:[^"\\]|\\.)*"\s*:\s*'
_BEGINNING, _NEXT = re.compile(rf"\s*\{{\s*{_KEY}"), re.compile(rf"\s*,\s*{_KEY}")
_DEEPEST = 9  # one more than an object by itself
_FEWEST = 10  # ids on a line: one with fewer keys is rather an object of JSON lines


class JsonById(JsonLines):
    """An object from id to answer, or where `label_column` names a key, to an object with the answer under it."""

    key = "json_by_id"
    title = "A JSON object by ids"
    ending = "json"
    each_item = "one key of the object"
    options = ("labels_as", "group_columns", "empty_labels")
    default_id_column = "id"
    default_label_column = _ITSELF
    ordinary_rows = Layout.ordinary_rows  # an object is read as a whole

    def looks_like(self, lines: Sequence[str]) -> bool:
        """True for an object of several values of one kind; objects have the same keys, fewer than there are ids."""
        values, is_whole = _beginning("\n".join(lines))
        if len(values) < 2 or len({type(value) for value in values}) > 1:
            return False
        if isinstance(values[0], JsonPairs):
            keys = [tuple(key for key, _ in value) for value in values]
            return len(set(keys)) == 1 and (not is_whole or len(keys[0]) < len(values))
        return len(lines) > 1 or len(values) >= _FEWEST

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        members = _members(parse_json("\n".join(lines), deepest=_DEEPEST))
        return columns_of_objects((item.line, _with_id(item, "id", is_itself=None)) for item in members)

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """The rows in file order. What is no object where one is expected is reported, and the next one read."""
        if not isinstance(source, bytes):
            raise TypeError("A JSON object by ids is read from its bytes.")
        text, report = decode(source, form.encoding), reading.report
        report.lines = physical_lines(text, text.count("\n") + 1)
        is_itself = form.label_column == _ITSELF and reading.output.json_shape is not JsonShape.FRAME
        for count, item in enumerate(_members(parse_json(text, deepest=_DEEPEST)), start=1):
            if count > reading.max_rows:
                message = (
                    f"There are more than {reading.max_rows:,} keys, far more than ids. Reading stopped here."
                )
                raise RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=item.line)
            if is_itself or isinstance(item.value.value, tuple):
                yield row_of_members(
                    _with_id(item, form.id_column, is_itself=is_itself), item.line, form, reading
                )
                continue
            find, kind = partial(wrong_type, item.value, "an object"), (ProblemCode.JSON_WRONG_TYPE, "")
            report.add_lazily(find, kind=kind, line=item.line)
            yield FileRow(item.line, item.key, None)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        """An id a line."""
        is_itself = parts[0].form.label_column == _ITSELF and not parts[0].is_whole_line
        values = (
            (item, answered[_ITSELF] if is_itself else nested(answered))
            for item, answered in answers_by_id(parts)
        )
        lines = (
            f"{json.dumps(item, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
            for item, value in values
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _beginning(text: str) -> tuple[list[Any], bool]:
    """The values of the object that a text begins, as far as they are whole, and whether it ends with the text.

    No values where something follows the object: it is a line of a file then.
    """
    values: list[Any] = []
    at, end = 0, _BEGINNING.match(text)
    while end is not None:
        try:
            value, at = read_at(text, end.end())
        except (ValueError, RecursionError):
            return values, False
        values.append(value)
        end = _NEXT.match(text, at)
    rest = text[at:].strip()
    return (values if rest in ("", ",", "}") else []), rest == "}"


def _members(root: Node) -> tuple[Member, ...]:
    """The ids with what stands beside them. RefusedError for a file that is no object."""
    if not isinstance(root.value, tuple):
        raise RefusedError(wrong_type(root, "an object from id to answer"), line=root.line)
    if not root.value:
        raise RefusedError(Finding(ProblemCode.NO_ROWS, "The object is empty. Add a key for every id."))
    return root.value


def _with_id(item: Member, id_column: str, *, is_itself: bool | None) -> tuple[Member, ...]:
    """The members of an object of JSON lines that says the same; None if the value tells whether it is the answer."""
    value = item.value.value
    if is_itself or (is_itself is None and not isinstance(value, tuple)):
        beside = (Member(_ITSELF, item.value.line, item.value),)
    else:
        beside = (
            tuple(member for member in value if member.key != id_column) if isinstance(value, tuple) else ()
        )
    return (Member(id_column, item.line, Node(item.key, item.line)), *beside)
