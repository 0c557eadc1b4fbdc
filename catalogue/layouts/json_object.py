"""`answer.json`: an object of subtasks, each an object from id to answer."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JSON_NUMBER, JSON_TEXT, NUMBER, JsonCell, JsonShape
from catalogue.layouts.form import AnsweredPart, FileFormat, FileRow, Layout, RowReading, Source
from catalogue.layouts.json_text import Member, Node, NumberText, compact, parse_json
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, counted, quoted, visible
from catalogue.suggestions import nearest

_IN_WORDS = {2: "two", 3: "three"}


class JsonDocument:
    """One file, parsed and its keys looked at once, whoever reads which of them."""

    def __init__(self, data: bytes, file: FileFormat, report: FileReport, *, is_gold: bool = False) -> None:
        """RefusedError if the file is no JSON object.

        In a gold file only the key that is read is looked at: official ones hold others twice.
        """
        text = decode(data, file.encoding)
        self._lines = report.lines = [line.removesuffix("\r") for line in text.split("\n")]
        root = parse_json(text)
        if not isinstance(root.value, tuple):
            raise RefusedError(wrong_type(root, "an object of subtasks"), line=root.line)
        known = (file.label_column, *file.other_keys)
        self._subtasks: dict[str, Member] = {}
        for member in root.value:
            if is_gold and member.key != file.label_column:
                continue
            if member.key in self._subtasks:
                report_doubled(member, self._subtasks[member.key].line, report)
            elif member.key not in known:
                report.add_lazily(
                    partial(_unknown_key, member.key, known),
                    kind=(ProblemCode.JSON_UNKNOWN_KEY, ""),
                    line=member.line,
                )
            self._subtasks.setdefault(member.key, member)

    def rows(self, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """The answers under the file's key. RefusedError if there are none."""
        report = reading.report
        report.lines = self._lines
        key = form.label_column
        member = self._subtasks.get(key)
        if member is None:
            raise RefusedError(
                Finding(
                    ProblemCode.JSON_MISSING_KEY,
                    f"The file has no key {quoted(key)}. Put this task's answers under it.",
                    expected=key,
                )
            )
        if not isinstance(member.value.value, tuple):
            raise RefusedError(wrong_type(member.value, "an object from id to answer"), line=member.line)
        if not member.value.value:
            raise RefusedError(
                Finding(ProblemCode.NO_ROWS, f"{quoted(key)} holds no answers. Add one for every id."),
                line=member.line,
            )
        expected = form.json_cells(reading.output)
        for item in member.value.value:
            yield FileRow(item.line, item.key, *answer_cells(item, form, report, reading.output, expected))


class JsonObject(Layout):
    """An object whose key `label_column` holds an object from id to answer."""

    key = "json"
    title = "JSON"
    ending = "json"
    is_table = False
    is_one_value = True
    may_be_shared = True
    has_lists = True
    options = ("other_keys", "labels_as")
    default_id_column = "id"

    def opened(self, data: bytes, form: FileFormat, report: FileReport) -> Source:
        return JsonDocument(data, form, report).rows

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        if isinstance(source, bytes):
            source = JsonDocument(source, form, reading.report, is_gold=reading.is_gold).rows
        return source(form, reading)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        return (
            json.dumps(
                {
                    part.form.label_column: dict(
                        zip(part.ids, map(part.form.json_value, part.values), strict=True)
                    )
                    for part in parts
                },
                ensure_ascii=False,
                indent=1,
            )
            + "\n"
        )

    def id_place(self, form: FileFormat) -> str:
        return form.label_column


Cells = tuple[str, ...]


def answer_cells(
    member: Member,
    form: FileFormat,
    report: FileReport,
    output: AnswerKind,
    expected: tuple[JsonCell, ...],
) -> tuple[Cells | None, tuple[int, ...]]:
    """The cells of an answer as its kind says that they stand here, and the line of each if not that of the answer.

    None for cells that are of another form; that is reported. `expected` is what `form.json_cells(output)` gives.
    """
    column = form.label_column
    match output.json_shape:
        case JsonShape.ONE:
            return plain_cells(member, column, report, *expected), ()
        case JsonShape.LIST:
            return _listed_cells(member, column, report, expected)
        case JsonShape.MANY:
            return _all_cells(member, column, report, *expected)
        case JsonShape.OBJECT:
            return _named_cells(member, column, report, expected)
        case JsonShape.WHOLE:
            return _whole_cell(member, column, report, *expected), ()
        case JsonShape.FRAME:
            from catalogue.layouts.json_forms.frames import (
                frame_cells,  # it reads its texts as this module does
            )

            return frame_cells(member.value, report, expected), ()


def plain_cells(
    member: Member, column: str, report: FileReport, expected: JsonCell = JSON_TEXT
) -> tuple[str, ...] | None:
    """The one cell of an answer that is a text, or whatever else is asked for; None if reported."""
    if expected.may_be_list and isinstance(member.value.value, list):
        return _each_cell(member, member.value.value, column, report, expected)
    cell = _cell(member.value, expected)
    if cell is None:
        report_type(member.value, expected.expected, column, report)
    elif (len(cell) <= MAX_CELL and not expected.is_text) or is_sound(cell, member, column, report, expected):
        return (cell,)
    return None


def _whole_cell(member: Member, column: str, report: FileReport, expected: JsonCell) -> Cells | None:
    """The one cell that the answer is as JSON writes it; None if it is too long, which is reported."""
    text = compact(member.value)
    return (text,) if is_sound(text, member, column, report, expected) else None


def _each_cell(
    member: Member, nodes: Sequence[Node], column: str, report: FileReport, expected: JsonCell
) -> tuple[str, ...] | None:
    """The cells of a list whose values are all alike; None if any is reported."""
    one = replace(expected, may_be_list=False)
    found = [plain_cells(Member(member.key, node.line, node), column, report, one) for node in nodes]
    return None if None in found else tuple(cell for cells in found if cells for cell in cells)


def _cell(node: Node, expected: JsonCell) -> str | None:
    if isinstance(node.value, NumberText):
        return node.value.text if expected.is_number else None
    if isinstance(node.value, bool):
        return str(node.value).lower() if expected.is_boolean else None
    return node.value if isinstance(node.value, str) and expected.is_text else None


def _listed_cells(
    member: Member, column: str, report: FileReport, expected: tuple[JsonCell, ...]
) -> tuple[tuple[str, ...] | None, tuple[int, ...]]:
    """The cells of an answer that is a list, and their lines; None if reported."""
    nodes = member.value.value
    if not isinstance(nodes, list) or len(nodes) != len(expected):
        code = ProblemCode.JSON_WRONG_LENGTH if isinstance(nodes, list) else ProblemCode.JSON_WRONG_TYPE
        find = partial(_no_such_list, member, expected)
        report.add_lazily(find, kind=(code, ""), line=member.value.line, column=column)
        return None, ()
    cells: list[str] = []
    for node, wanted in zip(nodes, expected, strict=True):
        cell = _cell(node, wanted)
        if cell is None:
            report_type(node, wanted.expected, column, report)
            return None, ()
        cells.append(cell)
    for cell, wanted in zip(cells, expected, strict=True):
        if not wanted.is_number and not is_sound(cell, member, column, report):
            return None, ()
    return tuple(cells), tuple([node.line for node in nodes])


def _all_cells(
    member: Member, column: str, report: FileReport, expected: JsonCell
) -> tuple[Cells | None, tuple[int, ...]]:
    """The cells of an answer that is a list of any length, all alike, and their lines; None if reported."""
    nodes = member.value.value
    if not isinstance(nodes, list):
        find = partial(wrong_type, member.value, f"a list [{expected.name}, …]")
        kind = (ProblemCode.JSON_WRONG_TYPE, "")
        report.add_lazily(find, kind=kind, line=member.value.line, column=column)
        return None, ()
    found = [plain_cells(Member(member.key, node.line, node), column, report, expected) for node in nodes]
    if None in found:
        return None, ()
    return tuple(cell for cells in found if cells for cell in cells), tuple(node.line for node in nodes)


def _named_cells(
    member: Member, column: str, report: FileReport, expected: tuple[JsonCell, ...]
) -> tuple[Cells | None, tuple[int, ...]]:
    """The cells of an answer that is an object, in the order of their names, and their lines; None if reported."""
    parts = member.value.value
    line, first = member.value.line, dict[str, Member]()
    if not isinstance(parts, tuple):
        find = partial(wrong_type, member.value, "an object with a key for each label")
        report.add_lazily(find, kind=(ProblemCode.JSON_WRONG_TYPE, ""), line=line, column=column)
        return None, ()
    names = tuple(cell.name for cell in expected)
    needed = {cell.name for cell in expected if not cell.absent}
    for part in parts:
        if first.setdefault(part.key, part) is not part:
            report_doubled(part, first[part.key].line, report, column)
    sound = len(first) == len(parts)
    for kind, keys, find_of in (
        (ProblemCode.JSON_UNKNOWN_KEY, first.keys() - set(names), _no_such_part),
        (ProblemCode.JSON_MISSING_KEY, needed - first.keys(), _no_part),
    ):
        sound = sound and not keys
        for key in sorted(keys):
            report.add_lazily(partial(find_of, key, names), kind=(kind, ""), line=line, column=column)
    if not sound:
        return None, ()
    there = [(first.get(cell.name), cell) for cell in expected]
    cells = [plain_cells(part, cell.name, report, cell) if part else (cell.absent,) for part, cell in there]
    if None in cells:
        return None, ()
    lines = tuple(part.value.line if part else line for part, _ in there)
    return tuple(cell for part in cells if part for cell in part), lines


def _no_such_part(key: str, names: tuple[str, ...]) -> Finding:
    closest = nearest(key, names)
    message = f"{quoted(key)} is not a label of this task. Nearest: {quoted(closest)}."
    return Finding(ProblemCode.JSON_UNKNOWN_KEY, message, visible(key), closest)


def _no_part(key: str, names: tuple[str, ...]) -> Finding:
    message = f"The answer has no key {quoted(key)}. Give a number for each of the {len(names):,} labels."
    return Finding(ProblemCode.JSON_MISSING_KEY, message, expected=key)


def _no_such_list(member: Member, expected: tuple[JsonCell, ...]) -> Finding:
    values, pattern = member.value.value, f"[{', '.join(cell.name for cell in expected)}]"
    if not isinstance(values, list):
        return wrong_type(member.value, pattern)
    found = counted(len(values), "value")
    count = _IN_WORDS.get(len(expected), len(expected))
    return Finding(
        ProblemCode.JSON_WRONG_LENGTH,
        f"The answer to {quoted(member.key)} has {found}. Give exactly {count}: {pattern}.",
        found,
        pattern,
    )


def is_sound(
    text: str, member: Member, column: str, report: FileReport, expected: JsonCell = JSON_TEXT
) -> bool:
    """True unless the text is too long or holds a character that no label may; it is then reported."""
    if len(text) > expected.longest:
        code, find = ProblemCode.CELL_TOO_LONG, partial(_too_long, text, expected.longest)
    elif character := first_forbidden(text.replace("\n", " ") if expected.has_lines else text):
        code, find = ProblemCode.CONTROL_CHARACTER, partial(_unsound, character, text)
    else:
        return True
    report.add_lazily(find, kind=(code, ""), line=member.value.line, column=column)
    return False


def _too_long(text: str, most: int) -> Finding:
    message = f"There are {len(text):,} characters here; an answer may have {most:,}."
    return Finding(ProblemCode.CELL_TOO_LONG, message, visible(text))


def _unsound(character: str, text: str) -> Finding:
    message = f"The answer holds the control character U+{ord(character):04X}. Remove it."
    return Finding(ProblemCode.CONTROL_CHARACTER, message, visible(text))


def report_type(node: Node, expected: str, column: str, report: FileReport) -> None:
    """Report a value of another type than is expected."""
    kind = (ProblemCode.JSON_WRONG_TYPE, "")
    report.add_lazily(partial(wrong_type, node, expected), kind=kind, line=node.line, column=column)


def wrong_type(node: Node, expected: str) -> Finding:
    value = node.value.text if isinstance(node.value, NumberText) else node.value
    message = f"{expected[0].upper()}{expected[1:]} is expected here; {node.kind} stands there."
    return Finding(
        ProblemCode.JSON_WRONG_TYPE,
        message + _with_quotes(node, expected),
        visible(value) if isinstance(value, str) else node.kind,
        expected,
    )


def _with_quotes(node: Node, expected: str) -> str:
    """What to do where a value has quotes and should have none, or the other way round; empty elsewhere."""
    if expected == JSON_TEXT.expected and isinstance(node.value, NumberText | bool):
        return " Put it in quotes."
    is_number = isinstance(node.value, str) and NUMBER.fullmatch(node.value)
    return " Write it without quotes." if is_number and expected == JSON_NUMBER.expected else ""


def report_doubled(member: Member, first_line: int, report: FileReport, column: str | None = None) -> None:
    """Report a key that stands on an earlier line already."""
    report.add_lazily(
        partial(doubled_key, member.key, first_line),
        kind=(ProblemCode.JSON_DOUBLED_KEY, ""),
        line=member.line,
        column=column,
    )


def doubled_key(key: str, first_line: int) -> Finding:
    return Finding(
        ProblemCode.JSON_DOUBLED_KEY,
        f"The key {quoted(key)} stands on line {first_line} already. Keep one of the two.",
        visible(key),
        "every key once",
    )


def _unknown_key(key: str, known: tuple[str, ...]) -> Finding:
    closest = nearest(key, known)
    return Finding(
        ProblemCode.JSON_UNKNOWN_KEY,
        f"The benchmark knows no subtask {quoted(key)}. Nearest: {quoted(closest)}.",
        visible(key),
        closest,
    )
