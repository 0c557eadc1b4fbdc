"""What logs of language models' runs have in common: the id of a sample, and the one answer among what was logged."""

from collections.abc import Sequence
from functools import partial

from catalogue.layouts.form import FileFormat, FileRow, RowReading
from catalogue.layouts.json_lines import member_at, missing_key
from catalogue.layouts.json_object import is_sound, report_type
from catalogue.layouts.json_text import Member, Node, NumberText
from catalogue.layouts.makes.quick_samples import likeliest
from catalogue.problems import Finding, ProblemCode

UNREAD_BYTES = 100_000  # of prompts and other things beside an answer
LONGEST_LINE = 1_000_000
DEEPEST = 64


def row_of(members: Sequence[Member], line: int, form: FileFormat, reading: RowReading) -> FileRow | None:
    """The row that a sample is; None if not even its id can be told."""
    report = reading.report
    named, answered = (member_at(members, key, report) for key in (form.id_column, form.label_column))
    for key, there in ((form.id_column, named), (form.label_column, answered)):
        if there is None:
            find, kind = partial(missing_key, key), (ProblemCode.JSON_MISSING_KEY, "")
            report.add_lazily(find, kind=kind, line=line, column=key)
    if named is None:
        return None
    item = _text(named.value)
    if item is None:
        report_type(named.value, "a number or text", form.id_column, report)
        return None
    cell = None if answered is None else _answer(answered, form, reading)
    return FileRow(
        line, item, None if cell is None else (cell,), (line if answered is None else answered.line,)
    )


def _answer(member: Member, form: FileFormat, reading: RowReading) -> str | None:
    """The answer as a cell, without spaces around it; None if it is reported."""
    report, node = reading.report, member.value
    while isinstance(node.value, list) and len(node.value) == 1:
        (node,) = node.value
    if isinstance(node.value, list):
        chosen = _most_likely(node.value, reading.output.labels)
        if chosen is None:
            kind = (ProblemCode.JSON_WRONG_LENGTH, "")
            find = partial(_several, len(node.value), len(reading.output.labels))
            report.add_lazily(find, kind=kind, line=node.line, column=form.label_column)
        return chosen
    text = _text(node)
    if text is None:
        report_type(node, "text", form.label_column, report)
        return None
    text = text.strip()
    return text if is_sound(text, member, form.label_column, report) else None


def _text(node: Node) -> str | None:
    value = node.value.text if isinstance(node.value, NumberText) else node.value
    return value if isinstance(value, str) else None


def _most_likely(choices: Sequence[Node], labels: Sequence[str]) -> str | None:
    """The label of the likeliest choice; a choice is a list that begins with its log-likelihood."""
    return likeliest(
        [
            _text(choice.value[0]) if isinstance(choice.value, list) and choice.value else None
            for choice in choices
        ],
        labels,
    )


def _several(found: int, labels: int) -> Finding:
    message = f"The log has a list of {found} here; expected one response"
    message += f", or a log-likelihood for each of the {labels} labels." if labels else "."
    return Finding(ProblemCode.JSON_WRONG_LENGTH, message, f"{found} values", "one response")
