"""An organiser's file of responses: items with what each of several workers said of them, as JSON lines.

Responses give gold labels away. So a problem names the line, the key and the id or worker at fault, never what somebody
answered, and shows no line of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from submissions.intake.dialects.json_lines import members_of_line
from submissions.intake.dialects.json_object import doubled_key
from submissions.intake.dialects.json_text import Member, Node, Value
from submissions.intake.gold import id_fault
from submissions.intake.problems import (
    FileReport,
    Finding,
    Problem,
    ProblemCode,
    RefusedError,
    Report,
    quoted,
    visible,
)
from submissions.intake.rules import RULES
from submissions.intake.text import MAX_CELL, decode, first_forbidden, physical_lines
from submissions.intake.upload import MAX_UPLOAD_BYTES

CATEGORIES = ("positive", "negative", "neutral", "mixed")
RESPONSES_PER_ITEM = 5
MAX_ITEMS = 150_000
SENTENCE, RESPONSES, PROMPT, PROMPT_DATA = "sentence", "label_distribution", "prompt", "prompt_data"
HAS_PROMPT = "has_prompt"
_PROMPT_WITHIN = "prompt_sentence"


@dataclass(frozen=True, slots=True)
class RespondedItem:
    """One item with its responses, (worker, category) each, in the file's order.

    `prompt` is empty where the item was written without one, or the file does not say which; `gold_label` None where
    the file states none.
    """

    id: str
    responses: tuple[tuple[str, str], ...]
    sentence: str
    prompt: str
    has_prompt: bool
    gold_label: str | None


@dataclass(frozen=True, slots=True)
class ResponsesForm:
    """How a file of responses is written: its keys, the categories, and how many responses an item has."""

    categories: tuple[str, ...] = CATEGORIES
    width: int = RESPONSES_PER_ITEM
    id_key: str = "text_id"
    gold_key: str = "gold_label"


@dataclass(frozen=True, slots=True)
class ResponsesResult:
    """The items of a file in its order, none of them if there is any problem; `more` counts what is not listed."""

    items: tuple[RespondedItem, ...]
    problems: tuple[Problem, ...]
    more: int


_DYNASENT = ResponsesForm()


def read_responses(data: bytes, *, file_name: str, form: ResponsesForm = _DYNASENT) -> ResponsesResult:
    """Read a file of responses: UTF-8, one JSON object a line, with these keys among others.

    `text_id`, `sentence` and `label_distribution`, an object from category to the list of workers who chose it;
    if wanted `gold_label` (a category or null), `prompt`, or `prompt_data` with `prompt_sentence` inside, and
    `has_prompt`, true or false; without it an item has a prompt where the file gives one.
    Every item has exactly `form.width` responses, each by another worker.
    """
    report = Report()
    file_report = FileReport(report, file=file_name)
    reader = _Reader(form, file_report)
    try:
        reader.read(data)
    except RefusedError as error:
        file_report.refuse(error)
    if report.total:
        return ResponsesResult((), tuple(report.problems), report.more)
    return ResponsesResult(tuple(reader.items), (), 0)


class _Reader:
    """The items of one file as they come in."""

    def __init__(self, form: ResponsesForm, report: FileReport) -> None:
        self._form = form
        self._report = report
        self._line_of: dict[str, int] = {}
        self.items: list[RespondedItem] = []

    def read(self, data: bytes) -> None:
        """Take every line. RefusedError where reading cannot go on."""
        if len(data) > MAX_UPLOAD_BYTES:
            found, most = (f"{size / 1024**2:.0f} MB" for size in (len(data), MAX_UPLOAD_BYTES))
            message = f"The file has {found}; at most {most} are read. Send it in parts."
            raise RefusedError(Finding(ProblemCode.FILE_TOO_LARGE, message, found, f"at most {most}"))
        for number, line in enumerate(physical_lines(decode(data), MAX_ITEMS), start=1):
            if number > MAX_ITEMS:
                message = f"The file has more than {MAX_ITEMS:,} items. Reading stopped here."
                raise RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=number)
            try:
                members = members_of_line(line, number)
            except RefusedError as error:
                # Its sentence quotes the line.
                code = error.finding.code
                self._add(Finding(code, f"{RULES[code]} Each line holds one item as a JSON object."), number)
                continue
            self._take(members, number)

    def _take(self, members: tuple[Member, ...], line: int) -> None:
        values: dict[str, Node] = {}
        for member in members:
            if member.key in values:
                self._add(doubled_key(member.key, line), line, member.key)
            values.setdefault(member.key, member.value)
        missing = [key for key in (self._form.id_key, SENTENCE, RESPONSES) if key not in values]
        for key in missing:
            message = f"The object has no key {quoted(key)}. Add it."
            self._add(Finding(ProblemCode.JSON_MISSING_KEY, message, expected=key), line, key)
        if missing:
            return
        item = self._id(values[self._form.id_key], line)
        sentence = self._text(values[SENTENCE], SENTENCE, line)
        responses = self._responses(values[RESPONSES].value, line)
        prompt = self._prompt(values, line)
        has_prompt = self._has_prompt(values, prompt, line)
        gold_label = self._gold(values.get(self._form.gold_key), line)
        if item is not None and sentence is not None and responses is not None:
            self.items.append(RespondedItem(item, responses, sentence, prompt, has_prompt, gold_label))

    def _id(self, node: Node, line: int) -> str | None:
        key, item = self._form.id_key, node.value
        if not isinstance(item, str):
            self._wrong_type(node, "text", key, line)
            return None
        code = id_fault(item, self._line_of)
        first = self._line_of.setdefault(item, line)
        if code is ProblemCode.DUPLICATE_ID:
            message = f"The id {quoted(item)} stands on line {first} already. Keep one of the two items."
            self._add(Finding(code, message, visible(item), "every id once"), line, key)
        elif code is not None:
            self._add(Finding(code, RULES[code], visible(item)), line, key)
        return None if code else item

    def _text(self, node: Node, key: str, line: int) -> str | None:
        """A text for people to read, as files of texts may hold it."""
        text = node.value
        if not isinstance(text, str):
            self._wrong_type(node, "text", key, line)
            return None
        if not text.strip():
            self._add(Finding(ProblemCode.TEXT_MISSING, f"The {key} is empty. Give its text."), line, key)
            return None
        character = first_forbidden(text.replace("\n", ""), "latin-1")
        if character is not None:
            message = f"The text holds the control character U+{ord(character):04X}. Remove it."
            self._add(Finding(ProblemCode.CONTROL_CHARACTER, message, visible(text)), line, key)
            return None
        return text

    def _prompt(self, values: dict[str, Node], line: int) -> str:
        """The sentence that the item was made from; empty where there is none."""
        node = values.get(PROMPT)
        within = values.get(PROMPT_DATA)
        if node is None and within is not None and isinstance(within.value, tuple):
            node = next((one.value for one in within.value if one.key == _PROMPT_WITHIN), None)
        if node is None or node.value in (None, ""):
            return ""
        return self._text(node, PROMPT, line) or ""

    def _has_prompt(self, values: dict[str, Node], prompt: str, line: int) -> bool:
        """Whether the item was made from a prompt: as the file says, else whether it gives one."""
        node = values.get(HAS_PROMPT)
        if node is None or node.value is None:
            return bool(prompt)
        if not isinstance(node.value, bool):
            self._wrong_type(node, "true or false", HAS_PROMPT, line)
        return node.value is True

    def _gold(self, node: Node | None, line: int) -> str | None:
        """The stated gold label. What is wrong with it is told without it."""
        if node is None or node.value is None:
            return None
        if isinstance(node.value, str) and node.value in self._form.categories:
            return node.value
        code = ProblemCode.UNKNOWN_CATEGORY if isinstance(node.value, str) else ProblemCode.JSON_WRONG_TYPE
        expected = f"null or one of {', '.join(self._form.categories)}"
        message = f"The gold label is no category. It must be {expected}."
        self._add(Finding(code, message, expected=expected), line, self._form.gold_key)
        return None

    def _responses(self, value: Value, line: int) -> tuple[tuple[str, str], ...] | None:
        """Who said what; None if anything is wrong with it, which is then reported."""
        faults: list[Finding] = []
        responses: dict[str, str] = {}
        if not isinstance(value, tuple):
            self._wrong_type(Node(value, line), "an object from category to workers", RESPONSES, line)
            return None
        for category, _, chosen_by in value:
            if category not in self._form.categories:
                faults.append(_unknown_category(category, self._form.categories))
            if not isinstance(chosen_by.value, list):
                faults.append(_no_list(chosen_by))
                continue
            for worker in chosen_by.value:
                fault = _worker_fault(worker, responses)
                if fault is None:
                    responses[str(worker.value)] = category
                else:
                    faults.append(fault)
        if len({member.key for member in value}) < len(value):
            faults.append(Finding(ProblemCode.JSON_DOUBLED_KEY, "A category stands here twice. Keep one."))
        if not faults and len(responses) != self._form.width:
            faults.append(_wrong_count(len(responses), self._form.width))
        for fault in faults:
            self._add(fault, line, RESPONSES)
        return None if faults else tuple(responses.items())

    def _wrong_type(self, node: Node, expected: str, key: str, line: int) -> None:
        message = f"{quoted(key)} must be {expected}; {node.kind} stands there."
        self._add(Finding(ProblemCode.JSON_WRONG_TYPE, message, node.kind, expected), line, key)

    def _add(self, finding: Finding, line: int, key: str | None = None) -> None:
        self._report.add(finding, line=line, column=key)


def _unknown_category(category: str, categories: Sequence[str]) -> Finding:
    expected = ", ".join(categories)
    message = f"{quoted(category)} is no category of responses. They are {expected}."
    return Finding(ProblemCode.UNKNOWN_CATEGORY, message, visible(category), expected)


def _no_list(node: Node) -> Finding:
    message = f"A category must have a list of workers, empty if nobody chose it; {node.kind} stands there."
    return Finding(ProblemCode.JSON_WRONG_TYPE, message, node.kind, "a list of workers")


def _worker_fault(node: Node, known: dict[str, str]) -> Finding | None:
    worker = node.value
    if not isinstance(worker, str):
        message = f"A worker must be text in quotes; {node.kind} stands there."
        return Finding(ProblemCode.JSON_WRONG_TYPE, message, node.kind, "text")
    if worker in known:
        message = f"The worker {quoted(worker)} answers this item twice. Keep one response for each worker."
        return Finding(ProblemCode.WORKER_TWICE, message, visible(worker), "every worker once")
    if not worker.strip() or worker != worker.strip() or len(worker) > MAX_CELL or first_forbidden(worker):
        message = f"{quoted(worker)} cannot name a worker. {RULES[ProblemCode.WORKER_NAME]}"
        return Finding(ProblemCode.WORKER_NAME, message, visible(worker))
    return None


def _wrong_count(found: int, wanted: int) -> Finding:
    message = f"The item has {found} response{'' if found == 1 else 's'}. Every item needs exactly {wanted}."
    return Finding(ProblemCode.RESPONSE_COUNT, message, str(found), str(wanted))
