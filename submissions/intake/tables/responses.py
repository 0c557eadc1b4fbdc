"""An organiser's file of responses: items with what each of several workers said of them, as JSON lines.

Responses give gold labels away. So a problem names the line, the key and the id or worker at fault, never what somebody
answered, and shows no line of the file.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.spec import TaskSpec
from catalogue.layouts.json_lines import members_of_line
from catalogue.layouts.json_object import doubled_key
from catalogue.layouts.json_text import Member, Node, NumberText, Value
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.predictions.upload import MAX_UPLOAD_BYTES
from submissions.intake.problem_rules import RULES
from submissions.intake.tables.table_schema import FirstLines

MIXED = "mixed"
CATEGORIES = ("positive", "negative", "neutral", MIXED)
RESPONSES_PER_ITEM = 5
MAX_ITEMS = 150_000
SENTENCE, RESPONSES, PROMPT, PROMPT_DATA = "sentence", "label_distribution", "prompt", "prompt_data"
HAS_PROMPT, RATING = "has_prompt", "review_rating"
_PROMPT_WITHIN = "prompt_sentence"
_TYPES: Mapping[str, tuple[str, type | tuple[type, ...]]] = {
    RESPONSES: ("an object from category to workers", tuple),
    HAS_PROMPT: ("true or false", bool),
    RATING: ("a number or a text", (NumberText, str)),
}


@dataclass(frozen=True, slots=True)
class RespondedItem:
    """One item with its responses, (worker, category) each, in the file's order.

    `prompt` is empty where the item was written without one, or the file does not say which; `gold_label` None where
    the file states none. `rating` is what the review that the sentence is from was rated, as the file has it; empty
    where there is none.
    """

    id: str
    responses: tuple[tuple[str, str], ...]
    sentence: str
    prompt: str
    has_prompt: bool
    gold_label: str | None
    rating: str = ""


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """How a file of responses is written: its keys, the categories, and how many responses an item has."""

    categories: tuple[str, ...] = CATEGORIES
    width: int = RESPONSES_PER_ITEM
    id_key: str = "text_id"
    gold_key: str = "gold_label"


_DYNASENT = ResponseFormat()


def response_format(task: TaskSpec) -> ResponseFormat:
    """How the task's files of responses are written: like its gold file where that is of JSON lines too."""
    output, file = task.output, task.gold
    categories = tuple(dict.fromkeys((*output.labels, MIXED))) if output.is_one_label else ()
    if file.layout.has_ids and not (file.layout.is_table or file.layout.is_one_value):
        return ResponseFormat(categories, id_key=file.id_column, gold_key=file.label_column)
    return ResponseFormat(categories)


def read_responses(
    data: bytes, *, file_name: str, form: ResponseFormat = _DYNASENT
) -> FileRead[list[RespondedItem]]:
    """Read a file of responses: UTF-8, one JSON object a line, with these keys among others.

    `text_id`, `sentence` and `label_distribution`, an object from category to the list of workers who chose it;
    if wanted `gold_label` (a category or null), `prompt`, or `prompt_data` with `prompt_sentence` inside, and
    `has_prompt`, true or false; without it an item has a prompt where the file gives one; and `review_rating`.
    Every item has exactly `form.width` responses, each by another worker.
    """
    return read_file(partial(_Reader(form).read, data), file_name=file_name)


class _Reader:
    def __init__(self, form: ResponseFormat) -> None:
        self._form = form
        self._lines = FirstLines()

    def read(self, data: bytes, report: FileReport) -> list[RespondedItem]:
        if len(data) > MAX_UPLOAD_BYTES:
            found, most = (f"{size / 1024**2:.0f} MB" for size in (len(data), MAX_UPLOAD_BYTES))
            raise RefusedError(
                Finding(
                    ProblemCode.FILE_TOO_LARGE,
                    f"The file has {found}; at most {most} are read. Send it in parts.",
                    found,
                    f"at most {most}",
                )
            )
        items = []
        for number, line in enumerate(physical_lines(decode(data), MAX_ITEMS), start=1):
            if number > MAX_ITEMS:
                raise RefusedError(
                    Finding(
                        ProblemCode.TOO_MANY_ROWS,
                        f"The file has more than {MAX_ITEMS:,} items. Reading stopped here.",
                    ),
                    line=number,
                )
            try:
                members = members_of_line(line, number)
            except RefusedError as error:
                # Its sentence quotes the line.
                code = error.finding.code
                report.add(
                    Finding(code, f"{RULES[code]} Each line holds one item as a JSON object."), line=number
                )
                continue
            values = self._values(members)
            faults = [*_doubled_keys(members, number), *self._faults(values, number)]
            for key, finding in faults:
                report.add(finding, line=number, column=key)
            if not faults:
                items.append(self._item(values))
        return items

    def _values(self, members: Sequence[Member]) -> dict[str, Node]:
        """The values that are read, by key; optional ones that say nothing are left out."""
        values = {member.key: member.value for member in reversed(members)}
        within = values.get(PROMPT_DATA)
        if within is not None and isinstance(within.value, tuple):
            inner = {member.key: member.value for member in reversed(within.value)}
            values = {PROMPT: inner[_PROMPT_WITHIN]} | values if _PROMPT_WITHIN in inner else values
        silent = {PROMPT: (None, ""), RATING: (None, ""), HAS_PROMPT: (None,), self._form.gold_key: (None,)}
        return {key: node for key, node in values.items() if node.value not in silent.get(key, ())}

    def _faults(self, values: Mapping[str, Node], line: int) -> Iterator[tuple[str, Finding]]:
        form = self._form
        needed = (form.id_key, SENTENCE, RESPONSES)
        missing = [key for key in needed if key not in values]
        for key in missing:
            message = f"The object has no key {quoted(key)}. Add it."
            yield key, Finding(ProblemCode.JSON_MISSING_KEY, message, expected=key)
        for key in () if missing else (*needed, PROMPT, HAS_PROMPT, RATING, form.gold_key):
            if key in values:
                fault = self._fault(key, values[key], line)
                faults = self._response_faults(values[key]) if key == RESPONSES and not fault else (fault,)
                yield from ((key, each) for each in faults if each)

    def _fault(self, key: str, node: Node, line: int) -> Finding | None:
        """What is wrong with the value of a key, but for what is wrong with single responses."""
        expected, kind = _TYPES.get(key, ("text", str))
        if key == self._form.gold_key:
            return self._gold_fault(node)
        if not isinstance(node.value, kind):
            return _wrong_type(node, expected, key)
        if key == self._form.id_key:
            doubled = self._lines.id_fault(_text(node), line, "Keep one of the two items.")
            return doubled() if doubled else None
        return _text_fault(key, _text(node)) if kind is str else None

    def _item(self, values: Mapping[str, Node]) -> RespondedItem:
        item, sentence, prompt = (_text(values.get(key)) for key in (self._form.id_key, SENTENCE, PROMPT))
        flag = values.get(HAS_PROMPT)
        has_prompt = flag.value is True if flag else bool(prompt)
        gold = _text(values.get(self._form.gold_key)) or None
        rating = values[RATING].value if RATING in values else ""
        responses = tuple(_responses(values[RESPONSES]))
        return RespondedItem(item, responses, sentence, prompt, has_prompt, gold, _rating(rating))

    def _gold_fault(self, node: Node) -> Finding | None:
        """What is wrong with the stated gold label is told without it."""
        is_text = isinstance(node.value, str)
        if is_text and node.value in self._form.categories:
            return None
        expected = f"null or one of {', '.join(self._form.categories)}"
        return Finding(
            ProblemCode.UNKNOWN_CATEGORY if is_text else ProblemCode.JSON_WRONG_TYPE,
            f"The gold label is no category. It must be {expected}.",
            expected=expected,
        )

    def _response_faults(self, node: Node) -> Iterator[Finding]:
        members = node.value if isinstance(node.value, tuple) else ()
        workers: set[str] = set()
        faults = [*self._worker_faults(members, workers)]
        if len({member.key for member in members}) < len(members):
            faults.append(Finding(ProblemCode.JSON_DOUBLED_KEY, "A category stands here twice. Keep one."))
        yield from faults
        count, width = len(workers), self._form.width
        if not faults and count != width:
            what = f"{count} response{'' if count == 1 else 's'}"
            message = f"The item has {what}. Every item needs exactly {width}."
            yield Finding(ProblemCode.RESPONSE_COUNT, message, str(count), str(width))

    def _worker_faults(self, members: Sequence[Member], workers: set[str]) -> Iterator[Finding]:
        """What is wrong with the workers of each category; those who are named rightly are put into `workers`."""
        for category, _, chosen_by in members:
            if category not in self._form.categories:
                expected = ", ".join(self._form.categories)
                message = f"{quoted(category)} is no category of responses. They are {expected}."
                yield Finding(ProblemCode.UNKNOWN_CATEGORY, message, visible(category), expected)
            if not isinstance(chosen_by.value, list):
                kind = chosen_by.kind
                message = (
                    f"A category must have a list of workers, empty if nobody chose it; {kind} stands there."
                )
                yield Finding(ProblemCode.JSON_WRONG_TYPE, message, kind, "a list of workers")
                continue
            for worker in chosen_by.value:
                fault = _worker_fault(worker, workers)
                if fault is not None:
                    yield fault
                workers |= set() if fault else {_text(worker)}


def _rating(value: Value) -> str:
    return value.text if isinstance(value, NumberText) else str(value)


def _text(node: Node | None) -> str:
    return node.value if node is not None and isinstance(node.value, str) else ""


def _responses(node: Node) -> Iterator[tuple[str, str]]:
    for category, _, chosen_by in node.value if isinstance(node.value, tuple) else ():
        for worker in chosen_by.value if isinstance(chosen_by.value, list) else ():
            yield _text(worker), category


def _doubled_keys(members: Sequence[Member], line: int) -> Iterator[tuple[str, Finding]]:
    known: set[str] = set()
    for member in members:
        if member.key in known:
            yield member.key, doubled_key(member.key, line)
        known.add(member.key)


def _wrong_type(node: Node, expected: str, key: str) -> Finding:
    return Finding(
        ProblemCode.JSON_WRONG_TYPE,
        f"{quoted(key)} must be {expected}; {node.kind} stands there.",
        node.kind,
        expected,
    )


def _text_fault(key: str, text: str) -> Finding | None:
    """What keeps a value from being a text for people to read, as files of texts may hold it."""
    if not text.strip():
        return Finding(ProblemCode.TEXT_MISSING, f"The {key} is empty. Give its text.")
    character = first_forbidden(text.replace("\n", ""), "latin-1")
    if not character:
        return None
    message = f"The text holds the control character U+{ord(character):04X}. Remove it."
    return Finding(ProblemCode.CONTROL_CHARACTER, message, visible(text))


def _worker_fault(node: Node, known: set[str]) -> Finding | None:
    worker = node.value
    if not isinstance(worker, str):
        return Finding(
            ProblemCode.JSON_WRONG_TYPE,
            f"A worker must be text in quotes; {node.kind} stands there.",
            node.kind,
            "text",
        )
    if worker in known:
        return Finding(
            ProblemCode.WORKER_TWICE,
            f"The worker {quoted(worker)} answers this item twice. Keep one response for each worker.",
            visible(worker),
            "every worker once",
        )
    if not worker.strip() or worker != worker.strip() or len(worker) > MAX_CELL or first_forbidden(worker):
        return Finding(
            ProblemCode.WORKER_NAME,
            f"{quoted(worker)} cannot name a worker. {RULES[ProblemCode.WORKER_NAME]}",
            visible(worker),
        )
    return None
