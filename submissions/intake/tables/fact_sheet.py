"""A fact sheet: a JSON object from list to the options that a system uses, held against the organiser's lists."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from benchmarks.spec import ADVISORS, FactListSpec
from catalogue.layouts.json_object import report_doubled, wrong_type
from catalogue.layouts.json_text import Member, Node, parse_json
from catalogue.layouts.text_lines import decode
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible
from catalogue.suggestions import nearest
from submissions.intake.file_read import FileRead, read_file

MAX_FACT_SHEET_BYTES = 64 * 1024
EXAMPLE = '{"algorithms": ["LSTM"]}'
MOST_ADVISORS = 20
LONGEST_ADVISOR = 80  # characters
_SHOWN_FILE_NAME = 200
# Said by the readers of prediction files in words that would mislead here.
_IN_OTHER_WORDS = {
    ProblemCode.EMPTY_FILE: f"The file is empty. Send a JSON object such as {EXAMPLE}.",
    ProblemCode.NOT_TEXT: "The file is not text: it holds binary data. Send a JSON file in UTF-8.",
    ProblemCode.SPREADSHEET: "This is a spreadsheet or another office document. Send a JSON file in UTF-8.",
}


# Options by the id of their list; lists and options stand in the organiser's order. Under `advisors`, names.
FactAnswers = Mapping[str, tuple[str, ...]]


def read_fact_sheet(data: bytes, *, file_name: str, lists: Iterable[FactListSpec]) -> FileRead[FactAnswers]:
    """Read a fact sheet. Every list must be there; an empty one says that the system uses none of its options.

    Beside the lists it may name `advisors`: people who advise the team and need be no members.

    Nothing in `data` or `file_name` makes this function raise.
    """
    asked = [each for each in lists if each.options]

    def read(report: FileReport) -> FactAnswers:
        try:
            return _answers(_opened(data, asked, report), asked, report)
        except RefusedError as error:
            raise RefusedError(
                replace(
                    error.finding, message=_IN_OTHER_WORDS.get(error.finding.code, error.finding.message)
                ),
                line=error.line,
            ) from None

    return read_file(read, file_name=visible(file_name, _SHOWN_FILE_NAME))


def _opened(data: bytes, lists: Sequence[FactListSpec], report: FileReport) -> tuple[Member, ...]:
    if not lists:
        raise RefusedError(
            Finding(
                ProblemCode.FACT_SHEET_NOT_ASKED,
                "This benchmark asks for no fact sheet. Send the predictions without it.",
            )
        )
    if len(data) > MAX_FACT_SHEET_BYTES:
        limit = f"at most {MAX_FACT_SHEET_BYTES >> 10} KB"
        message = f"The file has {len(data) / 2**10:,.1f} KB; a fact sheet has {limit}."
        found = f"{len(data):,} bytes"
        raise RefusedError(Finding(ProblemCode.FACT_SHEET_TOO_LARGE, message, found, limit))
    text = decode(data)
    report.lines = [line.removesuffix("\r") for line in text.split("\n")]
    root = parse_json(text)
    if not isinstance(root.value, tuple):
        raise RefusedError(wrong_type(root, f"an object such as {EXAMPLE}"), line=root.line)
    return root.value


def _answers(members: Sequence[Member], lists: Sequence[FactListSpec], report: FileReport) -> FactAnswers:
    known = {each.id: each for each in lists}
    lines: dict[str, int] = {}
    named: dict[str, Collection[str]] = {}
    for member in members:
        key = member.key
        if key in lines:
            report_doubled(member, lines[key], report, key)
        elif key == ADVISORS:
            named[key] = dict.fromkeys(_advisors(member, report))
        elif key not in known:
            report.add_lazily(partial(_unknown_list, key, list(known)), line=member.line, column=visible(key))
        else:
            named[key] = _options(member, known[key], lists, report)
        lines.setdefault(key, member.line)
    for each in lists:
        if each.id not in lines:
            message = (
                f"The list {quoted(each.id)} is missing. Add it; "
                "[] says that the system uses none of its options."
            )
            report.add(Finding(ProblemCode.JSON_MISSING_KEY, message, expected=each.id), column=each.id)
    answers = {
        each.id: tuple(option for option in each.options if option in named.get(each.id, ()))
        for each in lists
    }
    return answers | ({ADVISORS: tuple(named[ADVISORS])} if ADVISORS in named else {})


def _advisors(member: Member, report: FileReport) -> list[str]:
    names = member.value.value
    if not isinstance(names, list) or len(names) > MOST_ADVISORS:
        expected = f"a list of at most {MOST_ADVISORS} names"
        report.add(wrong_type(member.value, expected), line=member.value.line, column=ADVISORS)
        return []
    found = []
    for node in names:
        name = advisor(node.value) if isinstance(node.value, str) else None
        if name is None:
            expected = f"a name of 1 to {LONGEST_ADVISOR} characters"
            report.add(wrong_type(node, expected), line=node.line, column=ADVISORS)
        else:
            found.append(name)
    return found


def advisor(text: str) -> str | None:
    """The name of an advisor, without blanks around it; None where it is empty, too long or holds what is unseen."""
    name = text.strip()
    return name if 0 < len(name) <= LONGEST_ADVISOR and name.isprintable() else None


def _options(
    member: Member, wanted: FactListSpec, lists: Sequence[FactListSpec], report: FileReport
) -> set[str]:
    if not isinstance(member.value.value, list):
        report.add(wrong_type(member.value, "a list of options"), line=member.value.line, column=wanted.id)
        return set()
    first_lines: dict[str, int] = {}
    for node in member.value.value:
        find = _fault(node, wanted, lists, first_lines)
        if find is not None:
            report.add_lazily(find, line=node.line, column=wanted.id)
        elif isinstance(node.value, str):
            first_lines[node.value] = node.line
    return set(first_lines)


def _fault(
    node: Node, wanted: FactListSpec, lists: Sequence[FactListSpec], first_lines: Mapping[str, int]
) -> Callable[[], Finding] | None:
    if not isinstance(node.value, str):
        return partial(wrong_type, node, "an option in quotes")
    if node.value in first_lines:
        return partial(_doubled_option, node.value, first_lines[node.value])
    return None if node.value in wanted.options else partial(_unknown_option, node.value, wanted, lists)


def _doubled_option(option: str, first_line: int) -> Finding:
    return Finding(
        ProblemCode.DOUBLED_FACT,
        f"{quoted(option)} stands on line {first_line} already. Name it once.",
        visible(option),
        "every option once",
    )


def _unknown_list(key: str, known: Sequence[str]) -> Finding:
    closest = nearest(key, known)
    return Finding(
        ProblemCode.UNKNOWN_FACT_LIST,
        f"The benchmark has no list {quoted(key)}. Nearest: {quoted(closest)}.",
        visible(key),
        closest,
    )


def _unknown_option(option: str, wanted: FactListSpec, lists: Sequence[FactListSpec]) -> Finding:
    elsewhere = next((one.id for one in lists if option in one.options), None)
    if elsewhere is not None:
        return Finding(
            ProblemCode.UNKNOWN_FACT,
            f"{quoted(option)} is an option of the list {quoted(elsewhere)}. Name it there.",
            visible(option),
            f"{option} in {elsewhere}",
        )
    closest = nearest(option, wanted.options)
    return Finding(
        ProblemCode.UNKNOWN_FACT,
        f"The list {quoted(wanted.id)} has no option {quoted(option)}. Nearest: {quoted(closest)}.",
        visible(option),
        closest,
    )
