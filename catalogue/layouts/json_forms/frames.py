"""Answers in JSON that are a text and an object of named texts."""

from collections.abc import Iterator, Sequence

from catalogue.answers.reading import JsonCell
from catalogue.layouts.json_object import Cells, plain_cells, report_doubled, wrong_type
from catalogue.layouts.json_text import Member, Node
from catalogue.problems import FileReport, Finding, ProblemCode, quoted


def frame_cells(node: Node, report: FileReport, expected: Sequence[JsonCell]) -> Cells | None:
    """The text, and then name and text of each part in turn; None if anything is of another form: it is reported.

    Keys that nobody asked for are not looked at: a line often holds the item's text as well.
    """
    of_text, of_parts = expected
    if not isinstance(node.value, tuple):
        both = f"an object with {quoted(of_text.name)} and {quoted(of_parts.name)}"
        report.add(wrong_type(node, both), line=node.line)
        return None
    first: dict[str, Member] = {}
    for member in node.value:
        if first.setdefault(member.key, member) is not member:
            report_doubled(member, first[member.key].line, report, member.key)
    if lacking := [cell.name for cell in expected if cell.name not in first]:
        message = f"The answer has no key {quoted(lacking[0])}."
        finding = Finding(ProblemCode.JSON_MISSING_KEY, message, expected=lacking[0])
        report.add(finding, line=node.line, column=lacking[0])
        return None
    text, parts = first[of_text.name], first[of_parts.name].value
    head = plain_cells(text, of_text.name, report, of_text)
    if not isinstance(parts.value, tuple):
        report.add(wrong_type(parts, of_parts.expected), line=parts.line, column=of_parts.name)
        return None
    pairs = list(_parts(parts.value, of_parts.name, report))
    if head is None or None in pairs:
        return None
    return (*head, *(cell for pair in pairs if pair for cell in pair))


def _parts(members: Sequence[Member], name: str, report: FileReport) -> Iterator[tuple[str, str] | None]:
    """Name and text of each part, as often as it has texts; None for one that is reported."""
    lines: dict[str, int] = {}
    for member in members:
        place = f"{name}.{member.key}"
        if member.key in lines:
            report_doubled(member, lines[member.key], report, place)
            yield None
        lines.setdefault(member.key, member.line)
        for node in member.value.value if isinstance(member.value.value, list) else [member.value]:
            if isinstance(node.value, str):
                found = plain_cells(Member(member.key, node.line, node), place, report)
                yield (member.key, found[0]) if found else None
            else:
                report.add(wrong_type(node, "a text or a list of texts"), line=node.line, column=place)
                yield None
