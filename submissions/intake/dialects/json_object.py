"""`answer.json`: an object of subtasks, each an object from id to answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.answers import AnswerKind, ConfidentLabel, Number, OrderedClass
from submissions.intake.dialects.json_text import Member, Node, NumberText, parse_json
from submissions.intake.nearest import nearest
from submissions.intake.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible
from submissions.intake.rows import Row
from submissions.intake.text import MAX_CELL, decode, first_forbidden

LABEL_AND_CONFIDENCE = 2


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
                report.add(doubled_key(member.key, self._subtasks[member.key].line), line=member.line)
            elif member.key not in known:
                report.add_lazily(partial(_unknown_key, member.key, known), line=member.line)
            self._subtasks.setdefault(member.key, member)

    def rows(
        self, file: FileFormat, output: AnswerKind, report: FileReport, *, is_gold: bool = False
    ) -> Iterator[Row]:
        """The answers under the file's key. RefusedError if there are none."""
        report.lines = self._lines
        key = file.label_column
        member = self._subtasks.get(key)
        if member is None:
            message = f"The file has no key {quoted(key)}. Put this task's answers under it."
            raise RefusedError(Finding(ProblemCode.JSON_MISSING_KEY, message, expected=key))
        if not isinstance(member.value.value, tuple):
            raise RefusedError(wrong_type(member.value, "an object from id to answer"), line=member.line)
        if not member.value.value:
            message = f"{quoted(key)} holds no answers. Add one for every id."
            raise RefusedError(Finding(ProblemCode.NO_ROWS, message), line=member.line)
        confident = isinstance(output, ConfidentLabel) and not is_gold
        numeric = isinstance(output, Number | OrderedClass)
        for item in member.value.value:
            if confident:
                cells, lines = _confident_cells(item, key, report)
                yield Row(item.line, item.key, cells, lines)
            else:
                yield Row(item.line, item.key, plain_cells(item, key, report, numeric=numeric))


def plain_cells(
    member: Member, column: str, report: FileReport, *, numeric: bool = False
) -> tuple[str, ...] | None:
    """The one cell of an answer that is a text, or a number where those are asked for; None if reported."""
    value = member.value.value
    if isinstance(value, str) and not numeric and _is_sound(value, member, column, report):
        return (value,)
    if isinstance(value, NumberText) and numeric:
        return (value.text,)
    if not isinstance(value, str) or numeric:
        expected = "a number" if numeric else "text"
        report.add_lazily(partial(wrong_type, member.value, expected), line=member.value.line, column=column)
    return None


def _confident_cells(
    member: Member, column: str, report: FileReport
) -> tuple[tuple[str, ...] | None, tuple[int, ...]]:
    """Label and confidence of a list of these two, and their lines; None if reported."""
    values = member.value.value
    line = member.value.line
    expected = '["label", confidence]'
    if not isinstance(values, list):
        report.add_lazily(partial(wrong_type, member.value, expected), line=line, column=column)
        return None, ()
    if len(values) != LABEL_AND_CONFIDENCE:
        found = "1 value" if len(values) == 1 else f"{len(values)} values"
        message = f"The answer to {quoted(member.key)} has {found}. Give exactly two: {expected}."
        report.add(Finding(ProblemCode.JSON_WRONG_LENGTH, message, found, expected), line=line, column=column)
        return None, ()
    label, confidence = values
    if not isinstance(label.value, str):
        report.add_lazily(partial(wrong_type, label, "a label in quotes"), line=label.line, column=column)
    elif not isinstance(confidence.value, NumberText):
        expected = "a number from 0 to 1"
        report.add_lazily(partial(wrong_type, confidence, expected), line=confidence.line, column=column)
    elif _is_sound(label.value, member, column, report):
        return (label.value, confidence.value.text), (label.line, confidence.line)
    return None, ()


def _is_sound(text: str, member: Member, column: str, report: FileReport) -> bool:
    """True unless the text is too long or holds a character that no label may; it is then reported."""
    character = first_forbidden(text)
    if len(text) > MAX_CELL:
        message = f"There are {len(text):,} characters here; an answer may have {MAX_CELL:,}."
        finding = Finding(ProblemCode.CELL_TOO_LONG, message, visible(text))
    elif character:
        message = f"The answer holds the control character U+{ord(character):04X}. Remove it."
        finding = Finding(ProblemCode.CONTROL_CHARACTER, message, visible(text))
    else:
        return True
    report.add(finding, line=member.value.line, column=column)
    return False


def wrong_type(node: Node, expected: str) -> Finding:
    """A value of another type than expected."""
    found = _shown(node)
    message = f"{expected[0].upper()}{expected[1:]} is expected here; {node.kind} stands there."
    return Finding(ProblemCode.JSON_WRONG_TYPE, message, found, expected)


def _shown(node: Node) -> str:
    if isinstance(node.value, NumberText):
        return visible(node.value.text)
    return visible(node.value) if isinstance(node.value, str) else node.kind


def doubled_key(key: str, first_line: int) -> Finding:
    """A key that stands in an object a second time."""
    message = f"The key {quoted(key)} stands on line {first_line} already. Keep one of the two."
    return Finding(ProblemCode.JSON_DOUBLED_KEY, message, visible(key), "every key once")


def _unknown_key(key: str, known: tuple[str, ...]) -> Finding:
    closest = nearest(key, known)
    message = f"The benchmark knows no subtask {quoted(key)}. Nearest: {quoted(closest)}."
    return Finding(ProblemCode.JSON_UNKNOWN_KEY, message, visible(key), closest)
