"""One JSON list of objects, with the keys that JSON lines have."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from catalogue.gold_column import SeenFile
from catalogue.layouts.form import AnsweredPart, FileFormat, FileRow, Layout, RowReading, Source
from catalogue.layouts.json_forms.columns import columns_of_objects
from catalogue.layouts.json_lines import JsonLines, row_of_members
from catalogue.layouts.json_object import wrong_type
from catalogue.layouts.json_text import Node, parse_json
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError

_BEGINNING = re.compile(r"\s*\[\s*\{")
_DEEPEST = 9  # one more than an object by itself


class JsonList(JsonLines):
    """The objects of JSON lines in one list, however they stand on lines."""

    key = "json_list"
    title = "A JSON list"
    ending = "json"
    each_item = "one object of the list"
    ordinary_rows = Layout.ordinary_rows  # a list is read as a whole

    def looks_like(self, lines: Sequence[str]) -> bool:
        return bool(_BEGINNING.match("\n".join(lines)))

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        found = ((node.line, node.value) for node in _objects("\n".join(lines), report))
        return columns_of_objects((line, value) for line, value in found if isinstance(value, tuple))

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """The rows in file order. What is no object is reported, and the next one read."""
        if not isinstance(source, bytes):
            raise TypeError("A JSON list is read from its bytes.")
        text, report = decode(source, form.encoding), reading.report
        report.lines = physical_lines(text, text.count("\n") + 1)
        for count, node in enumerate(_objects(text, report), start=1):
            if count > reading.max_rows:
                message = f"There are more than {reading.max_rows:,} objects, far more than ids. Reading stopped here."
                raise RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=node.line)
            if isinstance(node.value, tuple):
                yield row_of_members(node.value, node.line, form, reading)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        """An object a line."""
        objects = JsonLines.write(self, parts).removesuffix("\n").replace("\n", ",\n")
        return f"[\n{objects}\n]\n"


def _objects(text: str, report: FileReport) -> Iterator[Node]:
    """The values of the list; what is no object is reported. RefusedError for a file that is no list."""
    if _is_by_lines(text):
        message = (
            "The file has an object on each line. Write them as one list: [ before the first, commas between them, "
            "] at the end."
        )
        raise RefusedError(
            Finding(ProblemCode.JSON_WRONG_TYPE, message, expected="a list of objects"), line=1
        )
    root = parse_json(text, deepest=_DEEPEST)
    if not isinstance(root.value, list):
        raise RefusedError(wrong_type(root, "a list of objects"), line=root.line)
    if not root.value:
        raise RefusedError(Finding(ProblemCode.NO_ROWS, "The list is empty. Add an object for every id."))
    for node in root.value:
        if not isinstance(node.value, tuple):
            find, kind = partial(wrong_type, node, "an object"), (ProblemCode.JSON_WRONG_TYPE, "")
            report.add_lazily(find, kind=kind, line=node.line)
        yield node


def _is_by_lines(text: str) -> bool:
    """Whether the first two lines with anything on them are an object each, as in JSON lines."""
    first, _, rest = text.lstrip().partition("\n")
    second = rest.lstrip()
    return first.startswith("{") and first.rstrip().endswith("}") and second.startswith("{")
